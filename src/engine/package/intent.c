#include "engine/package/intent.h"

#include <string.h>
#include <strings.h>

#include "util/beneath.h"

static const char *const headings[INTENT_COUNT][3] = {
	[INTENT_WHAT] = {"What this skill adds", "What changed"},
	[INTENT_KEY_SECTIONS] = {"Key sections"},
	[INTENT_INVARIANTS] = {"Invariants"},
	[INTENT_MUST_KEEP] = {"Must-keep", "Must-keep sections"},
};

const char *intent_heading_name(enum intent_heading heading)
{
	return headings[heading][0];
}

int intent_read(const struct package *package, const struct relpath *path, struct buf *ret_text,
	struct error *err)
{
	CLEANUP(freep) char *text = xasprintf("modify/%s" INTENT_SUFFIX, path->text);
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;

	if (relpath_parse(view_of(text), &full, err) < 0)
		return -1;
	return beneath_read(package->fd, &full, INTENT_MAX_SIZE, ret_text, err);
}

/* The title of a line such as "## Key sections:"; false if it is no heading. */
static bool heading_title(struct view line, struct view *ret_title)
{
	size_t level = 0;

	while (level < line.len && line.data[level] == '#')
		level++;
	if (!level || level > 6 || level == line.len || !strchr(" \t", line.data[level]))
		return false;
	line = view_trim(view_slice(line, level, line.len));
	while (line.len && strchr("#: \t", line.data[line.len - 1]))
		line.len--;
	*ret_title = line;
	return true;
}

static bool is_titled(struct view title, enum intent_heading heading)
{
	for (const char *const *name = headings[heading]; *name; name++)
		if (title.len == strlen(*name) && !strncasecmp(title.data, *name, title.len))
			return true;
	return false;
}

struct view intent_section(struct view text, enum intent_heading heading, bool *ret_found)
{
	struct view rest = text, line, title;
	size_t start = 0, end = text.len;
	bool in_code = false, found = false;

	while (view_next(&rest, '\n', &line)) {
		/* "# comment" in a block of code is no heading. */
		if (view_starts_with(line, "```"))
			in_code = !in_code;
		if (in_code || !heading_title(line, &title))
			continue;
		if (found) {
			end = (size_t)(line.data - text.data);
			break;
		}
		found = is_titled(title, heading);
		start = text.len - rest.len;
	}
	*ret_found = found;
	return found ? view_trim(view_slice(text, start, end)) : (struct view){"", 0};
}
