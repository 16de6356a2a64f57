/* Checks what an agent asks for, looks the name up, and connects: egress_serve(). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "egress/internal.h"
#include "net/address.h"

/* The longest target to show, if it is not a host name. */
#define MAX_SHOWN ((size_t)100)

/* Those of all agents. */
static struct egress *all_egress;

/*
 * The groups of the look-ups under way. They outlive their agents: a thread that waits for a
 * name server cannot be interrupted.
 */
static char *lookup_slots[EGRESS_LOOKUPS];

void egress_prepare(void)
{
	/* Of the threads in its pool, libuv uses half for look-ups. */
	CLEANUP(freep) char *threads = xasprintf("%d", 2 * EGRESS_LOOKUPS);

	setenv("UV_THREADPOOL_SIZE", threads, 1);
}

/* --- the end ----------------------------------------------------------------- */

static void connection_take_out(struct egress_connection *c)
{
	if (!c->egress)
		return;
	if (c->previous)
		c->previous->next = c->next;
	else
		c->egress->connections = c->next;
	if (c->next)
		c->next->previous = c->previous;
	c->egress->count--;
	c->egress = NULL;
}

void egress_user_done(struct egress_connection *c)
{
	if (--c->users)
		return;
	if (c->addresses)
		uv_freeaddrinfo(c->addresses);
	host_target_release(&c->target);
	buf_release(&c->head);
	buf_release(&c->up);
	free(c->what);
	free(c->down);
	free(c);
}

static void handle_closed(uv_handle_t *handle)
{
	egress_user_done(handle->data);
}

/*
 * Ends everything but the link. Operations under way call back, and the last one frees the
 * connection. A look-up cannot be cancelled and counts until it is done.
 */
static void connection_shut(struct egress_connection *c)
{
	bool looking = c->stage == EGRESS_LOOKING_UP;

	if (c->stage == EGRESS_CLOSING)
		return;
	c->stage = EGRESS_CLOSING;
	if (looking)
		uv_cancel((uv_req_t *)&c->lookup);
	else
		connection_take_out(c);
	if (c->server_is_open)
		uv_close((uv_handle_t *)&c->server, handle_closed);
	uv_close((uv_handle_t *)&c->timer, handle_closed);
}

static void link_gone(struct link *link, void *data)
{
	struct egress_connection *c = data;

	(void)link;
	c->link = NULL;
	connection_shut(c);
}

void egress_end(struct egress_connection *c)
{
	if (c->link)
		link_close(c->link);
}

void egress_break(struct egress_connection *c)
{
	if (c->link)
		link_break(c->link);
}

/* --- telling ----------------------------------------------------------------- */

static void egress_report(const struct egress *egress, enum egress_outcome outcome,
	const char *what, const char *why)
{
	if (egress->options.note && !egress->closing)
		egress->options.note(egress->options.data, outcome, what, why);
}

void egress_tell(
	const struct egress_connection *c, enum egress_outcome outcome, const char *format, ...)
{
	CLEANUP(buf_release) struct buf why = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&why, format, args);
	va_end(args);
	egress_report(c->egress, outcome, c->what, why.data);
}

/* The agent reads why, and the connection ends. */
static void link_answer(struct link *link, int status, const char *why, const char *hint)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	egress_refusal(&text, status, why, hint);
	link_send(link, &(struct view){text.data, text.len}, 1);
	link_close(link);
}

void egress_turn_away(struct egress_connection *c, int status, enum egress_outcome outcome,
	const char *why, const char *hint)
{
	egress_report(c->egress, outcome, c->what, why);
	if (c->is_answered)
		egress_break(c);
	else
		link_answer(c->link, status, why, hint);
}

/* --- the connection ---------------------------------------------------------- */

static void try_address(struct egress_connection *c);

static void closed_to_retry(uv_handle_t *handle)
{
	struct egress_connection *c = handle->data;

	if (c->stage == EGRESS_CONNECTING)
		try_address(c);
	egress_user_done(c);
}

static void tell_connected(struct egress_connection *c)
{
	char text[ADDRESS_TEXT_MAX];

	address_text(c->address->ai_addr, text);
	egress_tell(c, EGRESS_DONE, "at %s", text);
}

static void host_connected(uv_connect_t *request, int status)
{
	struct egress_connection *c = request->data;

	if (c->stage == EGRESS_CONNECTING && status >= 0) {
		tell_connected(c);
		egress_flow_begin(c);
	} else if (c->stage == EGRESS_CONNECTING) {
		c->address = c->address->ai_next;
		c->server_is_open = false;
		uv_close((uv_handle_t *)&c->server, closed_to_retry);
	}
	egress_user_done(c);
}

static void try_address(struct egress_connection *c)
{
	if (!c->address) {
		CLEANUP(freep) char *why = xasprintf("cannot connect to '%s'", c->what);

		egress_turn_away(c, 502, EGRESS_FAILED, why, NULL);
		return;
	}
	uv_tcp_init(c->egress->options.loop, &c->server);
	c->server.data = c;
	c->server_is_open = true;
	c->connect.data = c;
	c->users += 2;
	if (uv_tcp_connect(&c->connect, &c->server, c->address->ai_addr, host_connected) < 0) {
		c->users--;
		c->address = c->address->ai_next;
		c->server_is_open = false;
		uv_close((uv_handle_t *)&c->server, closed_to_retry);
	}
}

/* --- addresses --------------------------------------------------------------- */

/* Every address must be public. If not, answer the agent with the reason, and return false. */
static bool check_addresses(struct egress_connection *c)
{
	for (const struct addrinfo *a = c->address; a; a = a->ai_next) {
		const char *what = address_refused(a->ai_addr);
		char text[ADDRESS_TEXT_MAX];
		CLEANUP(freep) char *why = NULL;

		if (!what && address_is_own(a->ai_addr))
			what = "an address of this machine";
		if (!what)
			continue;
		address_text(a->ai_addr, text);
		why = xasprintf("'%s' leads to '%s', which is %s", c->what, text, what);
		egress_turn_away(c, 403, EGRESS_REFUSED, why,
			"only hosts of the public network can be reached");
		return false;
	}
	return true;
}

static void connection_reach(struct egress_connection *c)
{
	c->stage = EGRESS_CONNECTING;
	if (check_addresses(c))
		try_address(c);
}

static void look_up_next(void);

static void take_addresses(struct egress_connection *c)
{
	CLEANUP(freep) char *why = NULL;

	c->stage = EGRESS_CONNECTING;
	if (c->addresses) {
		c->address = c->addresses;
		connection_reach(c);
		return;
	}
	why = xasprintf("the name '%s' is not known", c->target.host);
	egress_turn_away(c, 502, EGRESS_FAILED, why, NULL);
}

static void looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *addresses)
{
	struct egress_connection *c = request->data;

	c->addresses = status < 0 ? NULL : addresses;
	free(*c->lookup_slot);
	*c->lookup_slot = NULL;
	if (c->stage == EGRESS_LOOKING_UP)
		take_addresses(c);
	else
		connection_take_out(c);
	look_up_next();
	egress_user_done(c);
}

/*
 * A slot for one more look-up of the group; NULL: it has to wait. The last half of the slots is
 * for groups that have none, so slow names of some groups do not hold up the others.
 */
static char **lookup_slot_for(const char *group)
{
	char **found = NULL;
	unsigned own = 0;
	unsigned used = 0;

	for (size_t i = 0; i < EGRESS_LOOKUPS; i++) {
		if (!lookup_slots[i]) {
			found = &lookup_slots[i];
			continue;
		}
		used++;
		own += !strcmp(lookup_slots[i], group);
	}
	return own >= EGRESS_GROUP_LOOKUPS || (own && used >= EGRESS_LOOKUPS / 2) ? NULL
										  : found;
}

static void look_up(struct egress_connection *c, char **slot)
{
	static const struct addrinfo hints = {
		.ai_flags = AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	};
	char port[8];

	snprintf(port, sizeof(port), "%u", c->target.port);
	c->lookup.data = c;
	if (uv_getaddrinfo(c->egress->options.loop, &c->lookup, looked_up, c->target.host, port,
		    &hints) < 0) {
		egress_break(c);
		return;
	}
	c->stage = EGRESS_LOOKING_UP;
	c->lookup_slot = slot;
	*slot = xstrdup(c->egress->group);
	c->users++;
}

/* Of each agent the oldest that waits; the list of connections has the newest first. */
static void look_up_next(void)
{
	for (struct egress *egress = all_egress; egress; egress = egress->next) {
		struct egress_connection *oldest = NULL;
		char **slot = lookup_slot_for(egress->group);

		for (struct egress_connection *c = egress->connections; c; c = c->next)
			if (c->stage == EGRESS_IN_LINE)
				oldest = c;
		if (oldest && slot)
			look_up(oldest, slot);
	}
}

/* An address was asked for: there is nothing to look up. */
static void take_address(struct egress_connection *c)
{
	if (!address_parse(c->target.host, c->target.port, &c->given)) {
		egress_break(c);
		return;
	}
	c->single = (struct addrinfo){.ai_addr = (struct sockaddr *)&c->given};
	c->address = &c->single;
	connection_reach(c);
}

static void took_too_long(uv_timer_t *timer)
{
	struct egress_connection *c = timer->data;
	CLEANUP(freep) char *why = xasprintf("'%s' does not answer", c->what);

	egress_turn_away(c, 504, EGRESS_FAILED, why, NULL);
}

/* --- requests ---------------------------------------------------------------- */

static void link_more(struct link *link, void *data)
{
	struct egress_connection *c = data;

	(void)link;
	if (c->stage == EGRESS_OPEN)
		egress_flow_more(c);
	else if (link_has_ended(link) && !link_input(link).len && c->is_tunnel)
		egress_break(c); /* the client has stopped waiting */
}

static void link_drained(struct link *link, void *data)
{
	(void)link;
	egress_flow_drained(data);
}

static const struct link_owner owner = {link_more, link_drained, link_gone};

static struct egress_connection *connection_add(
	struct egress *egress, struct link *link, struct host_target *target)
{
	struct egress_connection *c = xcalloc(1, sizeof(*c));

	c->egress = egress;
	c->link = link;
	c->target = *target;
	*target = HOST_TARGET_INIT;
	c->what = host_target_text(&c->target);
	c->head = c->up = BUF_INIT;
	c->next = egress->connections;
	if (c->next)
		c->next->previous = c;
	egress->connections = c;
	egress->count++;
	uv_timer_init(egress->options.loop, &c->timer);
	c->timer.data = c;
	c->users++;
	uv_timer_start(&c->timer, took_too_long, egress->options.reach_ms, 0);
	link_give_to(link, &owner, c);
	return c;
}

static bool check_list(struct egress_connection *c)
{
	CLEANUP(freep) char *hint = NULL;
	CLEANUP(freep) char *why = NULL;
	struct sockaddr_storage address;
	const char *what = NULL;
	bool name_only;

	if (hosts_allow(&c->egress->hosts, &c->target, &name_only))
		return true;
	if (c->target.is_address && address_parse(c->target.host, 0, &address))
		what = address_refused((const struct sockaddr *)&address);
	if (what) {
		why = xasprintf("'%s' is %s, which agents cannot reach", c->what, what);
	} else {
		why = name_only ? xasprintf("'%s' is not allowed on this port", c->what)
				: xasprintf("'%s' is not among the hosts that this group may "
					    "reach",
					  c->what);
		hint = egress_refusal_hint(c->egress, &c->target);
	}
	egress_turn_away(c, 403, EGRESS_REFUSED, why, hint);
	return false;
}

static void connection_begin(struct egress_connection *c)
{
	if (!check_list(c))
		return;
	if (c->egress->count > EGRESS_CONNECTIONS) {
		egress_turn_away(c, 503, EGRESS_REFUSED,
			"this agent has too many open connections", NULL);
		return;
	}
	if (c->target.is_address)
		take_address(c);
	else
		look_up_next();
}

/* Refuse a request whose target cannot be checked. */
static void refuse_request(struct egress *egress, struct link *link,
	const struct http_head *head, int status, const char *why, const char *hint)
{
	struct view target = head->target;
	CLEANUP(freep)
	char *shown =
		quote(view_slice(target, 0, target.len < MAX_SHOWN ? target.len : MAX_SHOWN));

	egress_report(egress, EGRESS_REFUSED, shown, why);
	link_answer(link, status, why, hint);
}

/* Does the header Host mean the same? */
static bool host_agrees(const struct http_head *head, const struct host_target *target)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(host_target_release) struct host_target host = HOST_TARGET_INIT;
	uint16_t otherwise = head->form == HTTP_AUTHORITY ? target->port : 80;

	if (!head->host.len)
		return true;
	return host_target_parse(head->host, otherwise, &host, &ignored) == 0 &&
	       host_target_equal(&host, target);
}

/* The target, and the path of a plain request. */
static int find_target(const struct http_head *head, struct host_target *ret_target,
	struct view *ret_path, struct error *err)
{
	struct view authority;

	if (head->form == HTTP_AUTHORITY) {
		if (head->framing != HTTP_NO_BODY)
			return error_set(err, ERROR_INVALID, "a CONNECT has no body");
		return host_target_parse(head->target, 0, ret_target, err);
	}
	if (http_name_is(head->method, "TRACE"))
		return error_set(err, ERROR_INVALID, "TRACE is not passed on");
	if (egress_request_split(head->target, &authority, ret_path))
		return host_target_parse(authority, 80, ret_target, err);
	error_set(err, ERROR_INVALID, "only http:// targets can be requested this way");
	return error_hint(err, "for https://, use CONNECT");
}

void egress_serve(
	struct egress *egress, struct link *link, const struct http_head *head, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	struct egress_connection *c;
	struct view path = {NULL, 0};

	if (find_target(head, &target, &path, &err) < 0) {
		refuse_request(egress, link, head, 403, err.message, err.hint);
		return;
	}
	if (!host_agrees(head, &target)) {
		refuse_request(egress, link, head, 400,
			"the 'Host' header names a different host than the request", NULL);
		return;
	}
	c = connection_add(egress, link, &target);
	c->is_tunnel = head->form == HTTP_AUTHORITY;
	if (!c->is_tunnel) {
		egress_request_write(head, &c->target, path, &c->head);
		http_body_init(&c->body, head, egress->options.bytes_most);
		c->is_chunked = head->framing == HTTP_CHUNKED;
	}
	link_consume(link, len);
	connection_begin(c);
}

/* --- all of them ------------------------------------------------------------- */

static uint64_t or_else(uint64_t number, uint64_t otherwise)
{
	return number ? number : otherwise;
}

struct egress *egress_new(const struct egress_options *options)
{
	struct egress *egress = xcalloc(1, sizeof(*egress));

	egress->options = *options;
	egress->options.reach_ms = or_else(options->reach_ms, EGRESS_REACH_MS);
	egress->options.idle_ms = or_else(options->idle_ms, EGRESS_IDLE_MS);
	egress->options.bytes_most = or_else(options->bytes_most, EGRESS_BYTES_MOST);
	egress->group = xstrdup(options->group);
	hosts_copy(options->hosts, &egress->hosts);
	egress->next = all_egress;
	all_egress = egress;
	return egress;
}

void egress_close(struct egress *egress)
{
	struct egress **at = &all_egress;

	if (!egress)
		return;
	egress->closing = true;
	while (*at != egress)
		at = &(*at)->next;
	*at = egress->next;
	for (struct egress_connection *c = egress->connections, *next; c; c = next) {
		next = c->next;
		egress_break(c);
	}
	/* Connections that wait for a look-up. */
	while (egress->connections)
		connection_take_out(egress->connections);
	hosts_release(&egress->hosts);
	free(egress->group);
	free(egress);
}
