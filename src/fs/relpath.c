#include "fs/relpath.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"

/* --- parsing ----------------------------------------------------------------- */

static const char *wrong_in_component(struct view component)
{
	if (!component.len)
		return "has an empty component";
	if (view_equal_str(component, "."))
		return "has the component '.'";
	if (view_equal_str(component, ".."))
		return "has the component '..'";
	if (component.len > RELPATH_COMPONENT_MAX)
		return "has a component of more than 255 bytes";
	return NULL;
}

/* What makes `text` unfit for a relative path, or NULL. */
static const char *wrong_in(struct view text)
{
	struct view rest = text;
	struct view component;

	if (!text.len)
		return "is empty";
	if (text.len > RELPATH_MAX)
		return "is longer than 4095 bytes";
	if (memchr(text.data, '\0', text.len))
		return "has a NUL byte";
	if (text.data[0] == '/')
		return "is absolute";
	if (text.data[text.len - 1] == '/')
		return "ends in a slash";
	while (relpath_next(&rest, &component)) {
		const char *wrong = wrong_in_component(component);

		if (wrong)
			return wrong;
	}
	return NULL;
}

int relpath_parse(struct view text, struct relpath *ret_path, struct error *err)
{
	const char *wrong = wrong_in(text);
	CLEANUP(freep) char *shown = NULL;
	size_t most = 128;

	if (!wrong) {
		ret_path->text = xmemdupz(text.data, text.len);
		return 0;
	}
	/* A path of a megabyte would bury the reason. */
	shown = quote(view_slice(text, 0, text.len < most ? text.len : most));
	return error_set(err, ERROR_INVALID, "path %s%s %s", shown,
		text.len > most ? " (cut)" : "", wrong);
}

struct relpath relpath_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;
	int failed = relpath_parse(view_of(text), &path, &err);

	assert(!failed);
	(void)failed;
	return path;
}

int relpath_printf(struct relpath *ret_path, struct error *err, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	return relpath_parse(view_of_buf(&text), ret_path, err);
}

int relpath_join(const struct relpath *dir, struct view name, struct relpath *ret_path,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!dir)
		return relpath_parse(name, ret_path, err);
	buf_append_str(&text, dir->text);
	buf_append_char(&text, '/');
	buf_append(&text, name.data, name.len);
	return relpath_parse(view_of_buf(&text), ret_path, err);
}

struct relpath relpath_copy(const struct relpath *path)
{
	return (struct relpath){xstrdup(path->text)};
}

void relpath_release(struct relpath *path)
{
	free(path->text);
}

/* --- parts ------------------------------------------------------------------- */

struct view relpath_view(const struct relpath *path)
{
	return view_of(path->text);
}

const char *relpath_base(const struct relpath *path)
{
	const char *slash = strrchr(path->text, '/');

	return slash ? slash + 1 : path->text;
}

bool relpath_parent(const struct relpath *path, struct relpath *ret_parent)
{
	const char *slash = strrchr(path->text, '/');

	if (!slash)
		return false;
	ret_parent->text = xmemdupz(path->text, (size_t)(slash - path->text));
	return true;
}

unsigned relpath_depth(const struct relpath *path)
{
	unsigned depth = 1;

	for (const char *p = path->text; *p; p++)
		if (*p == '/')
			depth++;
	return depth;
}

int relpath_compare(const struct relpath *a, const struct relpath *b)
{
	return strcmp(a->text, b->text);
}

bool relpath_next(struct view *rest, struct view *ret_component)
{
	return view_next(rest, '/', ret_component);
}

char *relpath_quote(const struct relpath *path)
{
	return quote(relpath_view(path));
}

/* --- protected names --------------------------------------------------------- */

/* The code points that HFS+ leaves out when it compares names, in UTF-8. */
static size_t ignorable_len(struct view text)
{
	const unsigned char *p = (const unsigned char *)text.data;

	if (text.len < 3)
		return 0;
	if (p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0x8c && p[2] <= 0x8f)
		return 3; /* U+200C to U+200F */
	if (p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae)
		return 3; /* U+202A to U+202E */
	if (p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xaa && p[2] <= 0xaf)
		return 3; /* U+206A to U+206F */
	if (p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf)
		return 3; /* U+FEFF */
	return 0;
}

/* The next byte of a name as a folding file system compares it, or -1 at the end. */
static int next_folded(struct view *text)
{
	unsigned char c;
	size_t skip;

	while ((skip = ignorable_len(*text)) > 0)
		*text = view_slice(*text, skip, text->len);
	if (!text->len)
		return -1;
	c = (unsigned char)text->data[0];
	*text = view_slice(*text, 1, text->len);
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Whether some file system treats `component` as `name`, in which # is any digit. */
static bool folds_to(struct view component, const char *name)
{
	int c;

	for (; *name; name++) {
		c = next_folded(&component);
		if (*name == '#' ? c < '0' || c > '9' : c != *name)
			return false;
	}
	do {
		c = next_folded(&component);
	} while (c == '.' || c == ' ');
	return c == -1 || c == ':';
}

bool relpath_is_env(struct view component)
{
	struct view part;

	while (!view_equal_str(component, ".env.example") &&
		view_next(&component, '\\', &part)) {
		const char *name = ".env";

		while (*name && next_folded(&part) == *name)
			name++;
		if (!*name)
			return true;
	}
	return false;
}

void relpath_list_add(struct relpath_list *paths, struct relpath path)
{
	GROW(paths->list, paths->count, paths->cap);
	paths->list[paths->count++] = path;
}

void relpath_list_release(struct relpath_list *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		relpath_release(&paths->list[i]);
	free(paths->list);
}

bool relpath_protected(const struct relpath *path)
{
	struct view rest = relpath_view(path);
	struct view component;
	struct view part;
	bool first = true;

	while (relpath_next(&rest, &component)) {
		while (view_next(&component, '\\', &part)) {
			if (folds_to(part, ".git") || folds_to(part, "git~#"))
				return true;
			if (first &&
				(folds_to(part, ".nanoclaw") || folds_to(part, "nanocl~#")))
				return true;
		}
		first = false;
	}
	return false;
}
