#include "engine/maintain/matrix_overlap.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/package/structured_format.h"
#include "engine/state/remap.h"
#include "engine/structured/compose/compose_ports.h"
#include "engine/structured/env/env.h"
#include "engine/structured/npm/npm.h"

const char *const matrix_target_names[] = {
	[MATRIX_FILE] = "file",
	[MATRIX_FILE_OP] = "file-op",
	[MATRIX_NPM] = "npm",
	[MATRIX_ENV] = "env",
	[MATRIX_SERVICE] = "service",
	[MATRIX_PORT] = "port",
};

static int overlap_compare(
	const struct matrix_overlap *a, enum matrix_target target, const char *name)
{
	if (a->target != target)
		return a->target < target ? -1 : 1;
	return strcmp(a->name, name);
}

static void overlaps_add(
	struct matrix_overlaps *overlaps, enum matrix_target target, const char *name)
{
	size_t at = 0;

	while (at < overlaps->count && overlap_compare(&overlaps->list[at], target, name) < 0)
		at++;
	if (at < overlaps->count && overlap_compare(&overlaps->list[at], target, name) == 0)
		return;
	GROW(overlaps->list, overlaps->count, overlaps->cap);
	memmove(&overlaps->list[at + 1], &overlaps->list[at],
		(overlaps->count - at) * sizeof(*overlaps->list));
	overlaps->list[at] = (struct matrix_overlap){target, xstrdup(name)};
	overlaps->count++;
}

void matrix_overlaps_copy(const struct matrix_overlaps *from, struct matrix_overlaps *to)
{
	for (size_t i = 0; i < from->count; i++)
		overlaps_add(to, from->list[i].target, from->list[i].name);
}

void matrix_overlaps_common(const struct matrix_overlaps *a, const struct matrix_overlaps *b,
	struct matrix_overlaps *ret_common)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (overlap_compare(&a->list[i], b->list[k].target, b->list[k].name) ==
				0)
				overlaps_add(ret_common, a->list[i].target, a->list[i].name);
}

void matrix_overlaps_describe(
	const struct matrix_overlaps *overlaps, size_t max, struct buf *out)
{
	/* A file needs no word before its name. */
	static const char *const before[] = {
		[MATRIX_FILE] = "",
		[MATRIX_FILE_OP] = "renamed or deleted ",
		[MATRIX_NPM] = "npm package ",
		[MATRIX_ENV] = "variable ",
		[MATRIX_SERVICE] = "service ",
		[MATRIX_PORT] = "port ",
	};
	size_t shown = overlaps->count > max ? max : overlaps->count;

	for (size_t i = 0; i < shown; i++)
		buf_appendf(out, "%s%s%s", i ? ", " : "", before[overlaps->list[i].target],
			overlaps->list[i].name);
	if (shown < overlaps->count)
		buf_appendf(out, " and %zu more", overlaps->count - shown);
}

void matrix_overlaps_release(struct matrix_overlaps *overlaps)
{
	for (size_t i = 0; i < overlaps->count; i++)
		free(overlaps->list[i].name);
	free(overlaps->list);
}

/* --- what a skill touches and declares --- */

/* The entries that the manifest declares for a format; NULL: none. */
static const struct yaml_node *declared_for(
	const struct manifest *manifest, const struct structured_format *format)
{
	const struct yaml_node *node = yaml_get(manifest->structured, format->member);

	return node && node->kind != YAML_SCALAR && node->count ? node : NULL;
}

static const struct yaml_node *services_of(const struct manifest *manifest)
{
	return yaml_get_kind(manifest->structured, structured_compose.member, YAML_MAPPING);
}

/* Under its present name. */
static void claim_path(struct matrix_overlaps *claims, const struct state *state,
	const struct relpath *path, enum matrix_target target)
{
	CLEANUP(relpath_release)
	struct relpath now = state->doc ? remap_follow(state, path) : relpath_copy(path);

	overlaps_add(claims, target, now.text);
}

/* Everything but ports. */
static void gather_claims(const struct manifest *manifest, const struct state *state,
	struct matrix_overlaps *claims)
{
	const struct contribution one = {
		manifest->skill, declared_for(manifest, &structured_npm)};
	const struct yaml_node *services = services_of(manifest);
	CLEANUP(npm_claims_release) struct npm_claims npm = NPM_CLAIMS_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("declared");
	const struct yaml_node *variables =
		env_declared_read(declared_for(manifest, &structured_env), doc, NULL);

	for (size_t i = 0; i < manifest->adds.count; i++)
		claim_path(claims, state, &manifest->adds.list[i].path, MATRIX_FILE);
	for (size_t i = 0; i < manifest->modifies.count; i++)
		claim_path(claims, state, &manifest->modifies.list[i].path, MATRIX_FILE);
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		const struct file_op *op = &manifest->file_ops[i];

		claim_path(claims, state, &op->from, MATRIX_FILE_OP);
		if (op->type == FILE_OP_RENAME)
			claim_path(claims, state, &op->to, MATRIX_FILE_OP);
	}
	if (one.declared)
		npm_claims_read(&one, 1, &npm);
	for (size_t i = 0; i < npm.count; i++)
		overlaps_add(claims, MATRIX_NPM, npm.list[i].name);
	for (size_t i = 0; i < variables->count; i++)
		overlaps_add(claims, MATRIX_ENV, variables->entries[i].key.data);
	for (size_t i = 0; i < services->count; i++)
		overlaps_add(claims, MATRIX_SERVICE, services->entries[i].key.data);
}

/* --- what two of them share --- */

static bool is_file(const struct matrix_overlap *claim)
{
	return claim->target == MATRIX_FILE || claim->target == MATRIX_FILE_OP;
}

/* Are the two the same, or is one of them a folder of the other? */
static bool paths_meet(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b);
	const char *longer = x < y ? b : a;
	size_t shorter = x < y ? x : y;

	return !strncmp(a, b, shorter) && (longer[shorter] == '\0' || longer[shorter] == '/');
}

static void compare_claims(const struct matrix_overlap *x, const struct matrix_overlap *y,
	struct matrix_overlaps *overlaps)
{
	if (!is_file(x) || !is_file(y)) {
		if (x->target == y->target && !strcmp(x->name, y->name))
			overlaps_add(overlaps, x->target, x->name);
	} else if (paths_meet(x->name, y->name)) {
		/* The longer one is the file, if the other is its folder. */
		overlaps_add(overlaps, x->target == y->target ? x->target : MATRIX_FILE_OP,
			strlen(x->name) < strlen(y->name) ? y->name : x->name);
	}
}

/* Files that one skill touches as text, and for which the other declares entries. */
static void compare_as_text(const struct matrix_overlaps *claims, const struct manifest *other,
	struct matrix_overlaps *overlaps)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct matrix_overlap *claim = &claims->list[i];
		const struct structured_format *format =
			is_file(claim) ? structured_format_of(claim->name) : NULL;

		if (format && declared_for(other, format))
			overlaps_add(overlaps, claim->target, claim->name);
	}
}

static void compare_ports(const struct compose_port *a, const struct compose_port *b,
	struct matrix_overlaps *overlaps)
{
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	struct port_range common = {
		a->host.first > b->host.first ? a->host.first : b->host.first,
		a->host.last < b->host.last ? a->host.last : b->host.last,
	};

	if (!compose_ports_collide(a, b))
		return;
	port_range_append(&name, common);
	buf_appendf(&name, "/%s", a->protocol);
	overlaps_add(overlaps, MATRIX_PORT, name.data);
}

void matrix_overlap(const struct manifest *a, const struct manifest *b,
	const struct state *state, struct matrix_overlaps *overlaps)
{
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps x = MATRIX_OVERLAPS_INIT;
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps y = MATRIX_OVERLAPS_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct yaml_node *services_x = services_of(a), *services_y = services_of(b);
	struct compose_ports ports_x = {0}, ports_y = {0};

	gather_claims(a, state, &x);
	gather_claims(b, state, &y);
	for (size_t i = 0; i < x.count; i++)
		for (size_t k = 0; k < y.count; k++)
			compare_claims(&x.list[i], &y.list[k], overlaps);
	compare_as_text(&x, b, overlaps);
	compare_as_text(&y, a, overlaps);
	for (size_t i = 0; i < services_x->count; i++)
		compose_ports_add(services_x->entries[i].value, &arena, &ports_x);
	for (size_t i = 0; i < services_y->count; i++)
		compose_ports_add(services_y->entries[i].value, &arena, &ports_y);
	for (size_t i = 0; i < ports_x.count; i++)
		for (size_t k = 0; k < ports_y.count; k++)
			compare_ports(&ports_x.list[i], &ports_y.list[k], overlaps);
}
