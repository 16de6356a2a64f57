/*
 * The first byte is a dialect and a unit, the second a limit, the rest Markdown. Parts are
 * within their bounds when they are rendered, and UTF-8 whatever the source is. Tags of HTML
 * are closed in the reverse order of opening.
 */
#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "markup/markup.h"

#define OPEN_MAX 64

static void check_tags(const char *text)
{
	char open[OPEN_MAX][16];
	size_t depth = 0;

	while ((text = strchr(text, '<'))) {
		bool closes = *++text == '/';
		char name[16];
		size_t len = strcspn(text += closes, " >");

		assert(len && len < sizeof(name));
		memcpy(name, text, len);
		name[len] = '\0';
		if (closes)
			assert(depth && !strcmp(open[--depth], name));
		else if (strcmp(name, "br") != 0 && strcmp(name, "hr") != 0) {
			assert(depth < OPEN_MAX);
			memcpy(open[depth++], name, sizeof(name));
		}
	}
	assert(!depth);
}

static void check_part(const char *part, const struct markup_form *form)
{
	CLEANUP(buf_release) struct buf rendered = BUF_INIT;

	markup_render(view_of(part), form->dialect, &rendered);
	assert(markup_length(view_of_buf(&rendered), form->unit) <= form->limit);
	if (form->dialect != MARKUP_SOURCE)
		assert(utf8_valid(view_of_buf(&rendered)));
	if (form->dialect == MARKUP_HTML || form->dialect == MARKUP_TELEGRAM)
		check_tags(rendered.data);
}

FUZZ_TARGET(markup)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	struct markup_form form;

	if (len < 2 || memchr(data, '\0', len))
		return 0;
	form = (struct markup_form){
		.dialect = data[0] % (MARKUP_TERMINAL_PLAIN + 1),
		.unit = data[0] / 16 % 3,
		.limit = 64 + data[1],
	};
	markup_split((struct view){(const char *)data + 2, len - 2}, &form, &parts);
	for (size_t i = 0; i < parts.count; i++)
		check_part(parts.list[i], &form);
	return 0;
}
