#include "net/http_answer.h"

#include <ctype.h>
#include <string.h>

/* "HTTP/1.1 200 OK" is 200; 0 if it is not the first line of a response. */
static int status_of(struct view line)
{
	struct view version, status;
	int number = 0;

	if (!view_starts_with(line, "HTTP/") || !view_next(&line, ' ', &version) ||
		!view_next(&line, ' ', &status))
		return 0;
	status = view_trim(status);
	for (size_t i = 0; i < status.len; i++) {
		if (i == 3 || !isdigit((unsigned char)status.data[i]))
			return 0;
		number = number * 10 + (status.data[i] - '0');
	}
	return number;
}

int http_answer_parse(struct view head, struct http_answer *ret_answer)
{
	struct view rest = head;
	struct view line;

	*ret_answer = (struct http_answer){0};
	if (!view_next(&rest, '\n', &line))
		return -1;
	ret_answer->status = status_of(line);
	while (view_next(&rest, '\n', &line)) {
		const char *colon = memchr(line.data, ':', line.len);
		struct view name = {line.data, colon ? (size_t)(colon - line.data) : 0};
		struct view value;

		if (!colon)
			continue;
		value = view_trim(view_slice(line, name.len + 1, line.len));
		if (ret_answer->count == HTTP_HEADERS_MAX || !http_is_token(name) ||
			!http_is_value(value))
			return -1;
		ret_answer->headers[ret_answer->count++] = (struct http_header){name, value};
	}
	return 0;
}

struct view http_answer_header(const struct http_answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->count; i++)
		if (http_name_is(answer->headers[i].name, name))
			return answer->headers[i].value;
	return (struct view){NULL, 0};
}
