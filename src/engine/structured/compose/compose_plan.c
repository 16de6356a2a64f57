#include "engine/structured/compose/compose_plan.h"

#include <string.h>

#include "engine/structured/compose/compose_needs.h"
#include "engine/structured/compose/compose_write.h"
#include "util/hash.h"
#include "util/utf8.h"

#define DESCRIBE_MAX ((size_t)200) /* bytes of a definition in a claim */

struct planner {
	const struct structured_input *input;
	const struct compose_file *own;
	struct yaml_doc *doc;
	struct compose_plan *plan;
	struct structured_output *output;
	struct error *err;
};

/* --- items ------------------------------------------------------------------------ */

struct compose_item *compose_items_need(
	struct compose_items *items, struct view name, struct yaml_doc *doc)
{
	size_t at = 0;

	while (at < items->count && view_compare(items->list[at].name, name) < 0)
		at++;
	if (at < items->count && view_equal(items->list[at].name, name))
		return &items->list[at];
	GROW(items->list, items->count, items->cap);
	memmove(&items->list[at + 1], &items->list[at],
		(items->count - at) * sizeof(items->list[0]));
	items->count++;
	items->list[at] = (struct compose_item){.name = name, .skills = yaml_new_sequence(doc)};
	return &items->list[at];
}

void compose_plan_release(struct compose_plan *plan)
{
	for (size_t i = 0; i < COMPOSE_KINDS; i++)
		free(plan->kinds[i].list);
	*plan = COMPOSE_PLAN_INIT;
}

static bool has_text(const struct yaml_node *sequence, struct view text)
{
	for (size_t i = 0; sequence && sequence->kind == YAML_SEQUENCE && i < sequence->count;
		i++)
		if (sequence->items[i]->kind == YAML_SCALAR &&
			view_equal(sequence->items[i]->text, text))
			return true;
	return false;
}

/* In their order: a volume gets them from its services, one after the other. */
static void add_skill(struct compose_item *item, const char *skill)
{
	struct yaml_node *all = item->skills;

	if (has_text(all, view_of(skill)))
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

/* Noted once more, for as long as a skill declares it. */
static bool is_unwanted(struct planner *p, enum compose_kind kind, struct view name)
{
	const struct yaml_node *unwanted = p->input->unwanted;
	struct yaml_node *noted;

	if (!unwanted || !has_text(yaml_get(unwanted, compose_kind_names[kind]), name))
		return false;
	noted = yaml_need(p->output->record, "unwanted", YAML_MAPPING);
	noted = yaml_need(noted, compose_kind_names[kind], YAML_SEQUENCE);
	if (!has_text(noted, name))
		yaml_append(noted, yaml_new_string_view(p->doc, name));
	return true;
}

static void warn_unwanted(struct planner *p, enum compose_kind kind,
	const struct compose_item *item, const char *what)
{
	CLEANUP(freep) char *shown = utf8_excerpt(item->name);
	const struct yaml_node *skills = item->skills;
	CLEANUP(buf_release) struct buf who = BUF_INIT;

	for (size_t i = 0; i < skills->count; i++)
		buf_appendf(&who, "%s'%.*s'", i ? ", " : "", VIEW_ARGS(skills->items[i]->text));
	structured_warn(p->output, "%s '%s' of skill %s was %s in '%s' by hand, and stays so",
		compose_kind_words[kind], shown, who.data, what, p->input->name);
}

/* --- services: one name, one definition ------------------------------------------------ */

int compose_describe(const struct yaml_node *definition, struct buf *out, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;
	size_t len;

	if (compose_write_flow_value(definition, &text, err) < 0)
		return -1;
	if (text.len <= DESCRIBE_MAX) {
		buf_append(out, text.data, text.len);
		return 0;
	}
	hash = hash_of(view_of_buf(&text));
	hash_to_hex(&hash, hex);
	len = utf8_valid_len((struct view){text.data, DESCRIBE_MAX});
	buf_append(out, text.data, len);
	buf_appendf(out, "... (%.12s)", hex);
	return 0;
}

static const struct yaml_node *declared_by(
	const struct contribution *contribution, struct view name)
{
	const struct yaml_entry *entry = yaml_find(contribution->declared, name);

	return entry && entry->value->kind == YAML_MAPPING ? entry->value : NULL;
}

/* Do all want the same, and does the own content? The last definition, by skill. */
static bool all_agree(const struct planner *p, const struct compose_item *item,
	const struct yaml_node **ret_first, const struct yaml_node **ret_last)
{
	const struct yaml_node *first = item->own ? item->own->value : NULL;
	bool agree = true;

	for (size_t i = 0; i < p->input->contribution_count; i++) {
		const struct yaml_node *definition =
			declared_by(&p->input->contributions[i], item->name);

		if (!definition)
			continue;
		if (!first)
			first = definition;
		if (yaml_equal(first, definition))
			continue;
		agree = false;
		*ret_last = definition;
	}
	*ret_first = first;
	return agree;
}

static int claim_service(struct planner *p, struct clash *clash, const char *who,
	const struct yaml_node *definition)
{
	CLEANUP(buf_release) struct buf what = BUF_INIT;

	if (compose_describe(definition, &what, p->err) < 0)
		return -1;
	clash_add_claim(clash, who, what.data);
	return 0;
}

static int describe_clash(
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

/* A definition that was decided for; NULL if there is none that can be read. */
static const struct yaml_node *read_decided(struct planner *p, const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;

	if (!text || yaml_parse(view_of(text), "the decision", &doc, &ignored) < 0 ||
		doc->root->kind != YAML_MAPPING)
		return NULL;
	return yaml_copy(p->doc, doc->root);
}

/* As decided, or one side of the conflict. */
static int settle_clash(struct planner *p, struct compose_item *item,
	const struct yaml_node *first, const struct yaml_node *last)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(freep) char *key = xasprintf(COMPOSE_SERVICE_KEY "%.*s", VIEW_ARGS(item->name));
	struct clash *clash = clash_list_add(&clashes, key);
	const struct yaml_node *former;
	const char *decision;

	if (describe_clash(p, item, clash) < 0)
		return -1;
	if (clash_is_decided(clash, p->input, &decision)) {
		item->definition = read_decided(p, decision);
		if (!decision || item->definition)
			return 0;
	}
	former = read_decided(p, clash_former_decision(clash, p->input));
	if (p->input->side == CLASH_FIRST)
		item->definition = former ? former : first;
	else if (p->input->side == CLASH_LAST)
		item->definition = former && yaml_equal(former, last) ? first : last;
	clash_report(clash, p->output);
	return 0;
}

static int settle_service(struct planner *p, struct compose_item *item)
{
	const struct yaml_node *first = NULL, *last = NULL;
	bool unwanted = item->own && is_unwanted(p, COMPOSE_SERVICES, item->name);

	if (all_agree(p, item, &first, &last)) {
		item->definition = first;
	} else if (unwanted) {
		item->definition = item->own->value;
		warn_unwanted(p, COMPOSE_SERVICES, item, "changed");
	} else if (settle_clash(p, item, first, last) < 0) {
		return -1;
	}
	item->stays =
		item->own && item->definition && yaml_equal(item->own->value, item->definition);
	return 0;
}

static void collect_services(struct planner *p)
{
	struct compose_items *services = &p->plan->kinds[COMPOSE_SERVICES];
	const struct yaml_node *own = p->own->sections[COMPOSE_SERVICES].value;

	for (size_t i = 0; i < p->input->contribution_count; i++) {
		const struct contribution *contribution = &p->input->contributions[i];
		const struct yaml_node *declared = contribution->declared;

		for (size_t k = 0; declared->kind == YAML_MAPPING && k < declared->count; k++) {
			const struct yaml_entry *entry = &declared->entries[k];
			struct compose_item *item;

			if (entry->value->kind != YAML_MAPPING)
				continue;
			item = compose_items_need(services, entry->key, p->doc);
			item->own = own ? yaml_find(own, entry->key) : NULL;
			add_skill(item, contribution->skill);
		}
	}
}

static void drop_unwanted(struct planner *p)
{
	struct compose_items *services = &p->plan->kinds[COMPOSE_SERVICES];
	size_t kept = 0;

	for (size_t i = 0; i < services->count; i++) {
		struct compose_item *item = &services->list[i];

		if (!item->own && is_unwanted(p, COMPOSE_SERVICES, item->name))
			warn_unwanted(p, COMPOSE_SERVICES, item, "left out");
		else
			services->list[kept++] = *item;
	}
	services->count = kept;
}

/* --- volumes and networks --------------------------------------------------------------- */

struct need {
	struct planner *p;
	const struct compose_item *service;
};

static bool used_by_own(const struct planner *p, enum compose_kind kind, struct view name)
{
	const struct yaml_node *services = p->own->sections[COMPOSE_SERVICES].value;

	for (size_t i = 0; services && i < services->count; i++)
		if (compose_needs_one(services->entries[i].value, kind, name))
			return true;
	return false;
}

static void add_need(enum compose_kind kind, struct view name, void *data)
{
	const struct need *need = data;
	struct planner *p = need->p;
	const struct compose_section *section = &p->own->sections[kind];
	struct compose_item *item;

	if (section->value && yaml_find(section->value, name))
		return;
	item = compose_items_need(&p->plan->kinds[kind], name, p->doc);
	item->definition = yaml_new_mapping(p->doc);
	item->used_by_own = used_by_own(p, kind, name);
	for (size_t i = 0; i < need->service->skills->count; i++)
		add_skill(item, need->service->skills->items[i]->text.data);
}

static void plan_needs(struct planner *p)
{
	struct compose_items *services = &p->plan->kinds[COMPOSE_SERVICES];

	for (size_t i = 0; i < services->count; i++) {
		struct need need = {p, &services->list[i]};

		if (need.service->definition && !need.service->stays)
			compose_needs(need.service->definition, add_need, &need);
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

int compose_plan_make(const struct structured_input *input, const struct compose_file *own,
	struct yaml_doc *doc, struct compose_plan *ret_plan, struct structured_output *output,
	struct error *err)
{
	CLEANUP(compose_plan_release) struct compose_plan plan = COMPOSE_PLAN_INIT;
	struct planner p = {input, own, doc, &plan, output, err};
	struct compose_items *services = &plan.kinds[COMPOSE_SERVICES];

	collect_services(&p);
	drop_unwanted(&p);
	for (size_t i = 0; i < services->count; i++)
		if (settle_service(&p, &services->list[i]) < 0)
			return -1;
	compose_plan_ports(input, own, doc, services, output);
	plan_needs(&p);
	*ret_plan = plan;
	plan = COMPOSE_PLAN_INIT;
	return 0;
}
