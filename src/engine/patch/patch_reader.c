#include "engine/patch/patch_reader.h"

#include <string.h>

#define MAX_DIGITS 10

bool patch_reader_peek(const struct patch_reader *r, struct view *ret_line)
{
	struct view rest = r->rest;

	return view_next(&rest, '\n', ret_line);
}

bool patch_reader_take(struct patch_reader *r, struct view *ret_line)
{
	if (!view_next(&r->rest, '\n', ret_line))
		return false;
	r->number++;
	return true;
}

bool patch_reader_sees(const struct patch_reader *r, const char *beginning)
{
	return view_starts_with(r->rest, beginning);
}

bool patch_skip(struct view *line, const char *beginning)
{
	if (!view_starts_with(*line, beginning))
		return false;
	*line = view_slice(*line, strlen(beginning), line->len);
	return true;
}

bool patch_take_number(struct view *line, size_t *ret_number)
{
	size_t number = 0, digits = 0;

	while (digits < line->len && line->data[digits] >= '0' && line->data[digits] <= '9') {
		if (digits == MAX_DIGITS)
			return false;
		number = 10 * number + (size_t)(line->data[digits++] - '0');
	}
	*line = view_slice(*line, digits, line->len);
	*ret_number = number;
	return digits > 0;
}

int patch_fault(const struct patch_reader *r, struct error *err, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	return error_set(err, ERROR_INVALID, "%s:%zu: %s", r->name, r->number, text.data);
}
