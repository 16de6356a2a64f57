#include "net/http_answer.h"

#include <stdlib.h>
#include <string.h>

int http_answer_status(struct view line)
{
	const char *space = memchr(line.data, ' ', line.len);

	if (!view_starts_with(line, "HTTP/") || !space || line.data + line.len - space <= 3)
		return 0;
	return (int)strtol(space + 1, NULL, 10);
}

int http_answer_parse(struct view head, struct http_answer *ret_answer)
{
	struct view rest = head;
	struct view line;

	*ret_answer = (struct http_answer){0};
	if (!view_next(&rest, '\n', &line))
		return -1;
	ret_answer->status = http_answer_status(line);
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
