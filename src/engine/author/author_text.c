/*
 * The files of a package that people read: manifest.yaml, SKILL.md, intents, and the note about
 * tests.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "engine/author/author.h"
#include "engine/author/internal.h"
#include "engine/package/intent.h"
#include "engine/text/diff.h"
#include "engine/text/funcname.h"
#include "engine/text/merge.h"

/* How many files a derived description names. */
#define NAMED_FILES 2

/* Limits that keep the text short enough to read. */
#define SECTIONS_MAX 20
#define LINES_MAX    12
#define LINE_LEN_MAX 120

static const char *const part_verbs[] = {
	[AUTHOR_ADD] = "adds",
	[AUTHOR_MODIFY] = "changes",
	[AUTHOR_RENAME] = "renames",
	[AUTHOR_DELETE] = "deletes",
	[AUTHOR_DECLARE] = "adds to",
};

/* "Adds src/a.ts, changes src/b.ts and 3 more" */
static char *derive_description(const struct author *a)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct author_result *result = a->result;
	const struct author_file *last = NULL;
	size_t named = 0;

	if (a->request->description)
		return xstrdup(a->request->description);
	if (!result->count)
		return xasprintf(AUTHOR_DESCRIPTION, a->request->skill);
	for (size_t i = 0; i < result->count; i++) {
		const struct author_file *file = &result->files[i];
		bool same = last && file->part == last->part;

		if (last && !strcmp(last->path, file->path))
			continue;
		last = file;
		if (++named > NAMED_FILES)
			continue;
		buf_appendf(&text, "%s%s%s", text.len ? ", " : "",
			same ? "" : part_verbs[file->part], same ? "" : " ");
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

/* --- manifest.yaml --- */

/* A list that is a member of the manifest if it will have members itself. */
static struct yaml_node *add_list(struct yaml_doc *doc, const char *key, size_t count)
{
	struct yaml_node *list = yaml_new_sequence(doc);

	if (count)
		yaml_set(doc->root, key, list);
	return list;
}

static void write_lists(const struct author *a, struct yaml_doc *doc)
{
	const struct author_plan *plan = &a->plan;
	struct yaml_node *adds = add_list(doc, "adds", plan->add_count);
	struct yaml_node *modifies = add_list(doc, "modifies", plan->modify_count);
	struct yaml_node *hashes = yaml_new_mapping(doc), *ops;

	for (size_t i = 0; i < plan->add_count; i++)
		yaml_append(adds, yaml_new_string(doc, plan->adds[i]->path.text));
	for (size_t i = 0; i < plan->modify_count; i++) {
		const struct author_modify *modify = &plan->modifies[i];
		struct hash hash = hash_of(view_of_buf(&modify->ancestor.content));
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&hash, hex);
		yaml_append(modifies, yaml_new_string(doc, modify->path.text));
		yaml_set_string(hashes, modify->path.text, hex);
	}
	if (plan->modify_count)
		yaml_set(doc->root, "base_hashes", hashes);
	ops = add_list(doc, "file_ops", plan->op_count);
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct author_op *op = &plan->ops[i];
		struct yaml_node *node = yaml_new_mapping(doc);
		bool rename = op->to.text;

		yaml_set_string(node, "type", rename ? "rename" : "delete");
		yaml_set_string(node, rename ? "from" : "path", op->from.text);
		if (rename)
			yaml_set_string(node, "to", op->to.text);
		yaml_append(ops, node);
	}
}

/* Keys are in the order in which people read them. `test` may be NULL. */
static int write_manifest(
	struct author *a, const char *description, const char *test, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("manifest.yaml");
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct string_array *depends = &a->result->depends;
	struct yaml_node *list;

	doc->root = yaml_new_mapping(doc);
	yaml_set_string(doc->root, "skill", a->request->skill);
	yaml_set_string(doc->root, "version",
		a->request->version ? a->request->version : AUTHOR_VERSION);
	yaml_set_string(doc->root, "description", description);
	yaml_set_string(doc->root, "core_version", a->core_version);
	write_lists(a, doc);
	if (a->plan.structured)
		yaml_set(doc->root, "structured", yaml_copy(doc, a->plan.structured));
	list = add_list(doc, "depends", depends->count);
	for (size_t i = 0; i < depends->count; i++)
		yaml_append(list, yaml_new_string(doc, depends->list[i]));
	if (test)
		yaml_set_string(doc->root, "test", test);
	if (yaml_write_ordered(doc->root, YAML_KEYS_AS_THEY_ARE, &text, err) < 0)
		return -1;
	draft_add(&a->draft, PACK_MANIFEST_NAME, view_of_buf(&text), 0644);
	return 0;
}

/* --- Markdown --- */

/* Use enough backticks to enclose the text. */
static void append_code(struct buf *out, struct view text)
{
	size_t longest = 0, run = 0;
	bool padded;

	for (size_t i = 0; i < text.len; i++) {
		run = text.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	padded = text.len && (text.data[0] == '`' || text.data[text.len - 1] == '`');
	buf_append_repeated(out, '`', longest + 1);
	buf_appendf(out, "%s%.*s%s", padded ? " " : "", VIEW_ARGS(text), padded ? " " : "");
	buf_append_repeated(out, '`', longest + 1);
}

static void append_path(struct buf *out, const char *path)
{
	CLEANUP(freep) char *quoted = quote(view_of(path));

	append_code(out, view_of(utf8_all_printable(view_of(path)) ? path : quoted));
}

/* Claude Code offers it as a slash command: the front matter and the steps are for that. */
static int write_skill_md(struct author *a, const char *description, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("SKILL.md");
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf matter = BUF_INIT;
	const char *skill = a->request->skill;

	doc->root = yaml_new_mapping(doc);
	yaml_set_string(doc->root, "name", skill);
	yaml_set_string(doc->root, "description", description);
	if (yaml_write_ordered(doc->root, YAML_KEYS_AS_THEY_ARE, &matter, err) < 0)
		return -1;
	buf_appendf(&text, "---\n%s---\n\n# %s\n\n%s.\n\n", matter.data, skill, description);
	buf_append_str(&text,
		AUTHOR_MARK " what this skill is good for, and why it works this way -->\n");
	buf_appendf(&text,
		"\n## Steps\n\n"
		"1. Run `nanoclaw status`. If `%s` is listed, it is applied: say so, and stop.\n"
		"2. Run `nanoclaw skill apply %s --dry-run`, and show the person what would change\n"
		"   and which commands would run.\n"
		"3. Ask the questions below, then run `nanoclaw skill apply %s`.\n"
		"4. Exit code 3 is a conflict: merge the files that it lists, as the intent files in\n"
		"   `modify/` say, and run `nanoclaw continue`; `nanoclaw abort` undoes everything.\n"
		"   After any other failure nothing has changed: show the message.\n"
		"5. Run `nanoclaw status`, and say what the person has now.\n"
		"\n## Ask\n\n"
		"- Apply the skill, with the changes and commands of step 2?\n"
		"- If `nanoclaw status` lists unrecorded changes: record them as a patch\n"
		"  (`--on-drift record`), or leave them as they are (`--on-drift continue`)?\n\n",
		skill, a->apply_as, a->apply_as);
	buf_append_str(&text, AUTHOR_MARK
		" what else to ask, and what there is to set up afterwards; or delete this -->\n");
	for (size_t i = 0; i < a->result->count; i++) {
		const struct author_file *file = &a->result->files[i];

		if (!i)
			buf_append_str(&text, "\n## Files\n\n");
		buf_appendf(&text, "- %s ", part_verbs[file->part]);
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
	return 0;
}

/* --- intents, as far as the change itself shows --- */

struct lines {
	struct view *list; /* without line ends */
	size_t count, cap;
};

struct described {
	const struct author_modify *modify;
	bool is_text;
	struct diff_changes changes;
	struct lines old, new;
	size_t added, removed;
};

static void split_lines(struct view text, struct lines *lines)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		GROW(lines->list, lines->count, lines->cap);
		lines->list[lines->count++] = line;
	}
}

/* Is it more than brackets, and short enough to be shown? */
static bool is_worth_showing(struct view line)
{
	size_t letters = 0;

	for (size_t i = 0; i < line.len; i++)
		letters += isalnum((unsigned char)line.data[i]) != 0;
	return letters >= 3 && line.len <= LINE_LEN_MAX && utf8_all_printable(line);
}

static bool has_line(const struct lines *lines, struct view line)
{
	for (size_t i = 0; i < lines->count; i++)
		if (view_equal(view_trim(lines->list[i]), line))
			return true;
	return false;
}

/* Changed lines of one side that the other side does not have. Returns how many. */
static size_t append_lines(
	const struct described *d, bool added, const char *indent, struct buf *out)
{
	const struct lines *all = added ? &d->new : &d->old;
	size_t count = 0;

	for (size_t i = 0; i < d->changes.count; i++) {
		const struct diff_change *c = &d->changes.list[i];
		size_t start = added ? c->new_start : c->old_start;
		size_t end = start + (added ? c->new_count : c->old_count);

		for (size_t j = start; j < end && count < LINES_MAX; j++) {
			struct view line = view_trim(all->list[j]);

			if (!is_worth_showing(line) ||
				has_line(added ? &d->old : &d->new, line))
				continue;
			buf_appendf(out, "%s- ", indent);
			append_code(out, line);
			buf_append_char(out, '\n');
			count++;
		}
	}
	return count;
}

static void write_what(const struct described *d, struct buf *out)
{
	bool before = d->modify->ancestor.mode & 0100, after = d->modify->mode & 0100;
	size_t count = d->removed ? d->removed : d->added;
	const char *are = count == 1 ? " is" : "s are";

	buf_append_str(out,
		AUTHOR_MARK " what this change is for, and why it is done this way -->\n\n");
	if (!d->is_text)
		buf_append_str(out, "The binary file is replaced.\n");
	else if (d->added && d->removed)
		buf_appendf(out, "%zu line%s replaced by %zu.\n", count, are, d->added);
	else if (count)
		buf_appendf(
			out, "%zu line%s %s.\n", count, are, d->added ? "added" : "taken out");
	if (before != after)
		buf_appendf(out, "The file is %s executable.\n", after ? "now" : "no longer");
}

static void append_range(struct buf *out, const struct diff_change *c)
{
	if (c->new_count > 1)
		buf_appendf(
			out, "lines %zu to %zu", c->new_start + 1, c->new_start + c->new_count);
	else if (c->new_count)
		buf_appendf(out, "line %zu", c->new_start + 1);
	else
		buf_appendf(out, "%s line %zu", c->new_start ? "after" : "before",
			c->new_start ? c->new_start : 1);
}

/* Where, section by section; neighbours in the same section are on one line. */
static void write_sections(const struct described *d, struct buf *out)
{
	CLEANUP(funcname_release) struct funcname names = FUNCNAME_INIT;
	CLEANUP(freep) char *last = NULL;

	if (!d->is_text) {
		buf_append_str(out, "- All of it.\n");
		return;
	}
	funcname_open(&names, d->modify->path.text, view_of_buf(&d->modify->content));
	for (size_t i = 0; i < d->changes.count && i < SECTIONS_MAX; i++) {
		const struct diff_change *c = &d->changes.list[i];
		char *name = funcname_find(&names, c->new_start);

		if (i && ((!name && !last) || (name && last && !strcmp(name, last)))) {
			buf_append_str(out, ", ");
			append_range(out, c);
			free(name);
			continue;
		}
		buf_append_str(out, i ? "\n- " : "- ");
		if (name)
			append_code(out, view_of(name));
		else
			buf_append_str(out, "The beginning of the file");
		buf_append_str(out, ": ");
		append_range(out, c);
		free(last);
		last = name;
	}
	if (d->changes.count > SECTIONS_MAX)
		buf_appendf(out, "\n- and %zu more places", d->changes.count - SECTIONS_MAX);
	buf_append_str(out, d->changes.count ? "\n" : "- The permissions of the file.\n");
}

static void write_invariants(const struct described *d, struct buf *out)
{
	CLEANUP(buf_release) struct buf gone = BUF_INIT;

	buf_append_str(out, !d->is_text  ? "- The file is replaced as a whole.\n"
			    : d->removed ? "- Nothing changes outside of the sections above.\n"
					 : "- Every existing line stays.\n");
	if (d->removed && append_lines(d, false, "  ", &gone))
		buf_appendf(out, "- These lines were replaced or removed, and stay out:\n%s",
			gone.data);
}

static void write_must_keep(const struct described *d, struct buf *out)
{
	if (!d->is_text)
		buf_append_str(out, "- The file of this skill.\n");
	else if (!append_lines(d, true, "", out))
		buf_append_str(out, d->added ? "- The lines that were added.\n"
					     : "- Nothing in particular.\n");
}

static int write_intent(struct author *a, const struct author_modify *modify, struct error *err)
{
	static const struct {
		enum intent_heading heading;
		void (*write)(const struct described *d, struct buf *out);
	} sections[] = {
		{INTENT_WHAT, write_what},
		{INTENT_KEY_SECTIONS, write_sections},
		{INTENT_INVARIANTS, write_invariants},
		{INTENT_MUST_KEEP, write_must_keep},
	};
	CLEANUP(freep) char *name = xasprintf("modify/%s" INTENT_SUFFIX, modify->path.text);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct described d = {.modify = modify};
	struct view old = view_of_buf(&modify->ancestor.content);
	struct view new = view_of_buf(&modify->content);

	d.is_text = !merge_is_binary(old) && !merge_is_binary(new);
	if (d.is_text) {
		if (diff_lines(old, new, &d.changes, err) < 0)
			return -1;
		split_lines(old, &d.old);
		split_lines(new, &d.new);
	}
	for (size_t i = 0; i < d.changes.count; i++) {
		d.added += d.changes.list[i].new_count;
		d.removed += d.changes.list[i].old_count;
	}
	buf_appendf(&text, "# Intent: %s\n", modify->path.text);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		buf_appendf(&text, "\n## %s\n\n", intent_heading_name(sections[i].heading));
		sections[i].write(&d, &text);
	}
	draft_add(&a->draft, name, view_of_buf(&text), 0644);
	diff_changes_release(&d.changes);
	free(d.old.list);
	free(d.new.list);
	return 0;
}

/* --- packages --- */

int author_write_package(struct author *a, struct error *err)
{
	const struct author_plan *plan = &a->plan;
	const char *skill = a->request->skill;
	CLEANUP(freep) char *description = derive_description(a);
	CLEANUP(freep)
	char *tests = xasprintf(
		"# Tests of %s\n\n"
		"Put a test here that fails without the skill, and say in `manifest.yaml` how it is\n"
		"run, from the root of the project:\n\n"
		"    test: sh %s/tests/%s.sh\n\n"
		"It runs whenever the skill is applied, and after every other operation.\n",
		skill, a->folder.text, skill);

	if (write_manifest(a, description, NULL, err) < 0 ||
		write_skill_md(a, description, err) < 0)
		return -1;
	draft_add(&a->draft, "tests/README.md", view_of(tests), 0644);
	for (size_t i = 0; i < plan->add_count; i++) {
		const struct tx_file *file = &plan->adds[i]->after;
		CLEANUP(freep) char *name = xasprintf("add/%s", plan->adds[i]->path.text);

		draft_add(&a->draft, name, view_of_buf(&file->content),
			file->mode & 0100 ? 0755 : 0644);
	}
	for (size_t i = 0; i < plan->modify_count; i++) {
		const struct author_modify *modify = &plan->modifies[i];
		CLEANUP(freep) char *name = xasprintf("modify/%s", modify->path.text);

		draft_add(&a->draft, name, view_of_buf(&modify->content), modify->mode);
		if (write_intent(a, modify, err) < 0)
			return -1;
	}
	return 0;
}

/* The command, for a shell; NULL if the folder's name cannot be quoted. */
static char *name_test(const struct author *a, const char *script)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-/";
	const char *folder = a->folder.text;

	if (!folder[strspn(folder, plain)])
		return xasprintf("sh %s/%s", folder, script);
	return strchr(folder, '\'') ? NULL : xasprintf("sh '%s/%s'", folder, script);
}

/* A package with one file, and a test that looks for it. */
int author_write_example(struct author *a, struct error *err)
{
	const char *skill = a->request->skill;
	CLEANUP(freep) char *path = xasprintf(AUTHOR_EXAMPLE, skill);
	CLEANUP(freep) char *name = xasprintf("add/%s", path);
	CLEANUP(freep) char *script = xasprintf("tests/%s.sh", skill);
	CLEANUP(freep) char *test = name_test(a, script);
	CLEANUP(freep) char *description = derive_description(a);
	CLEANUP(freep)
	char *text = xasprintf(
		"# %s\n\n"
		"An example of a file that a skill adds. Delete it, and its line under "
		"`adds` in\n`manifest.yaml`, when there are files of your own.\n",
		skill);
	CLEANUP(freep)
	char *check = xasprintf(
		"#!/bin/sh\n"
		"# Checks that the example exists. Replace this with a test of your own that "
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
	if (write_manifest(a, description, test, err) < 0 ||
		write_skill_md(a, description, err) < 0)
		return -1;
	draft_add(&a->draft, name, view_of(text), 0644);
	draft_add(&a->draft, script, view_of(check), 0755);
	return 0;
}
