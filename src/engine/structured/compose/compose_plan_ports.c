/*
 * Which service has which port of the host. The own content is served first, then the
 * contributed services in the order of their names.
 *
 * If two services want a port, each of them that is a skill's has a clash, so that the decision
 * can move either. The first side is the file's: who has the port there keeps it, else the one
 * that is served first. On the last side the other one gets it. Who loses it gets the next free
 * one, so that both sides are files without a contradiction.
 */
#include <string.h>

#include "base/quote.h"
#include "engine/structured/compose/compose.h"
#include "engine/structured/compose/compose_ports.h"

#define FIRST_FREE 1024 /* where the search goes on above the highest port */
#define MAX_TURNS  8    /* decisions that lead to a port which is taken, too */

struct binding {
	struct view service;
	const struct yaml_node *skills; /* NULL: it is the own content's */
	struct compose_port port;
	struct yaml_node *node; /* the item of `ports` */
	bool moved;             /* it is not as declared */
};

struct bindings {
	struct binding *list;
	size_t count;
	size_t cap;
};

struct port_planner {
	const struct structured_input *input;
	struct compose_file *own;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct bindings taken;    /* by services that were served */
	struct bindings declared; /* by the own content and by every skill */
	struct bindings wanted;   /* all of these: not free */
};

static void add_binding(
	struct port_planner *p, struct bindings *bindings, const struct binding *binding)
{
	bindings->list = arena_grow(&p->doc->arena, bindings->list, bindings->count,
		&bindings->cap, sizeof(*bindings->list));
	bindings->list[bindings->count++] = *binding;
}

/* All that a service binds; `skills` is NULL for one of the own content. */
static void add_service(struct port_planner *p, struct bindings *bindings, struct view service,
	const struct yaml_node *skills, const struct yaml_node *definition)
{
	const struct yaml_node *items = compose_port_items(definition);

	for (size_t i = 0; i < items->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		struct binding binding = {service, skills, {0}, items->items[i], false};

		if (compose_port_item_parse(items->items[i], &binding.port, &ignored) == 0 &&
			binding.port.known)
			add_binding(p, bindings, &binding);
	}
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

static void append_service(struct buf *out, const struct binding *of, const char *file)
{
	buf_appendf(out, "service '%.*s' of ", VIEW_ARGS(of->service));
	if (!of->skills)
		buf_appendf(out, "'%s' itself", file);
	for (size_t i = 0; of->skills && i < of->skills->count; i++)
		buf_appendf(out, "%s'%.*s'", i ? ", " : "skill ",
			VIEW_ARGS(of->skills->items[i]->text));
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

static void add_claims(struct clash *clash, const struct binding *of)
{
	if (!of->skills)
		add_claim(clash, "", of->service, &of->port);
	for (size_t i = 0; of->skills && i < of->skills->count; i++)
		add_claim(clash, of->skills->items[i]->text.data, of->service, &of->port);
}

static bool collides(const struct binding *a, const struct binding *b)
{
	return !view_equal(a->service, b->service) && compose_ports_collide(&a->port, &b->port);
}

/*
 * The clash of one binding, with the claims of all that want the port. Those are the same whoever
 * is served first: as declared, and ports to which a decision has moved others.
 */
static struct clash *add_port_clash(
	const struct port_planner *p, struct clash_list *clashes, const struct binding *wanting)
{
	CLEANUP(buf_release) struct buf key = BUF_INIT;
	struct clash *clash;

	buf_appendf(&key, "%.*s:", VIEW_ARGS(wanting->service));
	compose_port_append(&key, &wanting->port);
	clash = clash_list_add(clashes, key.data);
	add_claims(clash, wanting);
	for (size_t i = 0; i < p->declared.count; i++)
		if (collides(wanting, &p->declared.list[i]))
			add_claims(clash, &p->declared.list[i]);
	for (size_t i = 0; i < p->taken.count; i++)
		if (p->taken.list[i].moved && collides(wanting, &p->taken.list[i]))
			add_claims(clash, &p->taken.list[i]);
	return clash;
}

/* "service 'redis' of skill 'a' and service …", the ones that have the port. */
static void append_holders(
	const struct port_planner *p, struct buf *out, const struct binding *wanting)
{
	size_t others = 0;

	for (size_t i = 0; i < p->taken.count; i++)
		if (collides(wanting, &p->taken.list[i])) {
			buf_append_str(out, others++ ? " and " : "");
			append_service(out, &p->taken.list[i], p->input->name);
		}
}

/* `holds`: the file has the port for this one, and the others come. */
static char *describe_port_clash(const struct port_planner *p, const struct binding *wanting,
	bool holds, const struct port_range *free_range)
{
	CLEANUP(buf_release) struct buf about = BUF_INIT;

	if (holds)
		append_holders(p, &about, wanting);
	else
		append_service(&about, wanting, p->input->name);
	buf_append_str(&about, " wants port ");
	port_range_append(&about, wanting->port.host);
	buf_appendf(&about, "/%s of the host, which ", wanting->port.protocol);
	if (holds)
		append_service(&about, wanting, p->input->name);
	else
		append_holders(p, &about, wanting);
	buf_append_str(&about, " has");
	if (free_range) {
		buf_append_str(&about, "; free is ");
		port_range_append(&about, *free_range);
	}
	return buf_take(&about);
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

/* For the label of the side: who is where on it. */
static void say_moved(struct port_planner *p, const struct binding *binding)
{
	struct buf *says = &p->output->says;
	CLEANUP(freep) char *name = quote_command(binding->service);

	if (says->len)
		buf_set_len(says, says->len - 1);
	buf_appendf(says, "%s%s on ", says->len ? ", " : " (", name);
	port_range_append(says, binding->port.host);
	buf_append_char(says, ')');
}

/* --- who gives way ----------------------------------------------------------------------- */

/* The port in the own text, with its quotes; false if it is written in a way that is not known. */
static bool move_own(
	struct port_planner *p, const struct binding *binding, struct port_range range)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct yaml_node *was = binding->node, *now;
	struct view there;
	size_t at, quoted;

	now = compose_port_move(p->doc, was, range);
	if (was->kind == YAML_MAPPING) {
		was = yaml_get(was, "published");
		now = yaml_get(now, "published");
	}
	at = yaml_offset(p->own->text, was->at);
	there = view_slice(p->own->text, at, yaml_offset(p->own->text, was->end));
	quoted = there.len > 2 && (*there.data == '"' || *there.data == '\'');
	if (!view_equal(view_slice(there, quoted, there.len - quoted), was->text))
		return false;
	for (size_t i = 0; i < p->own->edit_count; i++)
		if (p->own->edits[i].at == at)
			return true; /* of an alias */
	buf_append(&text, there.data, quoted);
	buf_append(&text, now->text.data, now->text.len);
	buf_append(&text, there.data, quoted);
	compose_edit(p->own, at, there.len, text.data);
	return true;
}

/* Only one whose clash names `by` is found again when its decision is looked up. */
static bool give_way(struct port_planner *p, struct binding *binding, const struct binding *by)
{
	struct port_range range;

	if (binding->moved || by->moved || !find_free(&p->wanted, &binding->port, &range) ||
		(!binding->skills && !move_own(p, binding, range)))
		return false;
	if (binding->skills)
		*binding->node = *compose_port_move(p->doc, binding->node, range);
	binding->port.host = range;
	binding->moved = true;
	say_moved(p, binding);
	add_binding(p, &p->wanted, binding);
	return true;
}

/* With a service of the own content, or of a skill. */
static bool collides_with(const struct port_planner *p, const struct binding *wanting, bool own)
{
	for (size_t i = 0; i < p->taken.count; i++)
		if (!p->taken.list[i].skills == own && collides(wanting, &p->taken.list[i]))
			return true;
	return false;
}

/* The side that is asked for, where no decision tells. */
static enum answer take_side(struct port_planner *p, struct binding *wanting)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	struct port_range there = {0}, range;
	bool has_port = find_fitting(compose_find_there(p->input, wanting->service, p->doc),
		&wanting->port, p->doc, &there);
	bool holds = has_port && same_range(there, wanting->port.host) &&
		     !collides_with(p, wanting, true);
	bool has_free = find_free(&p->wanted, &wanting->port, &range);
	struct clash *clash = add_port_clash(p, &clashes, wanting);
	const struct binding by = *wanting;

	clash->about = describe_port_clash(p, wanting, holds, has_free ? &range : NULL);
	for (size_t i = 0; i < p->taken.count; i++)
		if (p->taken.list[i].skills && collides(&by, &p->taken.list[i]))
			add_port_clash(p, &clashes, &p->taken.list[i]);
	for (size_t i = 0; i < clashes.count; i++)
		clash_report(&clashes.list[i], p->output);
	if (p->input->side == CLASH_NEITHER)
		return ANSWER_OUT;
	if ((p->input->side == CLASH_FIRST) == holds) {
		enum answer answer = ANSWER_KEEP;

		for (size_t i = 0; i < p->taken.count; i++)
			if (collides(&by, &p->taken.list[i]) &&
				!give_way(p, &p->taken.list[i], &by))
				answer = ANSWER_OUT;
		return answer;
	}
	wanting->port.host = there;
	if (!has_port || find_taken(&p->taken, &wanting->port, false)) {
		if (!has_free)
			return ANSWER_OUT;
		wanting->port.host = range;
	}
	say_moved(p, wanting);
	return ANSWER_KEEP;
}

static enum answer resolve_port(struct port_planner *p, struct binding *wanting)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	struct clash *clash = add_port_clash(p, &clashes, wanting);
	struct port_range range;
	const char *decision;

	if (clash_is_decided(clash, p->input, &decision)) {
		if (!decision || !port_range_parse(view_of(decision), &range))
			return ANSWER_OUT;
		if (!same_range(range, wanting->port.host)) {
			wanting->port.host = range;
			return ANSWER_AGAIN;
		}
		/* The own content may have been changed, another skill's service has not. */
		if (!collides_with(p, wanting, false))
			return ANSWER_KEEP;
	}
	return find_taken(&p->taken, &wanting->port, false) ? take_side(p, wanting)
							    : ANSWER_KEEP;
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
	struct binding binding = {.service = item->name, .skills = item->skills};
	struct compose_port declared;
	enum answer answer = ANSWER_AGAIN;

	if (compose_port_item_parse(node, &declared, &ignored) < 0 || !declared.known)
		return yaml_copy(p->doc, node);
	binding.port = declared;
	for (int turn = 0; answer == ANSWER_AGAIN && turn < MAX_TURNS; turn++) {
		answer = resolve_port(p, &binding);
		binding.moved = !same_range(binding.port.host, declared.host);
	}
	if (answer != ANSWER_KEEP || (binding.moved && find_taken(mine, &binding.port, false)))
		return NULL;
	binding.node = binding.moved ? compose_port_move(p->doc, node, binding.port.host)
				     : yaml_copy(p->doc, node);
	add_binding(p, mine, &binding);
	add_binding(p, &p->wanted, &binding);
	return binding.node;
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
		add_binding(p, &p->taken, &mine.list[i]);
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

void compose_plan_ports(const struct structured_input *input, struct compose_file *own,
	struct yaml_doc *doc, struct compose_items *services, struct structured_output *output)
{
	const struct yaml_node *list = own->sections[COMPOSE_SERVICES].value;
	struct port_planner p = {.input = input, .own = own, .doc = doc, .output = output};

	for (size_t i = 0; list && i < list->count; i++) {
		const struct yaml_entry *entry = &list->entries[i];

		if (!is_replaced(services, entry->key))
			add_service(&p, &p.taken, entry->key, NULL, entry->value);
	}
	for (size_t i = 0; i < p.taken.count; i++)
		add_binding(&p, &p.declared, &p.taken.list[i]);
	for (size_t i = 0; i < services->count; i++) {
		const struct compose_item *item = &services->list[i];

		if (item->definition && !item->stays)
			add_service(
				&p, &p.declared, item->name, item->skills, item->definition);
	}
	for (size_t i = 0; i < p.declared.count; i++)
		add_binding(&p, &p.wanted, &p.declared.list[i]);
	for (size_t i = 0; i < services->count; i++)
		if (services->list[i].definition && !services->list[i].stays)
			serve_item(&p, &services->list[i]);
}
