#include "engine/structured/system_packages.h"

#include <stdlib.h>

static bool is_part(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '.' ||
	       c == '-';
}

bool system_package_is_valid(struct view name)
{
	if (name.len < 2 || !is_part(name.data[0]))
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!is_part(name.data[i]))
			return false;
	return name.data[0] != '+' && name.data[0] != '.' && name.data[0] != '-';
}

struct view system_package_of_line(struct view line)
{
	size_t len = 0;

	line = view_trim(line);
	while (len < line.len && is_part(line.data[len]))
		len++;
	line = view_slice(line, 0, len);
	return system_package_is_valid(line) ? line : view_of("");
}

static int by_name(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

size_t system_packages_read(struct view text, struct view **ret_names)
{
	struct view *names = NULL, line;
	size_t count = 0, cap = 0, kept = 0;

	while (view_next(&text, '\n', &line)) {
		struct view name = system_package_of_line(line);

		if (!name.len)
			continue;
		GROW(names, count, cap);
		names[count++] = name;
	}
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++)
		if (!kept || !view_equal(names[kept - 1], names[i]))
			names[kept++] = names[i];
	*ret_names = names;
	return kept;
}
