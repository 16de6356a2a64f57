/*
 * A gate between agents and an API that is played on loopback: what goes through, how, and
 * what does not.
 *
 *	gate RELAY [MEGABYTES]		nanoclaw-relay; how large the largest answer is
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "base/view.h"
#include "place.h"
#include "relay.h"
#include "upstream.h"

#define STREAMS 100
#define EVENTS  200

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* How much memory a gate may need beyond its memory at the start. */
#define MEMORY_KIB 24000

static const char *relay_program;
static uint64_t megabytes = 64;
static struct upstream_server server;
static struct place place;

/* --- beginning and end ------------------------------------------------------- */

static void begin_with(struct place_options options)
{
	CLEANUP(freep) char *url = NULL;

	upstream_server_start(&server);
	if (!options.url)
		options.url = url = xasprintf("http://127.0.0.1:%u", server.port);
	place_start(&place, &options);
	place_env(&place, "ANTHROPIC_API_KEY=real-key\n");
}

static void begin(void)
{
	begin_with((struct place_options){0});
}

static bool end(void)
{
	bool ok = place_stop(&place);

	upstream_server_stop(&server);
	if (!ok)
		printf("# the gate did not end well\n");
	return ok;
}

static bool has(const struct buf *text, const char *part)
{
	bool ok = strstr(text->data, part) != NULL;

	if (!ok)
		printf("# there is no '%s' in '%.300s'\n", part, text->data);
	return ok;
}

static bool lacks(const struct buf *text, const char *part)
{
	bool ok = strcasestr(text->data, part) == NULL;

	if (!ok)
		printf("# there is a '%s' in '%.300s'\n", part, text->data);
	return ok;
}

static bool is(const struct reply *reply, int status, const char *body)
{
	bool ok = reply->status == status && reply->whole &&
		  (!body || !strcmp(reply->body.data, body));

	if (!ok)
		printf("# %d %s: '%.300s'\n", reply->status, reply->whole ? "whole" : "broken",
			reply->body.data);
	return ok;
}

/* --- credentials ------------------------------------------------------------- */

#define MINE                                                                                   \
	"X-Api-Key: mine\r\nAUTHORIZATION: Bearer mine\r\nProxy-Authorization: mine\r\n"       \
	"Cookie: mine\r\nx_api_key: mine\r\nConnection: X-Hop\r\nX-Hop: mine\r\nTE: mine\r\n"  \
	"Upgrade: mine\r\nKeep-Alive: mine\r\nAccept-Encoding: gzip\r\n"                       \
	"X-HTTP-Method-Override: mine\r\nX-Original-URL: /mine\r\nX-Forwarded-Host: mine\r\n"  \
	"Forwarded: host=mine\r\n"

static bool the_key_takes_the_place_of_what_the_agent_sent(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin();
	place_once(&place,
		"GET /echo?a=%20b HTTP/1.1\r\nHost: elsewhere\r\n" MINE "X-Own: 1\r\n\r\n",
		&reply);
	ok = is(&reply, 200, NULL) && has(&reply.body, "GET /echo?a=%20b HTTP/1.1\r\n") &&
	     has(&reply.body, "\r\nx-api-key: REAL-KEY\r\n") &&
	     has(&reply.body, "\r\nX-Own: 1\r\n") && has(&reply.body, "\r\nHost: 127.0.0.1:") &&
	     has(&reply.body, "\r\nAccept-Encoding: identity\r\n") &&
	     lacks(&reply.body, "mine") && lacks(&reply.body, "elsewhere") &&
	     lacks(&reply.body, "gzip") && lacks(&reply.head, "real-key");
	return end() && ok;
}

static bool an_oauth_token_comes_with_the_header_that_it_needs(void)
{
	CLEANUP(reply_release) struct reply without;
	CLEANUP(reply_release) struct reply with;
	bool ok;

	begin();
	place_env(&place, "CLAUDE_CODE_OAUTH_TOKEN=real-token\n");
	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\nanthropic-beta: a\r\n" MINE "\r\n",
		&without);
	place_once(&place,
		"GET /echo HTTP/1.1\r\nHost: h\r\n"
		"Anthropic-Beta: a, oauth-2025-04-20\r\n\r\n",
		&with);
	ok = has(&without.body, "\r\nauthorization: Bearer REAL-TOKEN\r\n") &&
	     has(&without.body, "\r\nanthropic-beta: a\r\n") &&
	     has(&without.body, "\r\nanthropic-beta: oauth-2025-04-20\r\n") &&
	     lacks(&without.body, "x-api-key") && lacks(&without.body, "mine") &&
	     has(&with.body, "\r\nauthorization: Bearer REAL-TOKEN\r\n") &&
	     lacks(&with.body, "anthropic-beta: oauth");
	return end() && ok;
}

static bool key_is(const char *line)
{
	CLEANUP(reply_release) struct reply reply;

	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	return is(&reply, 200, NULL) && has(&reply.body, line);
}

static bool a_key_that_was_changed_is_used_by_the_next_request(void)
{
	bool ok;

	begin();
	ok = key_is("\r\nx-api-key: REAL-KEY\r\n");
	place_env(&place, "ANTHROPIC_API_KEY=next-key\n");
	ok = ok && key_is("\r\nx-api-key: NEXT-KEY\r\n");
	place_env(&place, "ANTHROPIC_API_KEY=last-key\n");
	ok = ok && key_is("\r\nx-api-key: LAST-KEY\r\n");
	place_env(&place, "ANTHROPIC_AUTH_TOKEN='token'\n");
	ok = ok && key_is("\r\nauthorization: Bearer TOKEN\r\n");
	return end() && ok;
}

static bool without_a_key_it_says_so_where_one_is_needed(void)
{
	CLEANUP(reply_release) struct reply needed;
	CLEANUP(reply_release) struct reply unneeded;
	bool ok;

	begin_with((struct place_options){.needs_key = true});
	place_env(&place, NULL);
	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", &needed);
	ok = is(&needed, 401, NULL) && has(&needed.body, "ANTHROPIC_API_KEY=... into '.env'") &&
	     has(&needed.body, "\"type\":\"authentication_error\"") &&
	     server.counts->requests == 0;
	ok = end() && ok;
	begin();
	place_env(&place, NULL);
	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n" MINE "\r\n", &unneeded);
	ok = ok && is(&unneeded, 200, NULL) && lacks(&unneeded.body, "x-api-key") &&
	     lacks(&unneeded.body, "mine");
	return end() && ok;
}

static bool an_env_that_others_write_is_not_used(void)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(reply_release) struct reply open;
	bool ok;

	begin();
	ok = key_is("REAL-KEY");
	path = place_path(&place, ".env");
	chmod(path, 0622);
	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", &open);
	ok = ok && is(&open, 401, NULL) && has(&open.body, "everybody may write it") &&
	     lacks(&open.body, "real-key");
	chmod(path, 0600);
	ok = ok && key_is("REAL-KEY");
	return end() && ok;
}

static bool an_answer_does_not_bring_the_key_back(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin();
	place_once(&place, "GET /keyback HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	ok = is(&reply, 200, "") && has(&reply.head, "X-Other: 1") &&
	     lacks(&reply.head, "real-key") && lacks(&reply.head, "cookie");
	return end() && ok;
}

/* Also in its body, and in whatever pieces that comes. */
static bool nor_does_its_body(void)
{
	bool ok = true;

	begin();
	for (unsigned piece = 1; piece <= 20; piece++) {
		CLEANUP(reply_release) struct reply reply;
		CLEANUP(freep)
		char *request = xasprintf("GET /mirror/%u HTTP/1.1\r\nHost: h\r\n"
					  "X-Near: rreal-kereal-kerea\r\n\r\n",
			piece);

		place_once(&place, request, &reply);
		ok = is(&reply, 200, NULL) && lacks(&reply.body, "real-key") &&
		     has(&reply.body, "\r\nx-api-key: ********\r\n") &&
		     has(&reply.body, "\r\nX-Near: rreal-kereal-kerea\r\n") && ok;
	}
	place_env(&place, "CLAUDE_CODE_OAUTH_TOKEN=real-token\n");
	for (unsigned piece = 1; piece <= 20; piece++) {
		CLEANUP(reply_release) struct reply reply;
		CLEANUP(freep)
		char *request = xasprintf("GET /mirror/%u HTTP/1.1\r\nHost: h\r\n\r\n", piece);

		place_once(&place, request, &reply);
		ok = is(&reply, 200, NULL) && lacks(&reply.body, "real-token") &&
		     has(&reply.body, "\r\nauthorization: Bearer **********\r\n") && ok;
	}
	return end() && ok;
}

/* The gate asks for plain text; a server that compresses anyway hides nothing that way. */
static bool nor_does_a_compressed_body(void)
{
	CLEANUP(reply_release) struct reply packed;
	CLEANUP(reply_release) struct reply unknown;
	bool ok;

	begin();
	place_once(&place,
		"GET /packed/gzip HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n",
		&packed);
	place_once(&place, "GET /packed/own HTTP/1.1\r\nHost: h\r\n\r\n", &unknown);
	ok = is(&packed, 200, NULL) && lacks(&packed.head, "gzip") &&
	     has(&packed.body, "\r\nx-api-key: ********\r\n") &&
	     has(&packed.body, "ccept-Encoding: identity\r\n") &&
	     lacks(&packed.body, "Accept-Encoding: gzip") && !unknown.body.len;
	return end() && ok;
}

/* --- requests ---------------------------------------------------------------- */

static bool a_connection_is_used_again_on_both_sides(void)
{
	bool ok = true;
	int fd;

	begin();
	fd = place_connect(&place);
	for (int i = 0; ok && i < 20; i++) {
		CLEANUP(reply_release) struct reply reply;

		place_ask(
			fd, "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody");
		place_read(fd, false, &reply);
		ok = is(&reply, 200, NULL) && view_ends_with(view_of_buf(&reply.body), "body");
	}
	close(fd);
	ok = ok && server.counts->requests == 20 && server.counts->connections == 1;
	return end() && ok;
}

static bool requests_in_advance_are_answered_in_turn(void)
{
	CLEANUP(reply_release) struct reply first;
	CLEANUP(reply_release) struct reply second;
	CLEANUP(reply_release) struct reply third;
	bool ok;
	int fd;

	begin();
	fd = place_connect(&place);
	place_ask(fd, "POST /echo?1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
		      "3\r\nabc\r\n0\r\n\r\nHEAD /echo?2 HTTP/1.1\r\nHost: h\r\n\r\n"
		      "GET /echo?3 HTTP/1.1\r\nHost: h\r\n\r\n");
	place_read(fd, false, &first);
	place_read(fd, true, &second);
	place_read(fd, false, &third);
	ok = is(&first, 200, NULL) && has(&first.body, "POST /echo?1 ") &&
	     view_ends_with(view_of_buf(&first.body), "\r\n\r\nabc") && is(&second, 200, "") &&
	     has(&second.head, "content-length: ") && is(&third, 200, NULL) &&
	     has(&third.body, "GET /echo?3 ");
	close(fd);
	return end() && ok;
}

/* A megabyte in odd pieces. */
static bool a_body_in_chunks_arrives_as_it_was(void)
{
	CLEANUP(reply_release) struct reply reply;
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	CLEANUP(buf_release) struct buf sent = BUF_INIT;
	bool ok;

	begin();
	buf_append_str(
		&sent, "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (unsigned i = 0; body.len < 1000000; i++) {
		size_t len = 1 + i * 7919 % 3000;

		buf_appendf(&sent, "%zX\r\n", len);
		for (size_t k = 0; k < len; k++) {
			buf_append_char(&body, (char)('a' + (i + k) % 26));
			buf_append_char(&sent, (char)('a' + (i + k) % 26));
		}
		buf_append_str(&sent, "\r\n");
	}
	buf_append_str(&sent, "0\r\nX-Trailer: 1\r\n\r\n");
	place_once(&place, sent.data, &reply);
	ok = is(&reply, 200, NULL) && view_ends_with(view_of_buf(&reply.body), body.data) &&
	     lacks(&reply.body, "x-trailer");
	return end() && ok;
}

static bool a_body_that_is_held_back_is_asked_for(void)
{
	CLEANUP(reply_release) struct reply interim;
	CLEANUP(reply_release) struct reply reply;
	bool ok;
	int fd;

	begin();
	fd = place_connect(&place);
	place_ask(fd, "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
		      "Content-Length: 4\r\n\r\n");
	place_read(fd, false, &interim);
	place_ask(fd, "late");
	place_read(fd, false, &reply);
	ok = interim.status == 100 && is(&reply, 200, NULL) &&
	     view_ends_with(view_of_buf(&reply.body), "late") && lacks(&reply.body, "expect");
	close(fd);
	return end() && ok;
}

static const struct {
	const char *text;
	int status;
} wrong[] = {
	{"GET / HTTP/1.1\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		400},
	{"GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505},
	{"GET / HTTP/1.0\r\nHost: h\r\n\r\n", 505},
	{"TRACE /echo HTTP/1.1\r\nHost: h\r\n\r\n", 400},
	{"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 400},
	{"GET /../etc HTTP/1.1\r\nHost: h\r\n\r\n", 403},
	{"GET http://example.com/ HTTP/1.1\r\nHost: h\r\n\r\n", 403},
	{"CONNECT example.com:443 HTTP/1.1\r\nHost: h\r\n\r\n", 403},
	{"POST / HTTP/1.1\r\nHost: h\r\nExpect: money\r\n\r\n", 417},
	{"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 67108865\r\n\r\n", 413},
	{"POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4000001\r\n",
		413},
	{"POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;x\r\na\r\n",
		400},
	{"POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab", 400},
	{"nonsense\n\n", 400},
};

static bool what_is_wrong_is_told_in_the_form_of_the_api(void)
{
	bool ok = true;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(reply_release) struct reply reply;

		place_once(&place, wrong[i].text, &reply);
		if (!is(&reply, wrong[i].status, NULL) ||
			!has(&reply.body, "\"type\":\"error\"") ||
			!has(&reply.head, "connection: close")) {
			printf("# %s\n", wrong[i].text);
			ok = false;
		}
	}
	ok = ok && place.counts->refused == (int)ARRAY_SIZE(wrong);
	return end() && ok;
}

static bool where_no_money_is_left_nothing_is_asked(void)
{
	CLEANUP(reply_release) struct reply post;
	CLEANUP(reply_release) struct reply get;
	bool ok;

	begin();
	place.counts->broke = true;
	place_once(
		&place, "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", &post);
	ok = is(&post, 403, NULL) && has(&post.body, "no money is left for today") &&
	     server.counts->requests == 0;
	place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", &get);
	ok = ok && is(&get, 200, NULL);
	return end() && ok;
}

static bool an_early_answer_reaches_an_agent_that_still_sends(void)
{
	CLEANUP(freep) char *body = xmalloc(1000001);
	CLEANUP(freep) char *text = NULL;
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin();
	memset(body, 'x', 1000000);
	body[1000000] = '\0';
	text = xasprintf(
		"POST /early HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n%s", body);
	place_once(&place, text, &reply);
	ok = is(&reply, 413, "big");
	return end() && ok;
}

/* --- answers ----------------------------------------------------------------- */

static bool a_redirect_is_the_agents_to_follow(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin();
	place_once(&place, "GET /status/307 HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	ok = is(&reply, 307, "") && has(&reply.head, "Location: http://other.example/x\r\n") &&
	     server.counts->requests == 1;
	return end() && ok;
}

static bool answers_without_a_body_have_none(void)
{
	static const int statuses[] = {204, 304, 401, 529};
	bool ok = true;
	int fd;

	begin();
	fd = place_connect(&place);
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		CLEANUP(freep)
		char *text =
			xasprintf("GET /status/%d HTTP/1.1\r\nHost: h\r\n\r\n", statuses[i]);
		CLEANUP(reply_release) struct reply reply;

		place_ask(fd, text);
		place_read(fd, false, &reply);
		ok = ok && is(&reply, statuses[i], "");
	}
	close(fd);
	return end() && ok;
}

static bool what_announces_an_answer_is_passed_over(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin();
	place_once(&place, "GET /hints HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	ok = is(&reply, 200, "here") && lacks(&reply.head, "hint");
	return end() && ok;
}

static bool a_first_event_does_not_wait_for_the_second(void)
{
	CLEANUP(reply_release) struct reply reply;
	CLEANUP(freep) char *first = xmalloc(UPSTREAM_EVENT_MAX);
	CLEANUP(buf_release) struct buf got = BUF_INIT;
	char byte;
	bool ok;
	int fd;

	begin();
	upstream_event(first, 1, 0);
	fd = place_connect(&place);
	place_ask(fd, "GET /hold HTTP/1.1\r\nHost: h\r\n\r\n");
	place_read_head(fd, &reply);
	while (!strstr(got.data, first) && read(fd, &byte, 1) == 1)
		buf_append_char(&got, byte);
	ok = reply.status == 200 && has(&got, first);
	upstream_server_go(&server);
	while (read(fd, &byte, 1) == 1) {
		buf_append_char(&got, byte);
		if (view_ends_with(view_of_buf(&got), "\r\n0\r\n\r\n"))
			break;
	}
	ok = ok && view_ends_with(view_of_buf(&got), "\r\n0\r\n\r\n");
	close(fd);
	return end() && ok;
}

/* Never as a well-formed end. */
static bool an_answer_that_breaks_off_is_broken_off(void)
{
	CLEANUP(freep) char *event = xmalloc(UPSTREAM_EVENT_MAX);
	CLEANUP(reply_release) struct reply stream;
	CLEANUP(reply_release) struct reply half;
	CLEANUP(reply_release) struct reply whole;
	bool ok;

	begin();
	upstream_event(event, 1, 2);
	place_once(&place, "GET /die/3 HTTP/1.1\r\nHost: h\r\n\r\n", &stream);
	place_once(&place, "GET /short HTTP/1.1\r\nHost: h\r\n\r\n", &half);
	place_once(&place, "GET /closed HTTP/1.1\r\nHost: h\r\n\r\n", &whole);
	ok = stream.status == 200 && !stream.whole && has(&stream.body, event) &&
	     half.status == 200 && !half.whole && is(&whole, 200, "whole") &&
	     place.counts->failed == 2 && !strcmp(place.counts->what, "127.0.0.1");
	return end() && ok;
}

static bool an_api_that_cannot_be_used_is_a_bad_gateway(void)
{
	CLEANUP(reply_release) struct reply refused;
	CLEANUP(freep) char *closed = xasprintf("http://127.0.0.1:%u/", relay_closed_port());
	bool ok = true;

	begin();
	for (unsigned i = 0; i < 7; i++) {
		CLEANUP(freep)
		char *text = xasprintf("GET /odd/%u HTTP/1.1\r\nHost: h\r\n\r\n", i);
		CLEANUP(reply_release) struct reply reply;

		place_once(&place, text, &reply);
		if (reply.status != 502)
			printf("# odd answer %u\n", i);
		ok = ok && is(&reply, 502, NULL);
	}
	ok = end() && ok;
	begin_with((struct place_options){.url = closed});
	place_once(
		&place, "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", &refused);
	ok = ok && is(&refused, 502, NULL) && has(&refused.body, "'127.0.0.1'") &&
	     has(&refused.body, "\"type\":\"api_error\"") && lacks(&refused.body, "real-key") &&
	     place.counts->failed == 1 && !strstr(place.counts->why, "real-key");
	return end() && ok;
}

static bool of_an_account_agents_reach_the_models_alone(void)
{
	CLEANUP(reply_release) struct reply files;
	CLEANUP(reply_release) struct reply batches;
	CLEANUP(reply_release) struct reply messages;
	CLEANUP(freep) char *nowhere = xasprintf("http://127.0.0.1:%u", relay_closed_port());
	bool ok;

	setenv("http_proxy", nowhere, 1);
	begin_with((struct place_options){.url = "http://api.anthropic.com"});
	unsetenv("http_proxy");
	place_once(&place, "GET /v1/files HTTP/1.1\r\nHost: h\r\n\r\n", &files);
	place_once(&place,
		"POST /v1/messages/batches HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
		&batches);
	ok = is(&files, 403, NULL) && is(&batches, 403, NULL) &&
	     has(&files.body, "messages and models") && place.counts->refused == 2;
	place_once(&place, "POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
		&messages);
	ok = ok && is(&messages, 502, NULL);
	return end() && ok;
}

/* libcurl repeats what it cannot use. */
static bool the_password_of_a_proxy_is_told_to_nobody(void)
{
	CLEANUP(freep)
	char *closed = xasprintf("http://user:s3cret@127.0.0.1:%u", relay_closed_port());
	const char *const proxies[] = {
		"odd://user:s3cret@127.0.0.1:1",
		"http://user:s3cret@127.0.0.1:99999",
		"http://user:s3cret@not a host:1",
		"user:s3cret@not a host:1",
		closed,
	};
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(proxies); i++) {
		CLEANUP(reply_release) struct reply reply;

		setenv("http_proxy", proxies[i], 1);
		begin_with((struct place_options){.url = "http://api.example"});
		unsetenv("http_proxy");
		place_once(&place, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
		ok = is(&reply, 502, NULL) && lacks(&reply.body, "s3cret") &&
		     place.counts->failed == 1 && !strstr(place.counts->why, "s3cret") && ok;
		ok = end() && ok;
	}
	return ok;
}

static bool an_api_that_falls_silent_is_not_waited_for(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin_with((struct place_options){.idle_ms = 1000});
	place_once(&place, "GET /silent HTTP/1.1\r\nHost: h\r\n\r\n", &reply);
	ok = is(&reply, 502, NULL) && has(&reply.body, "said nothing for 1 seconds");
	return end() && ok;
}

static bool the_api_is_let_go_when_the_agent_hangs_up(void)
{
	static const char *const paths[] = {"silent", "big/1000000000"};
	bool ok = true;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		CLEANUP(freep)
		char *text = xasprintf("GET /%s HTTP/1.1\r\nHost: h\r\n\r\n", paths[i]);
		int fd = place_connect(&place);

		place_ask(fd, text);
		upstream_server_wait(&server, UPSTREAM_ASKED);
		if (i == 1)
			upstream_server_wait(&server, UPSTREAM_STUCK);
		close(fd);
		upstream_server_wait(&server, UPSTREAM_CLOSED);
	}
	ok = server.counts->open == 0;
	return end() && ok;
}

/* --- much -------------------------------------------------------------------- */

/* Reads and compares all of a big answer. */
static bool reads_big(int fd, uint64_t total)
{
	static char piece[65536];
	uint64_t at = 0;

	while (at < total) {
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got <= 0)
			return false;
		for (ssize_t i = 0; i < got; i++, at++)
			if ((unsigned char)piece[i] != upstream_byte(at)) {
				printf("# byte %llu is wrong\n", (unsigned long long)at);
				return false;
			}
	}
	return true;
}

static bool memory_is_bounded(long before)
{
	long more = place_memory(&place) - before;

	printf("# it took %ld KiB more\n", more);
	return SANITIZED || more < MEMORY_KIB;
}

static bool a_slow_reader_holds_up_the_api_and_not_memory(void)
{
	uint64_t total = megabytes * 1024 * 1024;
	CLEANUP(freep)
	char *text = xasprintf(
		"GET /big/%llu HTTP/1.1\r\nHost: h\r\n\r\n", (unsigned long long)total);
	CLEANUP(reply_release) struct reply reply;
	long before;
	bool ok;
	int fd;

	begin();
	ok = key_is("REAL-KEY"); /* libcurl is loaded then */
	before = place_memory(&place);
	fd = place_connect(&place);
	place_ask(fd, text);
	place_read_head(fd, &reply);
	upstream_server_wait(&server, UPSTREAM_STUCK);
	ok = ok && memory_is_bounded(before) && reads_big(fd, total) &&
	     memory_is_bounded(before);
	close(fd);
	return end() && ok;
}

static bool an_upload_is_not_stored_either(void)
{
	static char piece[65536];
	struct pollfd p;
	size_t sent = 0;
	long before;
	bool ok;

	begin();
	ok = key_is("REAL-KEY");
	before = place_memory(&place);
	p = (struct pollfd){.fd = place_connect(&place), .events = POLLOUT};
	place_ask(p.fd, "POST /silent HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n");
	while (sent < 60000000 && poll(&p, 1, -1) == 1) {
		size_t len = 60000000 - sent < sizeof(piece) ? 60000000 - sent : sizeof(piece);
		ssize_t done = send(p.fd, piece, len, MSG_NOSIGNAL);

		if (done < 0)
			break;
		sent += (size_t)done;
	}
	ok = ok && sent == 60000000 && memory_is_bounded(before);
	close(p.fd);
	return end() && ok;
}

struct stream {
	pthread_t thread;
	unsigned id;
	unsigned port;
	bool ok;
};

static void *read_stream(void *data)
{
	struct stream *stream = data;
	CLEANUP(freep)
	char *text =
		xasprintf("GET /sse/%u/%u HTTP/1.1\r\nHost: h\r\n\r\n", stream->id, EVENTS);
	CLEANUP(buf_release) struct buf wanted = BUF_INIT;
	CLEANUP(reply_release) struct reply reply;
	int fd = relay_connect(stream->port);

	for (unsigned i = 0; i < EVENTS; i++) {
		char event[UPSTREAM_EVENT_MAX];

		buf_append(&wanted, event, (size_t)upstream_event(event, stream->id, i));
	}
	place_ask(fd, text);
	place_read(fd, false, &reply);
	stream->ok = is(&reply, 200, wanted.data);
	close(fd);
	return NULL;
}

static bool many_streams_at_once_are_each_as_they_were(void)
{
	static struct stream streams[STREAMS];
	CLEANUP(freep) char *path = NULL;
	struct relay relay;
	bool ok = true;

	begin();
	path = place_path(&place, "gate.sock");
	relay_start(&relay, relay_program, path);
	for (unsigned i = 0; i < STREAMS; i++) {
		streams[i] = (struct stream){.id = i, .port = relay.port};
		if (pthread_create(&streams[i].thread, NULL, read_stream, &streams[i]))
			abort();
	}
	for (unsigned i = 0; i < STREAMS; i++) {
		pthread_join(streams[i].thread, NULL);
		ok = ok && streams[i].ok;
	}
	relay_stop(&relay);
	return end() && ok;
}

/* Does the relay come to rest before it has used a second of the processor? */
static bool relay_rests(void)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/stat", (int)relay_pid());
	unsigned long user = 0, system = 0;
	char state = 'R';

	while (state != 'S' && user + system < (unsigned long)sysconf(_SC_CLK_TCK)) {
		FILE *file = fopen(path, "re");

		if (!file ||
			fscanf(file,
				"%*d (nanoclaw-relay) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u "
				"%*u %lu %lu",
				&state, &user, &system) != 3)
			abort();
		fclose(file);
	}
	return state == 'S';
}

static bool a_relay_rests_after_the_host_has_closed(void)
{
	static const char bytes[64 * 1024];
	CLEANUP(freep) char *path = NULL;
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int host, slow, idle;
	struct relay relay;
	bool ok;

	begin();
	path = place_path(&place, "host.sock");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 2))
		abort();
	relay_start(&relay, relay_program, path);
	/* The program reads nothing of a long answer. */
	slow = relay_connect(relay.port);
	host = accept(listener, NULL, NULL);
	do {
		while (send(host, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
			;
		ok = relay_rests();
	} while (ok && send(host, bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
	close(host);
	ok = ok && relay_rests();
	close(slow);
	/* And it keeps a connection that the host has ended. */
	idle = relay_connect(relay.port);
	close(accept(listener, NULL, NULL));
	ok = ok && relay_rests();
	close(idle);
	close(listener);
	relay_stop(&relay);
	return end() && ok;
}

/* --- all of them ------------------------------------------------------------- */

#define CLAIM(function)                                                                        \
	{                                                                                      \
		function, #function                                                            \
	}

static const struct {
	bool (*function)(void);
	const char *name;
} claims[] = {
	CLAIM(the_key_takes_the_place_of_what_the_agent_sent),
	CLAIM(an_oauth_token_comes_with_the_header_that_it_needs),
	CLAIM(a_key_that_was_changed_is_used_by_the_next_request),
	CLAIM(without_a_key_it_says_so_where_one_is_needed),
	CLAIM(an_env_that_others_write_is_not_used),
	CLAIM(an_answer_does_not_bring_the_key_back),
	CLAIM(nor_does_its_body),
	CLAIM(nor_does_a_compressed_body),
	CLAIM(a_connection_is_used_again_on_both_sides),
	CLAIM(requests_in_advance_are_answered_in_turn),
	CLAIM(a_body_in_chunks_arrives_as_it_was),
	CLAIM(a_body_that_is_held_back_is_asked_for),
	CLAIM(what_is_wrong_is_told_in_the_form_of_the_api),
	CLAIM(where_no_money_is_left_nothing_is_asked),
	CLAIM(an_early_answer_reaches_an_agent_that_still_sends),
	CLAIM(a_redirect_is_the_agents_to_follow),
	CLAIM(answers_without_a_body_have_none),
	CLAIM(what_announces_an_answer_is_passed_over),
	CLAIM(a_first_event_does_not_wait_for_the_second),
	CLAIM(an_answer_that_breaks_off_is_broken_off),
	CLAIM(an_api_that_cannot_be_used_is_a_bad_gateway),
	CLAIM(of_an_account_agents_reach_the_models_alone),
	CLAIM(the_password_of_a_proxy_is_told_to_nobody),
	CLAIM(an_api_that_falls_silent_is_not_waited_for),
	CLAIM(the_api_is_let_go_when_the_agent_hangs_up),
	CLAIM(an_upload_is_not_stored_either),
	CLAIM(many_streams_at_once_are_each_as_they_were),
	CLAIM(a_slow_reader_holds_up_the_api_and_not_memory),
	CLAIM(a_relay_rests_after_the_host_has_closed),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc < 2)
		return 2;
	relay_program = argv[1];
	if (argc > 2)
		megabytes = strtoull(argv[2], NULL, 10);
	/* Loopback is not reached through a proxy of this machine. */
	setenv("no_proxy", "127.0.0.1,localhost", 1);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		CLEANUP(freep) char *name = xstrdup(claims[i].name);

		for (char *c = name; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		tap_result(&tap, claims[i].function(), name);
	}
	return tap_end(&tap);
}
