/*
 * The files of a package that people read: manifest.yaml, SKILL.md, and what says how to go on.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/package/intent.h"
#include "util/quote.h"
#include "util/utf8.h"

/* So many files are named in a description that nobody wrote. */
#define NAMED_FILES 2

static const char *version_of(const struct author *a)
{
	return a->request->version ? a->request->version : AUTHOR_VERSION;
}

/* --- what it is ------------------------------------------------------------------- */

static const char *verb_of(enum author_part part)
{
	static const char *const verbs[] = {
		[AUTHOR_ADD] = "adds",
		[AUTHOR_MODIFY] = "changes",
		[AUTHOR_RENAME] = "renames",
		[AUTHOR_DELETE] = "deletes",
		[AUTHOR_DECLARE] = "adds to",
	};

	return verbs[part];
}

/* "Adds src/a.ts, changes src/b.ts and 3 more" */
static char *derive_description(const struct author *a)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct author_plan *plan = &a->plan;
	const struct author_file *last = NULL;
	size_t named = 0;

	if (a->request->description)
		return xstrdup(a->request->description);
	if (!plan->file_count)
		return xasprintf("What %s is for, in one line", a->request->skill);
	for (size_t i = 0; i < plan->file_count; i++) {
		const struct author_file *file = &plan->files[i];
		bool same = last && file->part == last->part;

		if (last && !strcmp(last->path, file->path))
			continue;
		last = file;
		if (++named > NAMED_FILES)
			continue;
		buf_appendf(&text, "%s%s%s", text.len ? ", " : "",
			same ? "" : verb_of(file->part), same ? "" : " ");
		if (utf8_all_printable(view_of(file->path)))
			buf_append_str(&text, file->path);
		else
			quote_append(&text, view_of(file->path));
	}
	if (named > NAMED_FILES)
		buf_appendf(&text, " and %zu more", named - NAMED_FILES);
	text.data[0] = (char)(text.data[0] - 'a' + 'A');
	return buf_take(&text);
}

/* --- manifest.yaml ---------------------------------------------------------------- */

struct writing {
	struct author *author;
	struct yaml_doc *doc;
	struct yaml_node *root;
};

static void put(struct writing *w, const char *key, const char *text)
{
	yaml_set(w->root, key, yaml_new_string(w->doc, text));
}

static struct yaml_node *list(struct writing *w, const char *key, size_t count)
{
	struct yaml_node *node = yaml_new_sequence(w->doc);

	if (count)
		yaml_set(w->root, key, node);
	return node;
}

static void put_files(struct writing *w)
{
	const struct author_plan *plan = &w->author->plan;
	struct yaml_node *adds = list(w, "adds", plan->add_count);
	struct yaml_node *modifies = list(w, "modifies", plan->modify_count);
	struct yaml_node *hashes = yaml_new_mapping(w->doc);

	for (size_t i = 0; i < plan->add_count; i++)
		yaml_append(adds, yaml_new_string(w->doc, plan->adds[i]->path.text));
	for (size_t i = 0; i < plan->modify_count; i++) {
		const struct author_modify *modify = &plan->modifies[i];
		struct hash hash = hash_of(view_of_buf(&modify->ancestor.content));
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&hash, hex);
		yaml_append(modifies, yaml_new_string(w->doc, modify->path.text));
		yaml_set(hashes, modify->path.text, yaml_new_string(w->doc, hex));
	}
	if (plan->modify_count)
		yaml_set(w->root, "base_hashes", hashes);
}

static void put_ops(struct writing *w)
{
	const struct author_plan *plan = &w->author->plan;
	struct yaml_node *ops = list(w, "file_ops", plan->op_count);

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct author_op *op = &plan->ops[i];
		struct yaml_node *node = yaml_new_mapping(w->doc);
		bool rename = op->to.text;

		yaml_set_string(node, "type", rename ? "rename" : "delete");
		yaml_set_string(node, rename ? "from" : "path", op->from.text);
		if (rename)
			yaml_set_string(node, "to", op->to.text);
		yaml_append(ops, node);
	}
}

/* In the order in which people read it. `test` may be NULL. */
static int write_manifest(struct author *a, const char *test, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("manifest.yaml");
	CLEANUP(freep) char *description = derive_description(a);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct writing w = {a, doc, doc->root = yaml_new_mapping(doc)};
	struct yaml_node *depends;

	put(&w, "skill", a->request->skill);
	put(&w, "version", version_of(a));
	put(&w, "description", description);
	put(&w, "core_version", a->core_version);
	put_files(&w);
	put_ops(&w);
	if (a->plan.structured)
		yaml_set(doc->root, "structured", yaml_copy(doc, a->plan.structured));
	depends = list(&w, "depends", a->plan.depends.count);
	for (size_t i = 0; i < a->plan.depends.count; i++)
		yaml_append(depends, yaml_new_string(doc, a->plan.depends.list[i]));
	if (test)
		put(&w, "test", test);
	if (yaml_write_ordered(doc->root, YAML_KEYS_AS_THEY_ARE, &text, err) < 0)
		return -1;
	draft_add(&a->draft, PACK_MANIFEST_NAME, view_of_buf(&text), 0644);
	return 0;
}

/* --- for people
 * ---------------------------------------------------------------------------------
 */

static void append_path(struct buf *out, const char *path)
{
	CLEANUP(freep) char *quoted = quote(view_of(path));

	author_append_code(out, view_of(utf8_all_printable(view_of(path)) ? path : quoted));
}

static void write_skill_md(struct author *a)
{
	CLEANUP(freep) char *description = derive_description(a);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text,
		"# %s\n\n%s.\n\n"
		"<!-- author: what somebody has who applies this, why it is done so, and what there "
		"is to set up afterwards -->\n",
		a->request->skill, description);
	for (size_t i = 0; i < a->plan.file_count; i++) {
		const struct author_file *file = &a->plan.files[i];

		if (!i)
			buf_append_str(&text, "\n## Files\n\n");
		buf_appendf(&text, "- %s ", verb_of(file->part));
		append_path(&text, file->from ? file->from : file->path);
		if (file->from) {
			buf_append_str(&text, " to ");
			append_path(&text, file->path);
		}
		if (file->skill)
			buf_appendf(&text, ", on top of `%s`", file->skill);
		buf_append_char(&text, '\n');
	}
	draft_add(&a->draft, "SKILL.md", view_of_buf(&text), 0644);
}

static void write_tests_note(struct author *a)
{
	CLEANUP(freep)
	char *text = xasprintf(
		"# Tests of %s\n\n"
		"Put a test here that fails without the skill, and say in `manifest.yaml` how it is\n"
		"run, from the root of the project:\n\n"
		"    test: sh %s/tests/%s.sh\n\n"
		"It runs whenever the skill is applied, and after every other operation.\n",
		a->request->skill, a->folder.text, a->request->skill);

	draft_add(&a->draft, "tests/README.md", view_of(text), 0644);
}

int author_write_package(struct author *a, struct error *err)
{
	const struct author_plan *plan = &a->plan;

	if (write_manifest(a, NULL, err) < 0)
		return -1;
	write_skill_md(a);
	write_tests_note(a);
	for (size_t i = 0; i < plan->add_count; i++) {
		CLEANUP(freep) char *name = xasprintf("add/%s", plan->adds[i]->path.text);

		draft_add(&a->draft, name, view_of_buf(&plan->adds[i]->after.content),
			plan->adds[i]->after.mode & 0100 ? 0755 : 0644);
	}
	for (size_t i = 0; i < plan->modify_count; i++) {
		const struct author_modify *modify = &plan->modifies[i];
		CLEANUP(freep) char *name = xasprintf("modify/%s", modify->path.text);
		CLEANUP(freep) char *intent = xasprintf("%s" INTENT_SUFFIX, name);
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		author_write_intent(modify, &text);
		draft_add(&a->draft, name, view_of_buf(&modify->content), modify->mode);
		draft_add(&a->draft, intent, view_of_buf(&text), 0644);
	}
	return 0;
}

/* --- one to begin with
 * ---------------------------------------------------------------------------
 */

/* The command, which a shell reads. */
static char *name_test(const struct author *a, const char *script)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-/";
	const char *folder = a->folder.text;

	if (!folder[strspn(folder, plain)])
		return xasprintf("sh %s/%s", folder, script);
	return strchr(folder, '\'') ? NULL : xasprintf("sh '%s/%s'", folder, script);
}

/* A file that everybody can see to come and go, and a test that sees it, too. */
int author_write_example(struct author *a, struct error *err)
{
	const char *skill = a->request->skill;
	CLEANUP(freep) char *path = xasprintf("%s.example.md", skill);
	CLEANUP(freep) char *name = xasprintf("add/%s", path);
	CLEANUP(freep) char *script = xasprintf("tests/%s.sh", skill);
	CLEANUP(freep) char *test = name_test(a, script);
	CLEANUP(freep)
	char *text = xasprintf(
		"# %s\n\n"
		"An example of a file that a skill adds. Delete it, and its line under "
		"`adds` in\n`manifest.yaml`, when there are files of your own.\n",
		skill);
	CLEANUP(freep)
	char *check = xasprintf(
		"#!/bin/sh\n"
		"# The example is there. Put a test of your own in its place: one that "
		"fails\n# without the skill.\n"
		"set -eu\n\n"
		"[ -f %s ] || {\n"
		"\techo '%s is missing'\n"
		"\texit 1\n"
		"}\n",
		path, path);
	struct author_change *example;

	GROW(a->changes.list, a->changes.count, a->changes.cap);
	example = &a->changes.list[a->changes.count++];
	*example = (struct author_change){.before = TX_FILE_INIT, .after = TX_FILE_INIT};
	if (relpath_parse(view_of(path), &example->path, err) < 0)
		return -1;
	GROW(a->plan.adds, a->plan.add_count, a->plan.add_cap);
	a->plan.adds[a->plan.add_count++] = example;
	if (write_manifest(a, test, err) < 0)
		return -1;
	write_skill_md(a);
	draft_add(&a->draft, name, view_of(text), 0644);
	draft_add(&a->draft, script, view_of(check), 0755);
	return 0;
}
