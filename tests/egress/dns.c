/* The DNS of the test's internet: what names.h says, over UDP. */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "names.h"

#define TYPE_A     1
#define TYPE_CNAME 5
#define TYPE_AAAA  28

#define MAX_REBOUND 256
#define MAX_HELD    64

/* Questions that wait for release.t.example. */
struct held {
	uint8_t packet[512];
	size_t len;
	struct sockaddr_storage from;
	socklen_t from_len;
};

static struct held held[MAX_HELD];
static size_t held_count;

/* Names of the rebind zone that were asked for already. */
static char rebound[MAX_REBOUND][256];
static size_t rebound_count;

static bool was_asked(const char *name)
{
	for (size_t i = 0; i < rebound_count; i++)
		if (!strcasecmp(rebound[i], name))
			return true;
	if (rebound_count < MAX_REBOUND)
		snprintf(rebound[rebound_count++], sizeof(rebound[0]), "%s", name);
	return false;
}

static void put16(struct buf *out, unsigned number)
{
	buf_append_char(out, (char)(number >> 8));
	buf_append_char(out, (char)number);
}

static void put_name(struct buf *out, const char *name)
{
	while (*name) {
		size_t len = strcspn(name, ".");

		buf_append_char(out, (char)len);
		buf_append(out, name, len);
		name += len + (name[len] == '.');
	}
	buf_append_char(out, '\0');
}

static void put_record(
	struct buf *out, const char *name, unsigned type, const void *data, size_t len)
{
	put_name(out, name);
	put16(out, type);
	put16(out, 1);
	put16(out, 0);
	put16(out, 0); /* good for no time at all */
	put16(out, (unsigned)len);
	buf_append(out, data, len);
}

static unsigned put_address(struct buf *out, const char *name, unsigned type, const char *text)
{
	char bytes[16];
	int family = type == TYPE_A ? AF_INET : AF_INET6;

	if (inet_pton(family, text, bytes) != 1)
		return 0;
	put_record(out, name, type, bytes, type == TYPE_A ? 4 : 16);
	return 1;
}

static unsigned put_alias(struct buf *out, const char *name, const char *alias)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;

	put_name(&data, alias);
	put_record(out, name, TYPE_CNAME, data.data, data.len);
	return 1;
}

static const struct dns_name *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(dns_names); i++)
		if (!strcasecmp(dns_names[i].name, name))
			return &dns_names[i];
	return NULL;
}

/* -1: there is no such name. */
static int put_answers(struct buf *out, const char *name, unsigned type)
{
	size_t len = strlen(name);
	size_t zone = strlen(REBIND_ZONE);
	const struct dns_name *found = find(name);
	unsigned count = 0;

	if (len > zone && !strcasecmp(name + len - zone, REBIND_ZONE))
		return type != TYPE_A ? 0
				      : (int)put_address(out, name, type,
						was_asked(name) ? "10.0.0.1" : PUBLIC_V4);
	if (!found)
		return -1;
	while (found && found->alias) {
		count += put_alias(out, found->name, found->alias);
		found = find(found->alias);
	}
	for (size_t i = 0; found && found->addresses[i]; i++)
		if (type == TYPE_A || type == TYPE_AAAA)
			count += put_address(out, found->name, type, found->addresses[i]);
	return (int)count;
}

/* The name of the question, with dots; its length in the packet. */
static size_t read_name(const uint8_t *packet, size_t len, char *ret_name, size_t size)
{
	size_t at = 12;
	size_t used = 0;

	while (at < len && packet[at]) {
		size_t part = packet[at];

		if (at + part + 1 >= len || used + part + 2 >= size)
			return 0;
		if (used)
			ret_name[used++] = '.';
		memcpy(ret_name + used, packet + at + 1, part);
		used += part;
		at += part + 1;
	}
	ret_name[used] = '\0';
	return at + 1 - 12;
}

static void answer(
	const uint8_t *packet, size_t len, size_t name_len, const char *name, struct buf *out)
{
	CLEANUP(buf_release) struct buf answers = BUF_INIT;
	int count;

	if (!name_len || 12 + name_len + 4 > len || !strncasecmp(name, "silent.", 7))
		return;
	count = put_answers(
		&answers, name, (unsigned)(packet[12 + name_len] << 8 | packet[13 + name_len]));
	buf_append(out, packet, 2);
	put16(out, 0x8580U | (count < 0 ? 3U : 0U));
	put16(out, 1);
	put16(out, count < 0 ? 0 : (unsigned)count);
	put16(out, 0);
	put16(out, 0);
	buf_append(out, packet + 12, name_len + 4);
	buf_append(out, answers.data, answers.len);
}

static void reply(int fd, const struct held *question)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	char name[256] = "";
	size_t name_len = question->len > 16 ? read_name(question->packet, question->len, name,
						       sizeof(name))
					     : 0;

	answer(question->packet, question->len, name_len, name, &out);
	if (out.len)
		sendto(fd, out.data, out.len, 0, (const struct sockaddr *)&question->from,
			question->from_len);
}

static bool is_held(const struct held *question, int fd)
{
	char name[256] = "";

	if (question->len > 16)
		read_name(question->packet, question->len, name, sizeof(name));
	if (!strncasecmp(name, "held.", 5) && held_count < MAX_HELD) {
		held[held_count++] = *question;
		return true;
	}
	if (!strcasecmp(name, "release.t.example"))
		while (held_count)
			reply(fd, &held[--held_count]);
	return false;
}

void dns_serve(int fd, struct internet_facts *facts)
{
	for (;;) {
		struct held question = {.from_len = sizeof(question.from)};
		ssize_t len = recvfrom(fd, question.packet, sizeof(question.packet), 0,
			(struct sockaddr *)&question.from, &question.from_len);

		if (len <= 0)
			continue;
		question.len = (size_t)len;
		if (!is_held(&question, fd))
			reply(fd, &question);
		facts->lookups++;
		facts->held = (unsigned)held_count;
	}
}
