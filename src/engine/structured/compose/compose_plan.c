#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "engine/structured/compose/compose.h"
#include "format/yaml_write.h"

#define DESCRIBE_MAX ((size_t)200) /* bytes of a definition in a claim */
#define SERVICE_KEY  "service "    /* in the key of a clash */

struct planner {
	const struct structured_input *input;
	const struct compose_file *own;
	struct yaml_doc *doc;
	struct compose_plan *plan;
	struct structured_output *output;
	struct error *err;
};

/* --- items ------------------------------------------------------------------------------- */

/* Find an item, or add it. */
static struct compose_item *need_item(
	struct planner *p, enum compose_kind kind, struct view name)
{
	struct compose_items *items = &p->plan->kinds[kind];
	size_t at = 0;

	while (at < items->count && view_compare(items->list[at].name, name) < 0)
		at++;
	if (at < items->count && view_equal(items->list[at].name, name))
		return &items->list[at];
	items->list = arena_grow(
		&p->doc->arena, items->list, items->count, &items->cap, sizeof(*items->list));
	memmove(&items->list[at + 1], &items->list[at],
		(items->count - at) * sizeof(items->list[0]));
	items->count++;
	items->list[at] = (struct compose_item){
		.name = name,
		.skills = yaml_new_sequence(p->doc),
		.own = compose_find(p->own, kind, name),
	};
	return &items->list[at];
}

/* In their order: a volume gets them from its services, one after the other. */
static void add_skill(struct compose_item *item, const char *skill)
{
	struct yaml_node *all = item->skills;

	if (yaml_has_item(all, view_of(skill)))
		return;
	yaml_append(all, yaml_new_string(all->doc, skill));
	for (size_t i = all->count - 1; i > 0; i--) {
		struct yaml_node *last = all->items[i];

		if (strcmp(all->items[i - 1]->text.data, last->text.data) <= 0)
			break;
		all->items[i] = all->items[i - 1];
		all->items[i - 1] = last;
	}
}

/* Did a person remove or change it? That is recorded again as long as skills want it. */
static bool is_unwanted(struct planner *p, enum compose_kind kind, struct view name)
{
	struct yaml_node *noted;

	if (!yaml_has_item(yaml_get(p->input->unwanted, compose_kind_names[kind]), name))
		return false;
	noted = yaml_need(p->output->record, "unwanted", YAML_MAPPING);
	noted = yaml_need(noted, compose_kind_names[kind], YAML_SEQUENCE);
	if (!yaml_has_item(noted, name))
		yaml_append(noted, yaml_new_string_view(p->doc, name));
	return true;
}

static void warn_unwanted(struct planner *p, enum compose_kind kind,
	const struct compose_item *item, const char *what)
{
	static const char *const words[COMPOSE_KINDS] = {"service", "volume", "network"};
	CLEANUP(freep) char *shown = utf8_excerpt(item->name);
	CLEANUP(buf_release) struct buf who = BUF_INIT;

	for (size_t i = 0; i < item->skills->count; i++)
		buf_appendf(&who, "%s'%.*s'", i ? ", " : "",
			VIEW_ARGS(item->skills->items[i]->text));
	structured_warn(p->output, "%s '%s' of skill %s was %s in '%s' by hand; the edit stays",
		words[kind], shown, who.data, what, p->input->name);
}

/* --- services: one name, one definition -------------------------------------------------- */

static const struct yaml_node *declared_by(
	const struct contribution *contribution, struct view name)
{
	const struct yaml_entry *entry = yaml_find(contribution->declared, name);

	return entry && entry->value->kind == YAML_MAPPING ? entry->value : NULL;
}

/* A claim shows the definition on one line, of bounded length. */
static int claim_service(struct planner *p, struct clash *clash, const char *who,
	const struct yaml_node *definition)
{
	CLEANUP(buf_release) struct buf what = BUF_INIT;

	if (compose_write_flow_value(definition, &what, p->err) < 0)
		return -1;
	if (what.len > DESCRIBE_MAX) {
		struct hash hash = hash_of(view_of_buf(&what));
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&hash, hex);
		buf_set_len(&what, utf8_valid_len((struct view){what.data, DESCRIBE_MAX}));
		buf_appendf(&what, "... (%.12s)", hex);
	}
	clash_add_claim(clash, who, what.data);
	return 0;
}

static int describe_service_clash(
	struct planner *p, const struct compose_item *item, struct clash *clash)
{
	CLEANUP(buf_release) struct buf about = BUF_INIT;

	if (item->own && claim_service(p, clash, "", item->own->value) < 0)
		return -1;
	for (size_t i = 0; i < p->input->contribution_count; i++) {
		const struct contribution *contribution = &p->input->contributions[i];
		const struct yaml_node *definition = declared_by(contribution, item->name);

		if (definition && claim_service(p, clash, contribution->skill, definition) < 0)
			return -1;
	}
	buf_appendf(&about, "service '%.*s' is defined differently:", VIEW_ARGS(item->name));
	for (size_t i = 0; i < clash->claim_count; i++) {
		const struct claim *claim = &clash->claims[i];

		if (*claim->who)
			buf_appendf(&about, "%s skill '%s' has %s", i ? ";" : "", claim->who,
				claim->what);
		else
			buf_appendf(&about, " '%s' itself has %s", p->input->name, claim->what);
	}
	clash->about = buf_take(&about);
	return 0;
}

/* The definition in a decision; NULL if it cannot be read. */
static const struct yaml_node *read_decided(struct planner *p, const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;

	if (!text || yaml_parse(view_of(text), "the decision", &doc, &ignored) < 0 ||
		doc->root->kind != YAML_MAPPING)
		return NULL;
	return yaml_copy(p->doc, doc->root);
}

const struct yaml_node *compose_find_there(
	const struct structured_input *input, struct view service, struct yaml_doc *doc)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	const struct yaml_entry *entry;

	if (compose_file_parse(input->file, input->name, &file, &ignored) < 0)
		return NULL;
	entry = compose_find(&file, COMPOSE_SERVICES, service);
	return entry && entry->value->kind == YAML_MAPPING ? yaml_copy(doc, entry->value)
							   : NULL;
}

/* As decided, or one side of the conflict. */
static int resolve_service_clash(struct planner *p, struct compose_item *item)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(freep) char *key = xasprintf(SERVICE_KEY "%.*s", VIEW_ARGS(item->name));
	struct clash *clash = clash_list_add(&clashes, key);
	const struct yaml_node *first, *last = NULL;
	const char *decision;

	if (describe_service_clash(p, item, clash) < 0)
		return -1;
	if (clash_is_decided(clash, p->input, &decision)) {
		item->definition = read_decided(p, decision);
		if (!decision || item->definition)
			return 0;
	}
	first = compose_find_there(p->input, item->name, p->doc);
	if (!first)
		first = read_decided(p, clash_former_decision(clash, p->input));
	if (!first && item->own)
		first = item->own->value;
	for (size_t i = 0; i < p->input->contribution_count; i++) {
		const struct contribution *from = &p->input->contributions[i];
		const struct yaml_node *definition = declared_by(from, item->name);

		if (!first)
			first = definition;
		if (!definition || yaml_equal(first, definition))
			continue;
		last = definition;
		if (p->input->asking && !strcmp(from->skill, p->input->asking))
			break;
	}
	if (p->input->side != CLASH_NEITHER)
		item->definition = p->input->side == CLASH_FIRST ? first : last;
	clash_report(clash, p->output);
	return 0;
}

/* Do all skills, and the own content, want the same? */
static int plan_service(struct planner *p, struct compose_item *item)
{
	const struct yaml_node *first = item->own ? item->own->value : NULL;
	bool changed = item->own && is_unwanted(p, COMPOSE_SERVICES, item->name);
	bool agree = true;

	for (size_t i = 0; i < p->input->contribution_count; i++) {
		const struct yaml_node *definition =
			declared_by(&p->input->contributions[i], item->name);

		if (!first)
			first = definition;
		agree = agree && (!definition || yaml_equal(first, definition));
	}
	if (!agree && changed)
		warn_unwanted(p, COMPOSE_SERVICES, item, "changed");
	if (agree || changed)
		item->definition = first;
	else if (resolve_service_clash(p, item) < 0)
		return -1;
	item->stays =
		item->own && item->definition && yaml_equal(item->own->value, item->definition);
	return 0;
}

int compose_resolved(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	CLEANUP(buf_release) struct buf definition = BUF_INIT;
	struct view key = view_of(clash->key);
	const struct yaml_entry *entry;

	if (compose_file_parse(text, name, &file, err) < 0)
		return -1;
	if (!view_starts_with(key, SERVICE_KEY))
		return compose_resolved_port(&file, name, clash, doc, ret_value, err);
	key = view_slice(key, strlen(SERVICE_KEY), key.len);
	entry = compose_find(&file, COMPOSE_SERVICES, key);
	if (!entry || entry->value->kind != YAML_MAPPING) {
		*ret_value = NULL;
		return 0;
	}
	if (yaml_write(entry->value, &definition, err) < 0)
		return -1;
	*ret_value = yaml_new_string(doc, definition.data);
	return 0;
}

/* --- volumes and networks ---------------------------------------------------------------- */

/* The volumes or networks that a service needs and the own content does not have. */
static void add_needed(struct planner *p, enum compose_kind kind,
	const struct compose_item *service, const struct yaml_node *needs,
	const struct yaml_node *own_needs)
{
	const struct yaml_node *names =
		yaml_get_kind(needs, compose_kind_names[kind], YAML_MAPPING);

	for (size_t i = 0; i < names->count; i++) {
		struct view name = names->entries[i].key;
		struct compose_item *item;

		if (compose_find(p->own, kind, name))
			continue;
		item = need_item(p, kind, name);
		item->definition = yaml_new_mapping(p->doc);
		item->used_by_own = compose_has_need(own_needs, kind, name);
		for (size_t k = 0; k < service->skills->count; k++)
			add_skill(item, service->skills->items[k]->text.data);
	}
}

static void plan_needs(struct planner *p)
{
	const struct compose_items *services = &p->plan->kinds[COMPOSE_SERVICES];
	const struct yaml_node *own = p->own->sections[COMPOSE_SERVICES].value;
	struct yaml_node *own_needs = yaml_new_mapping(p->doc);

	for (size_t i = 0; own && i < own->count; i++)
		compose_add_needs(own->entries[i].value, own_needs);
	for (size_t i = 0; i < services->count; i++) {
		const struct compose_item *service = &services->list[i];
		struct yaml_node *needs = yaml_new_mapping(p->doc);

		if (!service->definition || service->stays)
			continue;
		compose_add_needs(service->definition, needs);
		add_needed(p, COMPOSE_VOLUMES, service, needs, own_needs);
		add_needed(p, COMPOSE_NETWORKS, service, needs, own_needs);
	}
	for (size_t kind = COMPOSE_VOLUMES; kind < COMPOSE_KINDS; kind++)
		for (size_t i = 0; i < p->plan->kinds[kind].count; i++) {
			struct compose_item *item = &p->plan->kinds[kind].list[i];

			if (!is_unwanted(p, kind, item->name))
				continue;
			warn_unwanted(p, kind, item, "left out");
			item->definition = NULL;
		}
}

int compose_plan_make(const struct structured_input *input, struct compose_file *own,
	struct yaml_doc *doc, struct compose_plan *ret_plan, struct structured_output *output,
	struct error *err)
{
	struct compose_plan plan = {0};
	struct planner p = {input, own, doc, &plan, output, err};
	struct compose_items *services = &p.plan->kinds[COMPOSE_SERVICES];
	size_t kept = 0;

	for (size_t i = 0; i < p.input->contribution_count; i++) {
		const struct contribution *contribution = &p.input->contributions[i];
		const struct yaml_node *declared = contribution->declared;

		for (size_t k = 0; declared->kind == YAML_MAPPING && k < declared->count; k++)
			if (declared->entries[k].value->kind == YAML_MAPPING)
				add_skill(need_item(&p, COMPOSE_SERVICES,
						  declared->entries[k].key),
					contribution->skill);
	}
	for (size_t i = 0; i < services->count; i++) {
		const struct compose_item *item = &services->list[i];

		if (!item->own && is_unwanted(&p, COMPOSE_SERVICES, item->name))
			warn_unwanted(&p, COMPOSE_SERVICES, item, "left out");
		else
			services->list[kept++] = *item;
	}
	services->count = kept;
	for (size_t i = 0; i < services->count; i++)
		if (plan_service(&p, &services->list[i]) < 0)
			return -1;
	compose_plan_ports(input, own, doc, &plan.kinds[COMPOSE_SERVICES], output);
	plan_needs(&p);
	*ret_plan = plan;
	return 0;
}
