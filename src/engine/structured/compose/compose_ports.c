#include "engine/structured/compose/compose_ports.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define ANY_IPV4 "0.0.0.0"
#define ANY_IPV6 "::"

/* The pieces of the short form, as written. */
struct port_text {
	struct view address;
	struct view host;
	struct view target;
	struct view protocol;
	bool has_host;
};

/* --- ranges --------------------------------------------------------------------- */

static bool parse_number(struct view text, unsigned *ret_number)
{
	unsigned number = 0;

	if (!text.len || text.len > 5)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return false;
		number = number * 10 + (unsigned)(text.data[i] - '0');
	}
	*ret_number = number;
	return number <= COMPOSE_PORT_MAX;
}

bool port_range_parse(struct view text, struct port_range *ret_range)
{
	const char *dash = memchr(text.data, '-', text.len);
	size_t first_len = dash ? (size_t)(dash - text.data) : text.len;
	struct view last = dash ? view_slice(text, first_len + 1, text.len) : text;
	struct port_range range;

	if (!parse_number(view_slice(text, 0, first_len), &range.first) ||
		!parse_number(last, &range.last) || range.last < range.first)
		return false;
	*ret_range = range;
	return true;
}

void port_range_append(struct buf *out, struct port_range range)
{
	buf_appendf(out, "%u", range.first);
	if (range.last != range.first)
		buf_appendf(out, "-%u", range.last);
}

/* --- variables ------------------------------------------------------------------ */

/* "${NAME:-default}" or "${NAME-default}" and nothing else: the default. */
static bool variable_default(struct view text, struct view *ret_default)
{
	size_t at = 2;

	if (!view_starts_with(text, "${") || !view_ends_with(text, "}"))
		return false;
	while (at < text.len && text.data[at] != ':' && text.data[at] != '-' &&
		text.data[at] != '}')
		at++;
	if (view_starts_with(view_slice(text, at, text.len), ":-"))
		at++;
	if (text.data[at] != '-' || memchr(text.data + at, '$', text.len - at))
		return false;
	*ret_default = view_slice(text, at + 1, text.len - 1);
	return true;
}

/* With the defaults of its variables; false if there is one without. */
static bool without_variables(struct view text, struct buf *out)
{
	size_t at = 0;

	while (at < text.len) {
		struct view rest = view_slice(text, at, text.len);
		const char *end = memchr(rest.data, '}', rest.len);
		struct view fallback;

		if (text.data[at] != '$') {
			buf_append_char(out, text.data[at++]);
			continue;
		}
		if (!end)
			return false;
		rest.len = (size_t)(end - rest.data) + 1;
		if (!variable_default(rest, &fallback))
			return false;
		buf_append(out, fallback.data, fallback.len);
		at += rest.len;
	}
	return true;
}

/* --- the short form --------------------------------------------------------------- */

/* The last ':' outside of brackets and variables. */
static bool find_last_colon(struct view text, size_t *ret_at)
{
	int nested = 0;

	for (size_t i = text.len; i-- > 0;) {
		char c = text.data[i];

		nested += (c == '}' || c == ']') - (c == '{' || c == '[');
		if (c != ':' || nested)
			continue;
		*ret_at = i;
		return true;
	}
	return false;
}

static struct port_text split_short(struct view text)
{
	struct port_text split = {
		.address = view_of(""),
		.host = view_of(""),
		.target = text,
		.protocol = view_of("tcp"),
	};
	const char *slash;
	size_t at;

	if (find_last_colon(text, &at)) {
		split.target = view_slice(text, at + 1, text.len);
		split.host = view_slice(text, 0, at);
		split.has_host = true;
		if (find_last_colon(split.host, &at)) {
			split.address = view_slice(split.host, 0, at);
			split.host = view_slice(split.host, at + 1, split.host.len);
		}
	}
	slash = memrchr(split.target.data, '/', split.target.len);
	if (slash &&
		!memchr(slash, '}', (size_t)(split.target.data + split.target.len - slash))) {
		size_t len = (size_t)(slash - split.target.data);

		split.protocol = view_slice(split.target, len + 1, split.target.len);
		split.target = view_slice(split.target, 0, len);
	}
	return split;
}

static bool set_protocol(struct compose_port *port, struct view text)
{
	if (!text.len || text.len >= sizeof(port->protocol))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (!isalnum(c))
			return false;
		port->protocol[i] = (char)tolower(c);
	}
	port->protocol[text.len] = '\0';
	return true;
}

static bool set_address(struct compose_port *port, struct view text)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	char plain[sizeof(port->address)];

	if (text.len > 1 && text.data[0] == '[' && text.data[text.len - 1] == ']')
		text = view_slice(text, 1, text.len - 1);
	if (text.len >= sizeof(plain))
		return false;
	memcpy(plain, text.data ? text.data : "", text.len);
	plain[text.len] = '\0';
	port->address[0] = '\0';
	if (inet_pton(AF_INET, plain, bytes) == 1)
		inet_ntop(AF_INET, bytes, port->address, sizeof(port->address));
	else if (inet_pton(AF_INET6, plain, bytes) == 1)
		inet_ntop(AF_INET6, bytes, port->address, sizeof(port->address));
	return !*plain || *port->address;
}

/* Each piece may be a variable without a default: then it is not known, and right. */
static bool read_pieces(const struct port_text *text, struct compose_port *port)
{
	CLEANUP(buf_release) struct buf address = BUF_INIT;
	CLEANUP(buf_release) struct buf host = BUF_INIT;
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	CLEANUP(buf_release) struct buf protocol = BUF_INIT;
	bool known = without_variables(text->target, &target);
	unsigned target_len;

	if (known &&
		(!port_range_parse(view_of_buf(&target), &port->target) || !port->target.first))
		return false;
	if (!without_variables(text->protocol, &protocol))
		known = false;
	else if (!set_protocol(port, view_of_buf(&protocol)))
		return false;
	if (!without_variables(text->address, &address))
		known = false;
	else if (!set_address(port, view_of_buf(&address)))
		return false;
	if (!text->has_host || !without_variables(text->host, &host))
		return true;
	if (!host.len) /* the system chooses: "127.0.0.1::80" */
		return text->address.len > 0;
	if (!port_range_parse(view_of_buf(&host), &port->host))
		return false;
	port->known = known && port->host.first;
	/* Compose accepts ranges of the same length, or several host ports for one target. */
	target_len = port->target.last - port->target.first;
	return !port->known || !target_len || target_len == port->host.last - port->host.first;
}

/* A variable may cover several pieces: `${BIND:-127.0.0.1:6380}:6379`. */
static bool read_short(struct view text, struct compose_port *port)
{
	struct port_text split = split_short(text);
	CLEANUP(buf_release) struct buf plain = BUF_INIT;

	*port = (struct compose_port){.protocol = "tcp"};
	if (read_pieces(&split, port))
		return true;
	if (!memchr(text.data, '$', text.len) || !without_variables(text, &plain))
		return false;
	*port = (struct compose_port){.protocol = "tcp"};
	split = split_short(view_of_buf(&plain));
	return read_pieces(&split, port);
}

/* --- the long form ------------------------------------------------------------------ */

static bool read_long(const struct yaml_node *item, struct compose_port *port)
{
	const char *address = yaml_get_text(item, "host_ip");
	const char *host = yaml_get_text(item, "published");
	const char *target = yaml_get_text(item, "target");
	const char *protocol = yaml_get_text(item, "protocol");
	const struct port_text text = {
		.address = view_of(address ? address : ""),
		.host = view_of(host ? host : ""),
		.target = view_of(target ? target : ""),
		.protocol = view_of(protocol && *protocol ? protocol : "tcp"),
		.has_host = host && *host,
	};

	*port = (struct compose_port){.protocol = "tcp"};
	return read_pieces(&text, port);
}

int compose_port_item_parse(
	const struct yaml_node *item, struct compose_port *ret_port, struct error *err)
{
	CLEANUP(freep) char *text = utf8_excerpt(item->text);
	struct compose_port port;

	if (item->kind == YAML_SEQUENCE || (item->kind == YAML_SCALAR && yaml_is_null(item)))
		return yaml_error(item, err, "a port must be a string, a number or a mapping");
	if (item->kind == YAML_MAPPING && !read_long(item, &port))
		return yaml_error(item, err,
			"not a port: it needs a 'target', and 'published', 'host_ip' and "
			"'protocol' must fit it");
	if (item->kind == YAML_SCALAR && !read_short(item->text, &port))
		return yaml_error(item, err,
			"'%s' is not a port: write '[[address:]host:]container[/protocol]'",
			text);
	*ret_port = port;
	return 0;
}

const struct yaml_node *compose_port_items(const struct yaml_node *service)
{
	const char *mode = yaml_get_text(service, "network_mode");
	bool on_host = mode && !strcmp(mode, "host");

	return yaml_get_kind(on_host ? NULL : service, "ports", YAML_SEQUENCE);
}

void compose_ports_add(
	const struct yaml_node *service, struct arena *arena, struct compose_ports *ports)
{
	const struct yaml_node *items = compose_port_items(service);

	for (size_t i = 0; i < items->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		struct compose_port port;

		if (compose_port_item_parse(items->items[i], &port, &ignored) < 0 ||
			!port.known)
			continue;
		ports->list = arena_grow(
			arena, ports->list, ports->count, &ports->cap, sizeof(*ports->list));
		ports->list[ports->count++] = port;
	}
}

/* --- comparing -------------------------------------------------------------------- */

static bool is_ipv6(const char *address)
{
	return strchr(address, ':');
}

static bool addresses_overlap(const char *a, const char *b)
{
	if (!*a || !*b || !strcmp(a, b))
		return true;
	if (is_ipv6(a) != is_ipv6(b))
		return false;
	return !strcmp(a, ANY_IPV4) || !strcmp(b, ANY_IPV4) || !strcmp(a, ANY_IPV6) ||
	       !strcmp(b, ANY_IPV6);
}

bool compose_ports_collide(const struct compose_port *a, const struct compose_port *b)
{
	return a->known && b->known && !strcmp(a->protocol, b->protocol) &&
	       a->host.first <= b->host.last && b->host.first <= a->host.last &&
	       addresses_overlap(a->address, b->address);
}

/* --- as text ------------------------------------------------------------------------ */

void compose_port_append(struct buf *out, const struct compose_port *port)
{
	if (is_ipv6(port->address))
		buf_appendf(out, "[%s]:", port->address);
	else if (*port->address)
		buf_appendf(out, "%s:", port->address);
	port_range_append(out, port->host);
	buf_append_char(out, ':');
	port_range_append(out, port->target);
	buf_appendf(out, "/%s", port->protocol);
}

bool compose_port_parse(struct view text, struct compose_port *ret_port)
{
	struct port_text split = split_short(text);
	struct compose_port port = {.protocol = "tcp"};

	if (!read_pieces(&split, &port) || !port.known)
		return false;
	*ret_port = port;
	return true;
}

/* A port with its default changed stays a variable. */
static void append_moved(struct buf *out, struct view was, const struct buf *host)
{
	struct view fallback;

	if (!variable_default(was, &fallback)) {
		buf_append(out, host->data, host->len);
		return;
	}
	buf_append(out, was.data, (size_t)(fallback.data - was.data));
	buf_append(out, host->data, host->len);
	buf_append_char(out, '}');
}

static struct yaml_node *move_short(
	struct yaml_doc *doc, struct view text, const struct buf *host)
{
	struct port_text split = split_short(text);
	CLEANUP(buf_release) struct buf moved = BUF_INIT;
	CLEANUP(buf_release) struct buf plain = BUF_INIT;
	struct compose_port ignored = {.protocol = "tcp"};

	if (!read_pieces(&split, &ignored)) { /* a variable for several pieces */
		without_variables(text, &plain);
		split = split_short(view_of_buf(&plain));
	}
	if (split.address.len)
		buf_appendf(&moved, "%.*s:", VIEW_ARGS(split.address));
	append_moved(&moved, split.host, host);
	buf_appendf(&moved, ":%.*s", VIEW_ARGS(split.target));
	if (strcmp(ignored.protocol, "tcp") || memchr(text.data, '/', text.len))
		buf_appendf(&moved, "/%.*s", VIEW_ARGS(split.protocol));
	return yaml_new_string_view(doc, view_of_buf(&moved));
}

struct yaml_node *compose_port_move(
	struct yaml_doc *doc, const struct yaml_node *item, struct port_range range)
{
	CLEANUP(buf_release) struct buf host = BUF_INIT;
	CLEANUP(buf_release) struct buf moved = BUF_INIT;
	const struct yaml_node *published;
	struct yaml_node *copy;

	port_range_append(&host, range);
	if (item->kind == YAML_SCALAR)
		return move_short(doc, item->text, &host);
	copy = yaml_copy(doc, item);
	published = yaml_get(item, "published");
	append_moved(&moved, published->text, &host);
	yaml_set(copy, "published",
		yaml_new_scalar(doc, view_of_buf(&moved),
			published->plain && yaml_plain_type(view_of_buf(&moved)) == YAML_INT));
	return copy;
}
