#include "engine/text/markers.h"

#include "engine/text/lines.h"
#include "util/buf.h"

/* How often a line stands in a text, with either line ending. */
static size_t count_line(struct view text, struct view wanted)
{
	struct view line;
	size_t count = 0;

	while (view_next(&text, '\n', &line)) {
		if (view_ends_with(line, "\r"))
			line.len--;
		count += view_equal(line, wanted);
	}
	return count;
}

static bool has_more(struct view text, const struct markers_question *q, struct view line)
{
	return count_line(text, line) > count_line(q->ours, line) + count_line(q->theirs, line);
}

bool markers_are_left(struct view text, const struct markers_question *q)
{
	CLEANUP(freep) char *theirs = xasprintf(">>>>>>> %s", q->label);

	return lines_count_markers(text) > q->content ||
	       has_more(text, q, view_of("=======")) ||
	       has_more(text, q, view_of("<<<<<<< yours")) ||
	       has_more(text, q, view_of(theirs));
}
