#include <string.h>

#include "egress/internal.h"

/* A list that is longer is not shown in a hint. */
#define MAX_SHOWN 8

static const char *status_phrase(int status)
{
	static const struct {
		int status;
		const char *phrase;
	} phrases[] = {
		{400, "Bad Request"},
		{403, "Forbidden"},
		{413, "Content Too Large"},
		{502, "Bad Gateway"},
		{503, "Service Unavailable"},
		{504, "Gateway Timeout"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		if (phrases[i].status == status)
			return phrases[i].phrase;
	return "Refused";
}

void egress_refusal(struct buf *out, int status, const char *why, const char *hint)
{
	CLEANUP(freep)
	char *text = xasprintf("nanoclaw: %s\n%s%s", why, hint ? hint : "", hint ? "\n" : "");

	buf_appendf(out,
		"HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
		"Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		status, status_phrase(status), strlen(text), text);
}

static void append_pattern(struct buf *out, const struct host_pattern *pattern)
{
	CLEANUP(freep) char *text = host_pattern_text(pattern);

	buf_appendf(out, "\"%s\", ", text);
}

char *egress_refusal_hint(const struct egress *egress, const struct host_target *target)
{
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	bool is_web = target->port == 80 || target->port == 443;
	struct host_pattern wanted = {target->host, is_web ? 0 : target->port, false};

	if (egress->hosts.count > MAX_SHOWN) {
		append_pattern(&list, &wanted);
		buf_set_len(&list, list.len - 2);
		return xasprintf("ask the owner to add %s to network.hosts of this group: "
				 "nanoclaw group config %s network.hosts",
			list.data, egress->group);
	}
	for (size_t i = 0; i < egress->hosts.count; i++)
		append_pattern(&list, &egress->hosts.list[i]);
	append_pattern(&list, &wanted);
	buf_set_len(&list, list.len - 2);
	return xasprintf("ask the owner to run: nanoclaw group config %s network.hosts '[%s]'",
		egress->group, list.data);
}
