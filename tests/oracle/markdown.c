/*
 * Markdown in every dialect, in parts, for a reader that knows how they should look.
 *
 * Reads any number of "LENGTH\nBYTES" from standard input, each a document
 * {text, unit, limit}, and answers each in the same form with a document
 * {DIALECT: [[source, rendered, plain], ...]}, one triple for each part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "format/json.h"
#include "markup/dialect.h"

static json_t *rendered(const char *source, enum markup_dialect dialect)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	markup_render(view_of(source), dialect, &out);
	return json_text(view_of_buf(&out));
}

static json_t *parts_of(struct view text, const struct markup_form *form)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	json_t *list = json_array();

	markup_split(text, form, &parts);
	for (size_t i = 0; i < parts.count; i++)
		json_array_append_new(
			list, json_pack("[o, o, o]", json_text(view_of(parts.list[i])),
				      rendered(parts.list[i], form->dialect),
				      rendered(parts.list[i], MARKUP_PLAIN)));
	return list;
}

static void answer(struct view input, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(json_decrefp) json_t *reply = json_object();
	struct markup_form form = {0};
	const char *text;

	if (json_read(input, "input", input.len, &document, &err) < 0 ||
		!markup_unit_find(
			json_string_value(json_object_get(document, "unit")), &form.unit))
		abort();
	text = json_string_value(json_object_get(document, "text"));
	form.limit = (size_t)json_number_value(json_object_get(document, "limit"));
	for (form.dialect = MARKUP_SOURCE; form.dialect <= MARKUP_TERMINAL_PLAIN;
		form.dialect++)
		json_object_set_new(
			reply, dialect_get(form.dialect)->name, parts_of(view_of(text), &form));
	json_write_ours(reply, false, out);
}

int main(void)
{
	size_t len;

	while (scanf("%zu%*c", &len) == 1) {
		CLEANUP(freep) char *data = xmalloc(len);
		CLEANUP(buf_release) struct buf out = BUF_INIT;

		if (fread(data, 1, len, stdin) != len)
			return 1;
		answer((struct view){data, len}, &out);
		printf("%zu\n", out.len);
		fwrite(out.data, 1, out.len, stdout);
	}
	return 0;
}
