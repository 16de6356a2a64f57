#include "engine/structured/compose/compose_needs.h"

#include <string.h>

bool compose_name_valid(struct view name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'))
			return false;
	}
	return name.len > 0;
}

/* In `data:/var/lib/data:ro` it is `data`; a path is none, nor is a lone container path. */
static bool short_volume(struct view text, struct view *ret_name)
{
	const char *colon = memchr(text.data, ':', text.len);
	struct view name;

	if (!colon)
		return false;
	name = view_slice(text, 0, (size_t)(colon - text.data));
	if (!compose_name_valid(name) || name.data[0] == '.')
		return false;
	if (name.len == 1 &&
		(text.data[2] == '\\' || (text.data[2] == '/' && text.len > 2 &&
						 memchr(text.data + 2, ':', text.len - 2))))
		return false; /* C:\folder and C:/folder:/target */
	*ret_name = name;
	return true;
}

static bool long_volume(const struct yaml_node *item, struct view *ret_name)
{
	const struct yaml_node *type = yaml_get(item, "type");
	const struct yaml_node *source = yaml_get(item, "source");

	if (!type || type->kind != YAML_SCALAR || !view_equal_str(type->text, "volume"))
		return false;
	if (!source || source->kind != YAML_SCALAR || !compose_name_valid(source->text))
		return false;
	*ret_name = source->text;
	return true;
}

static void visit_volumes(
	const struct yaml_node *volumes, compose_need_visitor *visit, void *data)
{
	if (!volumes || volumes->kind != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < volumes->count; i++) {
		const struct yaml_node *item = volumes->items[i];
		struct view name;

		if (item->kind == YAML_MAPPING
				? long_volume(item, &name)
				: item->kind == YAML_SCALAR && short_volume(item->text, &name))
			visit(COMPOSE_VOLUMES, name, data);
	}
}

static void visit_network(struct view name, compose_need_visitor *visit, void *data)
{
	if (compose_name_valid(name) && !view_equal_str(name, "default"))
		visit(COMPOSE_NETWORKS, name, data);
}

static void visit_networks(
	const struct yaml_node *networks, compose_need_visitor *visit, void *data)
{
	if (!networks || networks->kind == YAML_SCALAR)
		return;
	for (size_t i = 0; i < networks->count; i++)
		if (networks->kind == YAML_MAPPING)
			visit_network(networks->entries[i].key, visit, data);
		else if (networks->items[i]->kind == YAML_SCALAR)
			visit_network(networks->items[i]->text, visit, data);
}

void compose_needs(const struct yaml_node *service, compose_need_visitor *visit, void *data)
{
	visit_volumes(yaml_get(service, "volumes"), visit, data);
	visit_networks(yaml_get(service, "networks"), visit, data);
}

struct search {
	enum compose_kind kind;
	struct view name;
	bool found;
};

static void compare_need(enum compose_kind kind, struct view name, void *data)
{
	struct search *search = data;

	if (kind == search->kind && view_equal(name, search->name))
		search->found = true;
}

bool compose_needs_one(
	const struct yaml_node *service, enum compose_kind kind, struct view name)
{
	struct search search = {kind, name, false};

	compose_needs(service, compare_need, &search);
	return search.found;
}
