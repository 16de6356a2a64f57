#include "net/parse/http_head.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

#define MAX_METHOD        ((size_t)32)
#define MAX_LENGTH_DIGITS ((size_t)18)

/* --- characters -------------------------------------------------------------- */

static bool is_token_char(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

bool http_is_token(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!is_token_char((unsigned char)text.data[i]))
			return false;
	return text.len > 0;
}

bool http_is_value(struct view text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

/* Printable, without the marks that programs disagree about. */
static bool is_target(struct view text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c <= 0x20 || c >= 0x7f || c == '#' || c == '\\')
			return false;
	}
	return text.len > 0;
}

static struct view trim_blanks(struct view v)
{
	while (v.len && (v.data[0] == ' ' || v.data[0] == '\t'))
		v = view_slice(v, 1, v.len);
	while (v.len && (v.data[v.len - 1] == ' ' || v.data[v.len - 1] == '\t'))
		v.len--;
	return v;
}

bool http_name_is(struct view name, const char *wanted)
{
	return name.len == strlen(wanted) && !strncasecmp(name.data, wanted, name.len);
}

bool http_value_has(struct view value, const char *word)
{
	struct view piece;

	while (view_next(&value, ',', &piece))
		if (http_name_is(trim_blanks(piece), word))
			return true;
	return false;
}

/* --- lines ------------------------------------------------------------------- */

static ssize_t head_refuse(struct http_fault *fault, int status, const char *why)
{
	*fault = (struct http_fault){status, why};
	return -1;
}

/* The length of the head with its empty line; 0 if it is incomplete. */
static size_t end_of_head(struct view bytes)
{
	const char *end = memmem(bytes.data, bytes.len, "\r\n\r\n", 4);

	return end ? (size_t)(end - bytes.data) + 4 : 0;
}

/* Do not wait for more if it is already wrong: LF LF never ends a head. */
static bool has_bare_newline(struct view bytes)
{
	const char *at = bytes.data;
	const char *end = bytes.data + bytes.len;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		if (at == bytes.data || at[-1] != '\r')
			return true;
		at++;
	}
	return false;
}

static struct view next_line(struct view *rest)
{
	const char *end = memmem(rest->data, rest->len, "\r\n", 2);
	struct view line = {rest->data, (size_t)(end - rest->data)};

	*rest = view_slice(*rest, line.len + 2, rest->len);
	return line;
}

/* --- the first line ---------------------------------------------------------- */

static bool set_form(struct http_head *head)
{
	if (view_equal_str(head->method, "CONNECT"))
		head->form = HTTP_AUTHORITY;
	else if (head->target.data[0] == '/')
		head->form = HTTP_ORIGIN;
	else if (head->target.len > 7 && (!strncasecmp(head->target.data, "http://", 7) ||
						 !strncasecmp(head->target.data, "https:/", 7)))
		head->form = HTTP_ABSOLUTE;
	else
		return false;
	return head->form != HTTP_AUTHORITY ||
	       !memchr(head->target.data, '/', head->target.len);
}

static int parse_request_line(
	struct view line, struct http_head *head, struct http_fault *fault)
{
	const char *first = memchr(line.data, ' ', line.len);
	const char *last = memrchr(line.data, ' ', line.len);
	struct view version;

	if (!first || first == last)
		return (int)head_refuse(
			fault, 400, "the first line is not METHOD TARGET HTTP/1.1");
	head->method = (struct view){line.data, (size_t)(first - line.data)};
	head->target = (struct view){first + 1, (size_t)(last - first) - 1};
	version = view_slice(line, (size_t)(last - line.data) + 1, line.len);
	if (!http_is_token(head->method) || head->method.len > MAX_METHOD)
		return (int)head_refuse(fault, 400, "the method is not a token");
	if (!is_target(head->target))
		return (int)head_refuse(
			fault, 400, "the target has characters that no URL has");
	if (!view_equal_str(version, "HTTP/1.1") && !view_equal_str(version, "HTTP/1.0"))
		return (int)head_refuse(fault, 505, "only HTTP/1.1 is supported");
	head->minor = version.data[version.len - 1] - '0';
	if (!set_form(head))
		return (int)head_refuse(fault, 400, "the target is neither a path nor a URL");
	return 0;
}

/* --- headers ----------------------------------------------------------------- */

static int parse_header(struct view line, struct http_head *head, struct http_fault *fault)
{
	const char *colon = memchr(line.data, ':', line.len);
	struct http_header *header = &head->headers[head->count];

	if (line.data[0] == ' ' || line.data[0] == '\t')
		return (int)head_refuse(fault, 400, "a header continues on a second line");
	if (!colon)
		return (int)head_refuse(fault, 400, "a header has no colon");
	if (head->count == HTTP_HEADERS_MAX)
		return (int)head_refuse(fault, 431, "there are too many headers");
	header->name = (struct view){line.data, (size_t)(colon - line.data)};
	header->value = trim_blanks(view_slice(line, header->name.len + 1, line.len));
	if (!http_is_token(header->name))
		return (int)head_refuse(fault, 400, "the name of a header is not a token");
	if (!http_is_value(header->value))
		return (int)head_refuse(fault, 400, "a header has control characters in it");
	head->count++;
	return 0;
}

/* The only header of that name, or NULL. `*ret_several`: there is more than one. */
static const struct http_header *only_header(
	const struct http_head *head, const char *name, bool *ret_several)
{
	const struct http_header *found = NULL;

	*ret_several = false;
	for (size_t i = 0; i < head->count; i++) {
		if (!http_name_is(head->headers[i].name, name))
			continue;
		*ret_several |= found != NULL;
		found = &head->headers[i];
	}
	return found;
}

static bool parse_length(struct view text, uint64_t *ret_length)
{
	uint64_t length = 0;

	if (!text.len || text.len > MAX_LENGTH_DIGITS)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return false;
		length = length * 10 + (uint64_t)(text.data[i] - '0');
	}
	*ret_length = length;
	return true;
}

static int find_framing(struct http_head *head, struct http_fault *fault)
{
	bool many_lengths;
	bool many_codings;
	const struct http_header *length = only_header(head, "content-length", &many_lengths);
	const struct http_header *coding =
		only_header(head, "transfer-encoding", &many_codings);

	if (many_lengths || many_codings || (length && coding))
		return (int)head_refuse(fault, 400, "the length of the body is given twice");
	if ((length || coding) && head->form == HTTP_AUTHORITY)
		return (int)head_refuse(fault, 400, "CONNECT has no body");
	if (coding && (head->minor == 0 || !http_name_is(coding->value, "chunked")))
		return (int)head_refuse(fault, head->minor ? 501 : 400,
			"the only transfer coding is 'chunked', in HTTP/1.1");
	if (length && !parse_length(length->value, &head->length))
		return (int)head_refuse(fault, 400, "the length of the body is not a number");
	if (coding)
		head->framing = HTTP_CHUNKED;
	else if (length && head->length)
		head->framing = HTTP_LENGTH;
	return 0;
}

/* A name or address, and perhaps a port. */
static bool is_host(struct view text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c <= 0x20 || c >= 0x7f || strchr("/?#@\\,\"<>", c))
			return false;
	}
	return text.len > 0;
}

static int find_host(struct http_head *head, struct http_fault *fault)
{
	bool several;
	const struct http_header *host = only_header(head, "host", &several);

	if (several || (!host && head->minor == 1))
		return (int)head_refuse(fault, 400, "there must be exactly one Host header");
	if (host && !is_host(host->value))
		return (int)head_refuse(fault, 400, "the Host header is not a host name");
	if (host)
		head->host = host->value;
	return 0;
}

static int find_wishes(struct http_head *head, struct http_fault *fault)
{
	head->keep_alive = head->minor == 1;
	for (size_t i = 0; i < head->count; i++) {
		const struct http_header *header = &head->headers[i];

		if (http_name_is(header->name, "connection") &&
			http_value_has(header->value, "close"))
			head->keep_alive = false;
		if (!http_name_is(header->name, "expect"))
			continue;
		if (!http_name_is(header->value, "100-continue"))
			return (int)head_refuse(
				fault, 417, "the only supported expectation is 100-continue");
		head->expects_continue = head->minor == 1 && head->framing != HTTP_NO_BODY;
	}
	return 0;
}

/* --- all of it --------------------------------------------------------------- */

ssize_t http_head_parse(
	struct view bytes, struct http_head *ret_head, struct http_fault *ret_fault)
{
	size_t len = end_of_head(bytes);
	struct view rest = view_slice(bytes, 0, len ? len - 2 : bytes.len);

	if (len > HTTP_HEAD_MAX || (!len && bytes.len >= HTTP_HEAD_MAX))
		return head_refuse(ret_fault, 431, "the head of the request is too long");
	if (has_bare_newline(rest))
		return head_refuse(ret_fault, 400, "a line does not end in CR LF");
	if (!len)
		return 0;
	*ret_head = (struct http_head){0};
	if (parse_request_line(next_line(&rest), ret_head, ret_fault) < 0)
		return -1;
	while (rest.len)
		if (parse_header(next_line(&rest), ret_head, ret_fault) < 0)
			return -1;
	if (find_framing(ret_head, ret_fault) < 0 || find_host(ret_head, ret_fault) < 0 ||
		find_wishes(ret_head, ret_fault) < 0)
		return -1;
	return (ssize_t)len;
}

bool http_is_for_hop(const struct http_header *headers, size_t count, struct view name)
{
	static const char *const names[] = {"connection", "keep-alive", "proxy-connection",
		"proxy-authenticate", "proxy-authorization", "te", "trailer",
		"transfer-encoding", "upgrade", "http2-settings"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (http_name_is(name, names[i]))
			return true;
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *word = NULL;

		if (!http_name_is(headers[i].name, "connection"))
			continue;
		word = xmemdupz(name.data, name.len);
		if (http_value_has(headers[i].value, word))
			return true;
	}
	return false;
}

int http_headers_check(const char *const *headers, struct error *err)
{
	for (; headers && *headers; headers++)
		if (!http_is_value(view_of(*headers)))
			return error_set(err, ERROR_INVALID,
				"a header of a request contains a line end or another control "
				"character");
	return 0;
}
