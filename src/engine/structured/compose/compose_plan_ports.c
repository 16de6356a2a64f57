/*
 * Which service has which port of the host. The own content is served first, then the
 * contributed services in the order of their names.
 */
#include <string.h>

#include "engine/structured/compose/compose_plan.h"
#include "engine/structured/compose/compose_ports.h"

#define FIRST_FREE 1024 /* where the search goes on above the highest port */
#define MAX_TURNS  8    /* decisions that lead to a port which is taken, too */

struct binding {
	struct view service;
	const struct yaml_node *skills; /* NULL: it is the own content's */
	struct compose_port port;
	bool open; /* a clash is about it, and not settled: nobody need give way to it */
};

struct bindings {
	struct binding *list;
	size_t count;
	size_t cap;
};

struct ports {
	const struct structured_input *input;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct bindings taken;  /* by services that were served */
	struct bindings wanted; /* by all, also as declared: none of them is free */
};

static void bindings_release(struct bindings *bindings)
{
	free(bindings->list);
}

static void add_binding(struct bindings *bindings, const struct compose_item *item,
	const struct compose_port *port)
{
	GROW(bindings->list, bindings->count, bindings->cap);
	bindings->list[bindings->count++] = (struct binding){
		.service = item->name,
		.skills = item->stays ? NULL : item->skills,
		.port = *port,
	};
}

bool compose_on_host_network(const struct yaml_node *service)
{
	const struct yaml_node *mode = yaml_get(service, "network_mode");

	return mode && mode->kind == YAML_SCALAR && view_equal_str(mode->text, "host");
}

static const struct yaml_node *ports_of(const struct yaml_node *service)
{
	const struct yaml_node *ports = yaml_get(service, "ports");

	if (!ports || ports->kind != YAML_SEQUENCE || compose_on_host_network(service))
		return NULL;
	return ports;
}

/* What cannot be read binds nothing: it may be that the person's compose knows more. */
static bool read_port(const struct yaml_node *item, struct compose_port *ret_port)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return compose_port_read(item, ret_port, &ignored) == 0 && ret_port->known;
}

static void add_bindings(struct bindings *bindings, const struct compose_item *item)
{
	const struct yaml_node *ports = ports_of(item->definition);

	for (size_t i = 0; ports && i < ports->count; i++) {
		struct compose_port port;

		if (read_port(ports->items[i], &port))
			add_binding(bindings, item, &port);
	}
}

/* --- a free one --------------------------------------------------------------------- */

static const struct binding *find_taken(
	const struct bindings *bindings, const struct compose_port *port, bool any_address)
{
	for (size_t i = 0; i < bindings->count; i++) {
		struct compose_port other = bindings->list[i].port;

		if (any_address)
			other.address[0] = '\0';
		if (compose_ports_collide(port, &other))
			return &bindings->list[i];
	}
	return NULL;
}

/* Each step is past one binding at least, and after the second time around there is none. */
static bool find_free(const struct bindings *wanted, const struct compose_port *port,
	struct port_range *ret_range)
{
	unsigned len = port->host.last - port->host.first;
	struct compose_port next = *port;
	unsigned first = port->host.last + 1;

	for (int turn = 0; turn < 2; turn++, first = FIRST_FREE)
		while (first + len <= COMPOSE_PORT_MAX) {
			const struct binding *other;

			next.host = (struct port_range){first, first + len};
			other = find_taken(wanted, &next, true);
			if (!other) {
				*ret_range = next.host;
				return true;
			}
			first = other->port.host.last + 1;
		}
	return false;
}

/* --- clashes ------------------------------------------------------------------------ */

static void append_service(
	struct buf *out, struct view service, const struct yaml_node *skills, const char *file)
{
	buf_appendf(out, "service '%.*s' of ", VIEW_ARGS(service));
	if (!skills)
		buf_appendf(out, "'%s' itself", file);
	for (size_t i = 0; skills && i < skills->count; i++)
		buf_appendf(out, "%s'%.*s'", i ? ", " : "skill ",
			VIEW_ARGS(skills->items[i]->text));
}

/* Each claims once, however many of its services bind the port. */
static void add_claim(struct clash *clash, const char *who, struct view service,
	const struct compose_port *port)
{
	CLEANUP(buf_release) struct buf what = BUF_INIT;

	for (size_t i = 0; i < clash->claim_count; i++)
		if (!strcmp(clash->claims[i].who, who)) {
			buf_appendf(&what, "%s, ", clash->claims[i].what);
			buf_appendf(&what, "%.*s ", VIEW_ARGS(service));
			compose_port_append(&what, port);
			free(clash->claims[i].what);
			clash->claims[i].what = buf_take(&what);
			return;
		}
	buf_appendf(&what, "%.*s ", VIEW_ARGS(service));
	compose_port_append(&what, port);
	clash_add_claim(clash, who, what.data);
}

static void add_claims(struct clash *clash, struct view service, const struct yaml_node *skills,
	const struct compose_port *port)
{
	if (!skills)
		add_claim(clash, "", service, port);
	for (size_t i = 0; skills && i < skills->count; i++)
		add_claim(clash, skills->items[i]->text.data, service, port);
}

static void describe(struct ports *p, struct clash *clash, const struct compose_item *item,
	const struct compose_port *port, const struct port_range *free_range)
{
	CLEANUP(buf_release) struct buf about = BUF_INIT;

	append_service(&about, item->name, item->skills, p->input->name);
	buf_append_str(&about, " wants port ");
	port_range_append(&about, port->host);
	buf_appendf(&about, "/%s of the host, which ", port->protocol);
	add_claims(clash, item->name, item->skills, port);
	for (size_t i = 0, others = 0; i < p->taken.count; i++) {
		const struct binding *other = &p->taken.list[i];

		if (!compose_ports_collide(port, &other->port))
			continue;
		buf_append_str(&about, others++ ? " and " : "");
		append_service(&about, other->service, other->skills, p->input->name);
		add_claims(clash, other->service, other->skills, &other->port);
	}
	buf_append_str(&about, " has");
	if (free_range) {
		buf_append_str(&about, "; free is ");
		port_range_append(&about, *free_range);
	}
	clash->about = buf_take(&about);
}

enum answer {
	ANSWER_KEEP, /* bind port->host, which may have been changed */
	ANSWER_OUT,
	ANSWER_AGAIN,
};

static enum answer obey(const char *value, struct compose_port *port)
{
	struct port_range range;

	if (!value || !port_range_parse(view_of(value), &range))
		return ANSWER_OUT;
	if (range.first == port->host.first && range.last == port->host.last)
		return ANSWER_KEEP;
	port->host = range;
	return ANSWER_AGAIN;
}

static enum answer take_side(
	struct ports *p, const struct port_range *free_range, struct compose_port *port)
{
	if (p->input->side == CLASH_NEITHER)
		return ANSWER_OUT;
	if (p->input->side == CLASH_LAST)
		return ANSWER_KEEP;
	if (!free_range)
		return ANSWER_OUT;
	port->host = *free_range;
	return ANSWER_KEEP;
}

static enum answer settle_port(struct ports *p, const struct compose_item *item,
	struct compose_port *port, bool *ret_open)
{
	CLEANUP(clash_list_release) struct clash_list one = {0};
	CLEANUP(buf_release) struct buf key = BUF_INIT;
	const char *value;
	struct port_range range;
	bool has_free;
	struct clash *clash;

	if (!find_taken(&p->taken, port, false))
		return ANSWER_KEEP;
	buf_appendf(&key, "%.*s:", VIEW_ARGS(item->name));
	compose_port_append(&key, port);
	clash = clash_list_add(&one, key.data);
	has_free = find_free(&p->wanted, port, &range);
	describe(p, clash, item, port, has_free ? &range : NULL);
	if (clash_is_decided(clash, p->input, &value))
		return obey(value, port);
	clash_report(clash, p->output);
	*ret_open = true;
	return take_side(p, has_free ? &range : NULL, port);
}

/* --- services ------------------------------------------------------------------------- */

/* The item as it is to be written; NULL: not at all. */
static struct yaml_node *serve_port(struct ports *p, const struct compose_item *item,
	const struct yaml_node *node, struct bindings *mine)
{
	struct compose_port declared, port;
	enum answer answer = ANSWER_AGAIN;
	bool moved, open = false;

	if (!read_port(node, &declared))
		return yaml_copy(p->doc, node);
	port = declared;
	for (int turn = 0; answer == ANSWER_AGAIN && turn < MAX_TURNS; turn++)
		answer = settle_port(p, item, &port, &open);
	moved = port.host.first != declared.host.first || port.host.last != declared.host.last;
	if (answer != ANSWER_KEEP || (moved && find_taken(mine, &port, false)))
		return NULL;
	add_binding(mine, item, &port);
	mine->list[mine->count - 1].open = open;
	add_binding(&p->wanted, item, &port);
	return moved ? compose_port_move(p->doc, node, port.host) : yaml_copy(p->doc, node);
}

static void serve(struct ports *p, struct compose_item *item)
{
	CLEANUP(bindings_release) struct bindings mine = {0};
	const struct yaml_node *ports = ports_of(item->definition);
	struct yaml_node *served, *copy;

	if (!ports || !ports->count)
		return;
	served = yaml_new_sequence(p->doc);
	for (size_t i = 0; i < ports->count; i++) {
		struct yaml_node *port = serve_port(p, item, ports->items[i], &mine);

		if (port)
			yaml_append(served, port);
	}
	for (size_t i = 0; i < mine.count; i++)
		if (!mine.list[i].open)
			add_binding(&p->taken, item, &mine.list[i].port);
	copy = yaml_copy(p->doc, item->definition);
	if (served->count)
		yaml_set(copy, "ports", served);
	else
		yaml_remove(copy, "ports");
	item->definition = copy;
}

/* An own service that a contributed one takes the place of binds nothing. */
static bool is_replaced(const struct compose_items *services, struct view name)
{
	for (size_t i = 0; i < services->count; i++)
		if (view_equal(services->list[i].name, name))
			return !services->list[i].stays;
	return false;
}

static void add_own(
	struct ports *p, const struct compose_file *own, const struct compose_items *services)
{
	const struct yaml_node *list = own->sections[COMPOSE_SERVICES].value;

	for (size_t i = 0; list && i < list->count; i++) {
		struct compose_item item = {
			.name = list->entries[i].key,
			.own = &list->entries[i],
			.definition = list->entries[i].value,
			.stays = true,
		};

		if (is_replaced(services, item.name))
			continue;
		add_bindings(&p->taken, &item);
		add_bindings(&p->wanted, &item);
	}
}

void compose_plan_ports(const struct structured_input *input, const struct compose_file *own,
	struct yaml_doc *doc, struct compose_items *services, struct structured_output *output)
{
	struct ports p = {.input = input, .doc = doc, .output = output};

	add_own(&p, own, services);
	for (size_t i = 0; i < services->count; i++)
		if (services->list[i].definition && !services->list[i].stays)
			add_bindings(&p.wanted, &services->list[i]);
	for (size_t i = 0; i < services->count; i++)
		if (services->list[i].definition && !services->list[i].stays)
			serve(&p, &services->list[i]);
	bindings_release(&p.taken);
	bindings_release(&p.wanted);
}
