/*
 * Which service has which port of the host. The own content is served first, then the
 * contributed services in the order of their names.
 */
#include <string.h>

#include "engine/structured/compose/compose.h"
#include "engine/structured/compose/compose_ports.h"

#define FIRST_FREE 1024 /* where the search goes on above the highest port */
#define MAX_TURNS  8    /* decisions that lead to a port which is taken, too */

struct binding {
	struct view service;
	const struct yaml_node *skills; /* NULL: it is the own content's */
	struct compose_port port;
	bool open; /* has an unresolved clash: no other binding has to give way */
};

struct bindings {
	struct binding *list;
	size_t count;
	size_t cap;
};

struct port_planner {
	const struct structured_input *input;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct bindings taken;  /* by services that were served */
	struct bindings wanted; /* by any service, also as declared: not free */
};

static void add_binding(
	struct port_planner *p, struct bindings *bindings, struct binding binding)
{
	bindings->list = arena_grow(&p->doc->arena, bindings->list, bindings->count,
		&bindings->cap, sizeof(*bindings->list));
	bindings->list[bindings->count++] = binding;
}

/* All that a service binds; `skills` is NULL for one of the own content. */
static void add_service(struct port_planner *p, struct bindings *bindings, struct view service,
	const struct yaml_node *skills, const struct yaml_node *definition)
{
	struct compose_ports ports = {0};

	compose_ports_add(definition, &p->doc->arena, &ports);
	for (size_t i = 0; i < ports.count; i++)
		add_binding(
			p, bindings, (struct binding){service, skills, ports.list[i], false});
}

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

/* Each step passes a binding at least, so the second round ends. */
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

/* --- clashes ----------------------------------------------------------------------------- */

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
	struct claim *same = NULL;

	for (size_t i = 0; i < clash->claim_count; i++)
		if (!strcmp(clash->claims[i].who, who))
			same = &clash->claims[i];
	if (same)
		buf_appendf(&what, "%s, ", same->what);
	buf_appendf(&what, "%.*s ", VIEW_ARGS(service));
	compose_port_append(&what, port);
	if (!same) {
		clash_add_claim(clash, who, what.data);
		return;
	}
	free(same->what);
	same->what = buf_take(&what);
}

static void add_claims(struct clash *clash, struct view service, const struct yaml_node *skills,
	const struct compose_port *port)
{
	if (!skills)
		add_claim(clash, "", service, port);
	for (size_t i = 0; skills && i < skills->count; i++)
		add_claim(clash, skills->items[i]->text.data, service, port);
}

static void describe_port_clash(const struct port_planner *p, struct clash *clash,
	const struct compose_item *item, const struct compose_port *port,
	const struct port_range *free_range)
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

static bool same_range(struct port_range a, struct port_range b)
{
	return a.first == b.first && a.last == b.last;
}

/* The port of a service that fits the declared one best. */
static bool find_fitting(const struct yaml_node *service, const struct compose_port *declared,
	struct yaml_doc *doc, struct port_range *ret_host)
{
	struct compose_ports ports = {0};
	int best = 0;

	compose_ports_add(service, &doc->arena, &ports);
	for (size_t i = 0; i < ports.count; i++) {
		const struct compose_port *port = &ports.list[i];
		bool same_address = !strcmp(port->address, declared->address);
		int fit = 1 + same_address +
			  (same_address && same_range(port->host, declared->host));

		if (strcmp(port->protocol, declared->protocol) != 0 ||
			!same_range(port->target, declared->target) || fit <= best)
			continue;
		best = fit;
		*ret_host = port->host;
	}
	return best > 0;
}

/*
 * The first side is the port that the file has for the service, or none. The last side is the
 * port as declared; where the file has it already, another service asks for it and gets it.
 */
static enum answer take_side(
	struct port_planner *p, const struct compose_item *item, struct compose_port *port)
{
	const struct yaml_node *there = compose_find_there(p->input, item->name, p->doc);
	struct port_range host;
	bool has_port = find_fitting(there, port, p->doc, &host);

	if (p->input->side == CLASH_NEITHER)
		return ANSWER_OUT;
	if (p->input->side == CLASH_LAST)
		return has_port && same_range(host, port->host) ? ANSWER_OUT : ANSWER_KEEP;
	if (!has_port)
		return ANSWER_OUT;
	port->host = host;
	return ANSWER_KEEP;
}

static enum answer resolve_port(struct port_planner *p, const struct compose_item *item,
	struct compose_port *port, bool *ret_open)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(buf_release) struct buf key = BUF_INIT;
	struct port_range range;
	struct clash *clash;
	const char *decision;
	bool has_free;

	if (!find_taken(&p->taken, port, false))
		return ANSWER_KEEP;
	buf_appendf(&key, "%.*s:", VIEW_ARGS(item->name));
	compose_port_append(&key, port);
	clash = clash_list_add(&clashes, key.data);
	has_free = find_free(&p->wanted, port, &range);
	describe_port_clash(p, clash, item, port, has_free ? &range : NULL);
	if (clash_is_decided(clash, p->input, &decision)) {
		if (!decision || !port_range_parse(view_of(decision), &range))
			return ANSWER_OUT;
		if (same_range(range, port->host))
			return ANSWER_KEEP;
		port->host = range;
		return ANSWER_AGAIN;
	}
	clash_report(clash, p->output);
	*ret_open = true;
	return take_side(p, item, port);
}

/* The value of the decision is the port that the service has now. */
int compose_resolved_port(const struct compose_file *file, const char *name,
	const struct clash *clash, struct yaml_doc *doc, struct yaml_node **ret_value,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view key = view_of(clash->key), service;
	const struct yaml_entry *entry;
	struct compose_port declared;
	struct port_range range;

	if (!view_next(&key, ':', &service) || !compose_port_parse(key, &declared))
		return error_set(err, ERROR_INVALID,
			"%s: '%s' is not a clash in a compose file", name, clash->key);
	entry = compose_find(file, COMPOSE_SERVICES, service);
	*ret_value = NULL;
	if (!entry || !find_fitting(entry->value, &declared, doc, &range))
		return 0;
	port_range_append(&text, range);
	*ret_value = yaml_new_string(doc, text.data);
	return 0;
}

/* --- problems ---------------------------------------------------------------------------- */

static bool is_service_declared(
	const struct contribution *contributions, size_t count, struct view service)
{
	for (size_t i = 0; i < count; i++)
		if (yaml_find(contributions[i].declared, service))
			return true;
	return false;
}

void compose_find_problems(const char *name, struct view text,
	const struct contribution *contributions, size_t count,
	struct string_array *ret_problems)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	const struct yaml_node *services;
	struct port_planner p = {0};

	if (compose_file_parse(text, name, &file, &ignored) < 0)
		return;
	p.doc = file.doc;
	services = file.sections[COMPOSE_SERVICES].value;
	for (size_t i = 0; services && i < services->count; i++)
		add_service(&p, &p.taken, services->entries[i].key, NULL,
			services->entries[i].value);
	for (size_t i = 0; i < p.taken.count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct binding *a = &p.taken.list[k], *b = &p.taken.list[i];
			CLEANUP(buf_release) struct buf problem = BUF_INIT;

			if (!compose_ports_collide(&a->port, &b->port) ||
				view_equal(a->service, b->service) ||
				(!is_service_declared(contributions, count, a->service) &&
					!is_service_declared(contributions, count, b->service)))
				continue;
			buf_appendf(&problem,
				"services '%.*s' and '%.*s' in '%s' both bind port ",
				VIEW_ARGS(a->service), VIEW_ARGS(b->service), name);
			port_range_append(&problem, b->port.host);
			buf_appendf(&problem, "/%s of the host", b->port.protocol);
			string_array_add(ret_problems, problem.data);
		}
}

/* --- services ---------------------------------------------------------------------------- */

/* The item of `ports` to write; NULL: leave it out. */
static struct yaml_node *serve_port(struct port_planner *p, const struct compose_item *item,
	const struct yaml_node *node, struct bindings *mine)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct compose_port declared, port;
	struct binding binding = {.service = item->name, .skills = item->skills};
	enum answer answer = ANSWER_AGAIN;
	bool moved;

	if (compose_port_item_parse(node, &declared, &ignored) < 0 || !declared.known)
		return yaml_copy(p->doc, node);
	port = declared;
	for (int turn = 0; answer == ANSWER_AGAIN && turn < MAX_TURNS; turn++)
		answer = resolve_port(p, item, &port, &binding.open);
	moved = !same_range(port.host, declared.host);
	if (answer != ANSWER_KEEP || (moved && find_taken(mine, &port, false)))
		return NULL;
	binding.port = port;
	add_binding(p, mine, binding);
	add_binding(p, &p->wanted, binding);
	return moved ? compose_port_move(p->doc, node, port.host) : yaml_copy(p->doc, node);
}

static void serve_item(struct port_planner *p, struct compose_item *item)
{
	const struct yaml_node *ports = compose_port_items(item->definition);
	struct bindings mine = {0};
	struct yaml_node *served, *copy;

	if (!ports->count)
		return;
	served = yaml_new_sequence(p->doc);
	for (size_t i = 0; i < ports->count; i++) {
		struct yaml_node *port = serve_port(p, item, ports->items[i], &mine);

		if (port)
			yaml_append(served, port);
	}
	for (size_t i = 0; i < mine.count; i++)
		if (!mine.list[i].open)
			add_binding(p, &p->taken, mine.list[i]);
	copy = yaml_copy(p->doc, item->definition);
	if (served->count)
		yaml_set(copy, "ports", served);
	else
		yaml_remove(copy, "ports");
	item->definition = copy;
}

/* Does a contributed service replace the own service? Then the own one binds no port. */
static bool is_replaced(const struct compose_items *services, struct view name)
{
	for (size_t i = 0; i < services->count; i++)
		if (view_equal(services->list[i].name, name))
			return !services->list[i].stays;
	return false;
}

void compose_plan_ports(const struct structured_input *input, const struct compose_file *own,
	struct yaml_doc *doc, struct compose_items *services, struct structured_output *output)
{
	const struct yaml_node *list = own->sections[COMPOSE_SERVICES].value;
	struct port_planner p = {.input = input, .doc = doc, .output = output};

	for (size_t i = 0; list && i < list->count; i++) {
		const struct yaml_entry *entry = &list->entries[i];

		if (is_replaced(services, entry->key))
			continue;
		add_service(&p, &p.taken, entry->key, NULL, entry->value);
		add_service(&p, &p.wanted, entry->key, NULL, entry->value);
	}
	for (size_t i = 0; i < services->count; i++) {
		const struct compose_item *item = &services->list[i];

		if (item->definition && !item->stays)
			add_service(&p, &p.wanted, item->name, item->skills, item->definition);
	}
	for (size_t i = 0; i < services->count; i++)
		if (services->list[i].definition && !services->list[i].stays)
			serve_item(&p, &services->list[i]);
}
