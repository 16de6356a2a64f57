#include "engine/maintain/matrix_overlap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/state/remap.h"
#include "engine/structured/compose/compose_ports.h"
#include "engine/structured/env/env.h"
#include "engine/structured/npm/npm.h"
#include "util/buf.h"

const char *const matrix_target_names[] = {
	[MATRIX_FILE] = "file",
	[MATRIX_FILE_OP] = "file-op",
	[MATRIX_NPM] = "npm",
	[MATRIX_ENV] = "env",
	[MATRIX_SERVICE] = "service",
	[MATRIX_PORT] = "port",
};

/* --- lists ----------------------------------------------------------------------- */

static int compare(const struct matrix_overlap *a, enum matrix_target target, const char *name)
{
	if (a->target != target)
		return a->target < target ? -1 : 1;
	return strcmp(a->name, name);
}

void matrix_overlaps_add(
	struct matrix_overlaps *overlaps, enum matrix_target target, const char *name)
{
	size_t at = 0;

	while (at < overlaps->count && compare(&overlaps->list[at], target, name) < 0)
		at++;
	if (at < overlaps->count && compare(&overlaps->list[at], target, name) == 0)
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
		matrix_overlaps_add(to, from->list[i].target, from->list[i].name);
}

void matrix_overlaps_common(const struct matrix_overlaps *a, const struct matrix_overlaps *b,
	struct matrix_overlaps *ret_common)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (compare(&a->list[i], b->list[k].target, b->list[k].name) == 0)
				matrix_overlaps_add(
					ret_common, a->list[i].target, a->list[i].name);
}

/* A file needs no word before its name. */
static void describe(const struct matrix_overlap *overlap, struct buf *out)
{
	static const char *const before[] = {
		[MATRIX_FILE] = "",
		[MATRIX_FILE_OP] = "renamed or deleted ",
		[MATRIX_NPM] = "npm package ",
		[MATRIX_ENV] = "variable ",
		[MATRIX_SERVICE] = "service ",
		[MATRIX_PORT] = "port ",
	};

	buf_appendf(out, "%s%s", before[overlap->target], overlap->name);
}

void matrix_overlaps_describe(
	const struct matrix_overlaps *overlaps, size_t max, struct buf *out)
{
	size_t shown = overlaps->count > max ? max : overlaps->count;

	for (size_t i = 0; i < shown; i++) {
		if (i)
			buf_append_str(out, ", ");
		describe(&overlaps->list[i], out);
	}
	if (shown < overlaps->count)
		buf_appendf(out, " and %zu more", overlaps->count - shown);
}

void matrix_overlaps_release(struct matrix_overlaps *overlaps)
{
	for (size_t i = 0; i < overlaps->count; i++)
		free(overlaps->list[i].name);
	free(overlaps->list);
}

/* --- files ----------------------------------------------------------------------- */

/* A path that a skill touches, as it is called now. */
struct touch {
	struct relpath path;
	enum matrix_target target; /* MATRIX_FILE or MATRIX_FILE_OP */
};

struct touches {
	struct touch *list;
	size_t count;
	size_t cap;
};

static void touches_release(struct touches *touches)
{
	for (size_t i = 0; i < touches->count; i++)
		relpath_release(&touches->list[i].path);
	free(touches->list);
}

static void add_touch(struct touches *touches, const struct state *state,
	const struct relpath *path, enum matrix_target target)
{
	GROW(touches->list, touches->count, touches->cap);
	touches->list[touches->count++] = (struct touch){
		.path = state->doc ? remap_follow(state, path) : relpath_copy(path),
		.target = target,
	};
}

static void gather(
	const struct manifest *manifest, const struct state *state, struct touches *touches)
{
	for (size_t i = 0; i < manifest->adds.count; i++)
		add_touch(touches, state, &manifest->adds.list[i].path, MATRIX_FILE);
	for (size_t i = 0; i < manifest->modifies.count; i++)
		add_touch(touches, state, &manifest->modifies.list[i].path, MATRIX_FILE);
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		const struct file_op *op = &manifest->file_ops[i];

		add_touch(touches, state, &op->from, MATRIX_FILE_OP);
		if (op->type == FILE_OP_RENAME)
			add_touch(touches, state, &op->to, MATRIX_FILE_OP);
	}
}

/* Are the two the same, or is one of them in the other, which is a folder then? */
static bool meet(const struct relpath *a, const struct relpath *b)
{
	size_t x = strlen(a->text), y = strlen(b->text);
	const char *longer = x < y ? b->text : a->text;
	size_t shorter = x < y ? x : y;

	return !strncmp(a->text, b->text, shorter) &&
	       (longer[shorter] == '\0' || longer[shorter] == '/');
}

/* The longer one is the file, where the other is its folder. */
static void compare_files(
	const struct touches *a, const struct touches *b, struct matrix_overlaps *overlaps)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++) {
			const struct touch *x = &a->list[i], *y = &b->list[k];
			bool by_op = x->target == MATRIX_FILE_OP || y->target == MATRIX_FILE_OP;

			if (meet(&x->path, &y->path))
				matrix_overlaps_add(overlaps,
					by_op ? MATRIX_FILE_OP : MATRIX_FILE,
					strlen(x->path.text) < strlen(y->path.text)
						? y->path.text
						: x->path.text);
		}
}

/* --- structured files -------------------------------------------------------------- */

/* What the manifest declares for a format; NULL: nothing. */
static const struct yaml_node *declared(
	const struct manifest *manifest, const struct structured_format *format)
{
	const struct yaml_node *node = yaml_get(manifest->structured, format->member);

	return node && node->kind != YAML_SCALAR && node->count ? node : NULL;
}

/* Files that the one touches as any other, and for which the other declares entries. */
static void compare_as_text(const struct touches *touches, const struct manifest *other,
	struct matrix_overlaps *overlaps)
{
	for (size_t i = 0; i < touches->count; i++) {
		const struct touch *touch = &touches->list[i];
		const struct structured_format *format = structured_format_of(touch->path.text);

		if (format && declared(other, format))
			matrix_overlaps_add(overlaps, touch->target, touch->path.text);
	}
}

static void compare_npm(
	const struct manifest *a, const struct manifest *b, struct matrix_overlaps *overlaps)
{
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
	struct npm_wish wish = {0};
	const struct contribution both[] = {
		{a->skill, declared(a, &structured_npm)},
		{b->skill, declared(b, &structured_npm)},
	};

	if (!both[0].declared || !both[1].declared)
		return;
	npm_claims_read(both, ARRAY_SIZE(both), &claims);
	while (npm_claims_next(&claims, &wish))
		if (wish.count > 1)
			matrix_overlaps_add(overlaps, MATRIX_NPM, wish.name);
}

static void compare_env(
	const struct manifest *a, const struct manifest *b, struct matrix_overlaps *overlaps)
{
	const struct yaml_node *of_a = declared(a, &structured_env);
	const struct yaml_node *of_b = declared(b, &structured_env);
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("declared");
	const struct yaml_node *x = env_declared_read(of_a, doc, NULL);
	const struct yaml_node *y = env_declared_read(of_b, doc, NULL);

	for (size_t i = 0; i < x->count; i++)
		if (yaml_find(y, x->entries[i].key))
			matrix_overlaps_add(overlaps, MATRIX_ENV, x->entries[i].key.data);
}

/* --- services and their ports -------------------------------------------------------- */

static void add_port(const struct compose_port *a, const struct compose_port *b,
	struct matrix_overlaps *overlaps)
{
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	struct port_range common = {
		a->host.first > b->host.first ? a->host.first : b->host.first,
		a->host.last < b->host.last ? a->host.last : b->host.last,
	};

	port_range_append(&name, common);
	buf_appendf(&name, "/%s", a->protocol);
	matrix_overlaps_add(overlaps, MATRIX_PORT, name.data);
}

static void compare_ports(const struct yaml_node *of_a, const struct yaml_node *of_b,
	struct matrix_overlaps *overlaps)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct compose_ports x = {0}, y = {0};

	for (size_t i = 0; i < of_a->count; i++)
		compose_ports_add(of_a->entries[i].value, &arena, &x);
	for (size_t i = 0; i < of_b->count; i++)
		compose_ports_add(of_b->entries[i].value, &arena, &y);
	for (size_t i = 0; i < x.count; i++)
		for (size_t k = 0; k < y.count; k++)
			if (compose_ports_collide(&x.list[i], &y.list[k]))
				add_port(&x.list[i], &y.list[k], overlaps);
}

static void compare_services(
	const struct manifest *a, const struct manifest *b, struct matrix_overlaps *overlaps)
{
	const struct yaml_node *of_a = declared(a, &structured_compose);
	const struct yaml_node *of_b = declared(b, &structured_compose);

	if (!of_a || !of_b || of_a->kind != YAML_MAPPING || of_b->kind != YAML_MAPPING)
		return;
	for (size_t i = 0; i < of_a->count; i++)
		if (yaml_find(of_b, of_a->entries[i].key))
			matrix_overlaps_add(
				overlaps, MATRIX_SERVICE, of_a->entries[i].key.data);
	compare_ports(of_a, of_b, overlaps);
}

void matrix_overlap(const struct manifest *a, const struct manifest *b,
	const struct state *state, struct matrix_overlaps *overlaps)
{
	CLEANUP(touches_release) struct touches x = {0};
	CLEANUP(touches_release) struct touches y = {0};

	gather(a, state, &x);
	gather(b, state, &y);
	compare_files(&x, &y, overlaps);
	compare_as_text(&x, b, overlaps);
	compare_as_text(&y, a, overlaps);
	compare_npm(a, b, overlaps);
	compare_env(a, b, overlaps);
	compare_services(a, b, overlaps);
}
