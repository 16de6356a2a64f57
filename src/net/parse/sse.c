#include "net/parse/sse.h"

#include <string.h>

void sse_init(struct sse *sse, size_t max_data)
{
	*sse = (struct sse){
		.retry_ms = -1,
		/* Each line of the data ends in an LF; the last LF is not part of the data. */
		.data = BUF_INIT_MAX(max_data + 1),
		.value = BUF_INIT_MAX(SSE_MAX_NAME),
		.type = BUF_INIT_MAX(SSE_MAX_NAME),
		.id = BUF_INIT_MAX(SSE_MAX_NAME),
	};
}

void sse_release(struct sse *sse)
{
	buf_release(&sse->data);
	buf_release(&sse->value);
	buf_release(&sse->type);
	buf_release(&sse->id);
}

/* --- an event ---------------------------------------------------------------- */

static void sse_dispatch(struct sse *sse, sse_function function, void *data)
{
	if (sse->too_long) {
		sse->skipped++;
	} else if (sse->data.len) {
		struct sse_event event = {
			.type = sse->type.len ? view_of_buf(&sse->type) : view_of("message"),
			.data = {sse->data.data, sse->data.len - 1},
			.id = view_of_buf(&sse->id),
		};

		function(&event, data);
	}
	sse->too_long = false;
	buf_set_len(&sse->data, 0);
	buf_set_len(&sse->type, 0);
}

/* --- data -------------------------------------------------------------------- */

static void sse_add_data(struct sse *sse, struct view text)
{
	if (sse->too_long)
		return;
	buf_append(&sse->data, text.data, text.len);
	if (sse->data.overflow) {
		sse->too_long = true;
		buf_clear(&sse->data);
	}
}

/* --- a line ------------------------------------------------------------------ */

static enum sse_field sse_field_of(const struct sse *sse)
{
	static const struct {
		const char *name;
		enum sse_field field;
	} fields[] = {
		{"data", SSE_FIELD_DATA},
		{"event", SSE_FIELD_EVENT},
		{"id", SSE_FIELD_ID},
		{"retry", SSE_FIELD_RETRY},
	};
	struct view name = {sse->name, sse->name_len};

	if (sse->name_len > sizeof(sse->name))
		return SSE_FIELD_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (view_equal_str(name, fields[i].name))
			return fields[i].field;
	return SSE_FIELD_OTHER;
}

static void sse_replace(struct buf *target, const struct buf *value)
{
	buf_set_len(target, 0);
	buf_append(target, value->data, value->len);
}

static void sse_end_field(struct sse *sse)
{
	int64_t ms = 0;

	switch (sse->field) {
	case SSE_FIELD_OTHER:
		break;
	case SSE_FIELD_DATA:
		sse_add_data(sse, view_of("\n"));
		break;
	case SSE_FIELD_EVENT:
		if (!sse->value.overflow)
			sse_replace(&sse->type, &sse->value);
		break;
	case SSE_FIELD_ID:
		if (!sse->value.overflow && !memchr(sse->value.data, '\0', sse->value.len))
			sse_replace(&sse->id, &sse->value);
		break;
	case SSE_FIELD_RETRY:
		/* Digits and nothing else; as many as fit into a number. */
		for (size_t i = 0; i < sse->value.len; i++) {
			char c = sse->value.data[i];

			if (c < '0' || c > '9')
				return;
			ms = ms < INT64_MAX / 10 - 1 ? ms * 10 + (c - '0') : INT64_MAX;
		}
		if (sse->value.len && !sse->value.overflow)
			sse->retry_ms = ms;
		break;
	}
}

static void sse_end_line(struct sse *sse, sse_function function, void *data)
{
	if (sse->state == SSE_NAME && !sse->name_len) {
		sse_dispatch(sse, function, data);
	} else {
		if (sse->state == SSE_NAME)
			sse->field = sse_field_of(sse); /* all of the line is its name */
		sse_end_field(sse);
	}
	sse->state = SSE_NAME;
	sse->name_len = 0;
	buf_clear(&sse->value);
}

/* Returns how many bytes were taken: up to a colon, or all. */
static size_t sse_read_name(struct sse *sse, struct view rest)
{
	const char *colon = memchr(rest.data, ':', rest.len);
	size_t len = colon ? (size_t)(colon - rest.data) : rest.len;

	if (sse->name_len + len <= sizeof(sse->name))
		memcpy(sse->name + sse->name_len, rest.data, len);
	/* Stop counting once the name is too long, so that the length cannot overflow. */
	sse->name_len += len;
	if (sse->name_len > sizeof(sse->name))
		sse->name_len = sizeof(sse->name) + 1;
	if (!colon)
		return len;
	sse->field = sse_field_of(sse);
	sse->state = SSE_SPACE;
	return len + 1;
}

static void sse_read_value(struct sse *sse, struct view rest)
{
	switch (sse->field) {
	case SSE_FIELD_OTHER:
		break;
	case SSE_FIELD_DATA:
		sse_add_data(sse, rest);
		break;
	case SSE_FIELD_EVENT:
	case SSE_FIELD_ID:
		buf_append(&sse->value, rest.data, rest.len);
		sse->too_long = sse->too_long || sse->value.overflow;
		break;
	case SSE_FIELD_RETRY:
		buf_append(&sse->value, rest.data, rest.len); /* too long: no number */
		break;
	}
}

/* A piece of a line, without its end. */
static void sse_read_piece(struct sse *sse, struct view rest)
{
	if (rest.len && sse->state == SSE_NAME)
		rest = view_slice(rest, sse_read_name(sse, rest), rest.len);
	if (rest.len && sse->state == SSE_SPACE) {
		sse->state = SSE_VALUE;
		if (rest.data[0] == ' ')
			rest = view_slice(rest, 1, rest.len);
	}
	if (rest.len && sse->state == SSE_VALUE)
		sse_read_value(sse, rest);
}

/* --- the stream -------------------------------------------------------------- */

/* Drop a byte order mark. Bytes that only begin like one are text. */
static struct view sse_drop_mark(struct sse *sse, struct view rest)
{
	static const char mark[] = "\xef\xbb\xbf";

	while (rest.len && sse->mark < 3 && rest.data[0] == mark[sse->mark]) {
		sse->mark++;
		rest = view_slice(rest, 1, rest.len);
	}
	if (sse->mark < 3 && !rest.len)
		return rest;
	sse->state = SSE_NAME;
	if (sse->mark < 3)
		sse_read_piece(sse, (struct view){mark, sse->mark});
	return rest;
}

void sse_feed(struct sse *sse, const char *bytes, size_t len, sse_function function, void *data)
{
	struct view rest = {bytes, len};

	if (sse->state == SSE_MARK)
		rest = sse_drop_mark(sse, rest);
	while (rest.len) {
		size_t line = 0;

		if (sse->after_cr && rest.data[0] == '\n') {
			sse->after_cr = false;
			rest = view_slice(rest, 1, rest.len);
			continue;
		}
		sse->after_cr = false;
		while (line < rest.len && rest.data[line] != '\n' && rest.data[line] != '\r')
			line++;
		sse_read_piece(sse, view_slice(rest, 0, line));
		if (line == rest.len)
			return;
		sse->after_cr = rest.data[line] == '\r';
		sse_end_line(sse, function, data);
		rest = view_slice(rest, line + 1, rest.len);
	}
}
