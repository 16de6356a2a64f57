#include "gate/request_lines.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OAUTH_BETA "oauth-2025-04-20"

void request_lines_release(struct request_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		credentials_wipe(lines->list[i]);
	free(lines->list);
}

static void add_line(struct request_lines *lines, char *line)
{
	GROW(lines->list, lines->count, lines->cap);
	lines->list[lines->count++] = line;
}

/* Credentials, and headers that make some servers misread a request. */
static bool is_dropped(const struct http_head *head, struct view name)
{
	static const char *const names[] = {"accept-encoding", "api-key", "authorization",
		"content-length", "cookie", "cookie2", "expect", "forwarded", "host",
		"openai-organization", "openai-project", "x-api-key", "x-goog-api-key",
		"x-http-method", "x-http-method-override", "x-method-override",
		"x-original-url", "x-rewrite-url"};

	if (memchr(name.data, '_', name.len) ||
		(name.len > 12 && !strncasecmp(name.data, "x-forwarded-", 12)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (http_name_is(name, names[i]))
			return true;
	return http_is_for_hop(head->headers, head->count, name);
}

/* An empty value has a form of its own with libcurl. */
static char *line_of(const struct http_header *header)
{
	if (!header->value.len)
		return xasprintf("%.*s;", VIEW_ARGS(header->name));
	return xasprintf("%.*s: %.*s", VIEW_ARGS(header->name), VIEW_ARGS(header->value));
}

static void add_credential(struct request_lines *lines, const struct credential *credential)
{
	switch (credential->kind) {
	case CREDENTIAL_KEY:
		add_line(lines, xasprintf("x-api-key: %s", credential->value));
		break;
	case CREDENTIAL_TOKEN:
	case CREDENTIAL_OAUTH:
		add_line(lines, xasprintf("authorization: Bearer %s", credential->value));
		break;
	default:
		break;
	}
}

void request_lines_fill(const struct http_head *head, const struct credential *credential,
	struct request_lines *lines)
{
	bool wants_beta = credential->kind == CREDENTIAL_OAUTH;

	for (size_t i = 0; i < head->count; i++) {
		const struct http_header *header = &head->headers[i];

		if (is_dropped(head, header->name))
			continue;
		add_line(lines, line_of(header));
		if (http_name_is(header->name, "anthropic-beta") &&
			http_value_has(header->value, OAUTH_BETA))
			wants_beta = false;
	}
	if (wants_beta)
		add_line(lines, xstrdup("anthropic-beta: " OAUTH_BETA));
	add_credential(lines, credential);
	add_line(lines, NULL);
	lines->count--;
}
