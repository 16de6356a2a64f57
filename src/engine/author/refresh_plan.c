/*
 * How another core has changed the files of a package. Nothing is staged.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/internal.h"
#include "engine/package/semver.h"
#include "engine/session/core_past.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"

#define SHOWN_LINES 5

static const struct manifest *manifest_of(const struct carried *c)
{
	return &c->package->manifest;
}

static struct carried_file *carried_add(
	struct carried *c, const struct relpath *path, bool added)
{
	GROW(c->files, c->count, c->cap);
	c->files[c->count] = (struct carried_file){
		.path = path,
		.added = added,
		.to = relpath_copy(path),
		.in_core = relpath_copy(path),
		.ancestor = ANCESTOR_INIT,
		.own = TX_FILE_INIT,
		.core = TX_FILE_INIT,
	};
	return &c->files[c->count++];
}

void carried_release(struct carried *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct carried_file *f = &c->files[i];

		relpath_release(&f->to);
		relpath_release(&f->in_core);
		ancestor_release(&f->ancestor);
		tx_file_release(&f->own);
		tx_file_release(&f->core);
		free(f->detail);
	}
	free(c->files);
	for (size_t i = 0; c->ops && i < manifest_of(c)->file_op_count; i++) {
		relpath_release(&c->ops[i].from);
		relpath_release(&c->ops[i].to);
		free(c->ops[i].impossible);
	}
	free(c->ops);
	relpath_release(&c->folder);
}

int refresh_path(const struct carried *c, const char *below, const struct relpath *path,
	struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s/%s", below, path->text);

	return relpath_join(&c->folder, view_of(name), ret_path, err);
}

static int read_own(const struct carried *c, const char *below, struct carried_file *f)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (c->outside) {
		f->own.kind = TX_FILE;
		return (f->added ? package_read_add : package_read_modify)(
			c->package, f->path, &f->own.content, &f->own.mode, c->err);
	}
	if (refresh_path(c, below, f->path, &path, c->err) < 0 ||
		transaction_read(c->session->tx, &path, &f->own, c->err) < 0)
		return -1;
	if (f->own.kind == TX_FILE)
		return 0;
	error_set(c->err, ERROR_INVALID, "the package has no file '%s'", path.text);
	return error_hint(
		c->err, "'nanoclaw skill check %s' shows all its faults", c->package->folder);
}

/* --- what other packages add ------------------------------------------------------ */

/* The dependency that adds the path, or NULL. Not deeper than there are packages. */
static const struct package *find_adder(const struct carried *c, const struct manifest *m,
	const struct relpath *path, size_t depth)
{
	for (size_t i = 0; i < m->depends.count && depth; i++) {
		const struct package *other =
			package_list_find(c->packages, m->depends.list[i].skill);
		const struct package *found = NULL;

		if (other && manifest_adds(&other->manifest, path))
			return other;
		if (other)
			found = find_adder(c, &other->manifest, path, depth - 1);
		if (found)
			return found;
	}
	return NULL;
}

/* --- the ancestor ----------------------------------------------------------------- */

static void take_ancestor(struct carried_file *f, struct tx_file *file, char *label)
{
	f->ancestor.file = *file;
	f->ancestor.label = label;
	*file = TX_FILE_INIT;
	if (!f->ancestor.file.mode)
		f->ancestor.file.mode = f->core.mode;
}

static int find_by_hash(struct carried *c, struct carried_file *f, const struct relpath *path,
	const struct hash *hash, bool *ret_found)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (core_past_by_hash(c->session, path, hash, &file, ret_found, c->err) < 0)
		return -1;
	if (*ret_found)
		take_ancestor(f, &file, xstrdup("core, as the skill knew it"));
	return 0;
}

/* Does it have every line of the core's file? Then its ancestor does not matter. */
static bool keeps_all(const struct carried_file *f)
{
	return lines_keep_all(view_of_buf(&f->core.content), view_of_buf(&f->own.content));
}

/* The file that it was made from is unknown. */
static void judge_unknown(struct carried *c, struct carried_file *f, bool has_hash, bool older)
{
	struct session *s = c->session;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view core = view_of_buf(&f->core.content), own = view_of_buf(&f->own.content);
	struct view lines[SHOWN_LINES];
	size_t count;

	if (keeps_all(f) || (!older && !has_hash)) {
		f->state = has_hash ? REFRESH_UNMARKED : REFRESH_FITS;
	} else if (s->options->ancestor_is_base) {
		f->state = REFRESH_UNMARKED;
		session_warn(s, "'%s' of skill '%s' is left as it is, as accepted",
			f->path->text, manifest_of(c)->skill);
	} else {
		f->state = REFRESH_LOST;
		/* The lines of the core's file that the package's has not, or not in their order. */
		count = lines_missing(core, own, lines, SHOWN_LINES);
		if (!count)
			count = lines_displaced(core, own, lines, SHOWN_LINES);
		for (size_t i = 0; i < count && i < SHOWN_LINES; i++)
			buf_appendf(&text, "%s%.*s", i ? "\n" : "", VIEW_ARGS(lines[i]));
		if (count > SHOWN_LINES)
			buf_appendf(&text, "\nand %zu more", count - SHOWN_LINES);
		f->detail = buf_take(&text);
	}
}

static void judge_known(struct carried_file *f, bool older)
{
	bool same = view_equal(
		view_of_buf(&f->ancestor.file.content), view_of_buf(&f->core.content));

	f->state = !same                    ? REFRESH_MERGES
		   : older && !keeps_all(f) ? REFRESH_UNMARKED
					    : REFRESH_FITS;
}

/* Is the ancestor that was found a file of the core, as far as that is known? */
static bool is_of_core(
	const struct carried *c, const struct carried_file *f, const struct relpath *known)
{
	CLEANUP(error_release) struct error unknown = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file past = TX_FILE_INIT;
	struct hash is = hash_of(view_of_buf(&f->ancestor.file.content)), other;
	bool found = false;

	if (core_past_by_version(c->session, known, manifest_of(c)->core_version, &core, &found,
		    &unknown) < 0)
		return false;
	other = hash_of(view_of_buf(&core.content));
	if (found && hash_equal(&is, &other))
		return true;
	return core_past_in_git(c->session, known, &is, &past, &found, &unknown) == 0 && found;
}

/* `known` is the path in the core that the skill was written for. */
static int judge(struct carried *c, struct carried_file *f, const struct relpath *known)
{
	const struct manifest *m = manifest_of(c);
	const struct hash *hash = manifest_base_hash(m, f->path);
	struct hash is = hash_of(view_of_buf(&f->core.content));
	int order = semver_compare_text(m->core_version, c->view->version);
	bool found = false, others = false;

	if (hash ? hash_equal(hash, &is) : order == 0) {
		f->state = REFRESH_FITS;
		return 0;
	}
	if (hash && refresh_on_dependencies(c, f, known, hash, &others, &found) < 0)
		return -1;
	if (found)
		return 0;
	if (hash && find_by_hash(c, f, known, hash, &found) < 0)
		return -1;
	if (!found && hash && relpath_compare(known, &f->in_core) != 0 &&
		find_by_hash(c, f, &f->in_core, hash, &found) < 0)
		return -1;
	/* A file that several packages made together may be kept by its hash, but is not a core's. */
	if (found && others && !is_of_core(c, f, known)) {
		ancestor_release(&f->ancestor);
		f->ancestor = ANCESTOR_INIT;
		found = false;
	} else if (!found && !others) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (core_past_by_version(
			    c->session, known, m->core_version, &file, &found, c->err) < 0)
			return -1;
		if (found)
			take_ancestor(f, &file, xasprintf("core %s", m->core_version));
	}
	if (found)
		judge_known(f, order < 0);
	else
		judge_unknown(c, f, hash != NULL, order < 0);
	return 0;
}

/* --- files ------------------------------------------------------------------------ */

static int plan_on_adder(struct carried *c, struct carried_file *f, const struct package *adder)
{
	const struct hash *hash = manifest_base_hash(manifest_of(c), f->path);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct hash is;
	bool found;

	if (relpath_printf(&path, c->err, "%s/add/%s", adder->folder, f->path->text) < 0 ||
		package_read_add(adder, f->path, &f->core.content, &f->core.mode, c->err) < 0)
		return -1;
	f->core.kind = TX_FILE;
	f->has_base = hash != NULL;
	is = hash_of(view_of_buf(&f->core.content));
	if (!hash || hash_equal(hash, &is))
		return 0;
	if (find_by_hash(c, f, &path, hash, &found) < 0)
		return -1;
	if (found)
		judge_known(f, true);
	else
		judge_unknown(c, f, true, true);
	return 0;
}

static int plan_modified(struct carried *c, const struct relpath *path)
{
	const struct manifest *m = manifest_of(c);
	const struct relpath *known = path; /* its name before the skill's own operations */
	const struct package *adder;
	struct carried_file *f = carried_add(c, path, false);

	for (size_t i = m->file_op_count; i > 0; i--)
		if (m->file_ops[i - 1].type == FILE_OP_RENAME &&
			!relpath_compare(&m->file_ops[i - 1].to, known))
			known = &m->file_ops[i - 1].from;

	if (read_own(c, "modify", f) < 0)
		return -1;
	relpath_release(&f->in_core);
	f->in_core = RELPATH_INIT;
	if (core_view_name(c->view, known, &f->in_core, c->err) < 0 ||
		core_view_read(c->view, &f->in_core, &f->core, c->err) < 0)
		return -1;
	if (f->core.kind == TX_ABSENT) {
		adder = find_adder(c, m, path, c->packages->count + 1);
		if (adder)
			return plan_on_adder(c, f, adder);
		f->state = REFRESH_GONE;
		return 0;
	}
	if (f->core.kind != TX_FILE) {
		f->state = REFRESH_IMPOSSIBLE;
		f->detail = xasprintf(
			"'%s' is not a regular file in %s", f->in_core.text, c->view->shown);
		return 0;
	}
	f->has_base = true;
	if (known == path) {
		relpath_release(&f->to);
		f->to = relpath_copy(&f->in_core);
	}
	return judge(c, f, known);
}

static int plan_added(struct carried *c, const struct relpath *path)
{
	const struct manifest *m = manifest_of(c);
	struct carried_file *f = carried_add(c, path, true);

	if (read_own(c, "add", f) < 0)
		return -1;
	if (check_op_takes(m, m->file_op_count, path))
		return 0;
	if (core_view_read(c->view, path, &f->core, c->err) < 0)
		return -1;
	if (f->core.kind == TX_ABSENT)
		return 0;
	if (f->core.kind != TX_FILE) {
		f->state = REFRESH_IMPOSSIBLE;
		f->detail = xasprintf(
			"'%s' is not a regular file in %s", path->text, c->view->shown);
	} else if (view_equal(view_of_buf(&f->own.content), view_of_buf(&f->core.content))) {
		f->state = REFRESH_GIVEN;
	} else {
		f->state = REFRESH_TAKEN;
		f->has_base = true;
	}
	return 0;
}

/* --- file operations -------------------------------------------------------------- */

static int core_has(
	const struct carried *c, const struct relpath *path, bool *ret_has, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (core_view_read(c->view, path, &file, err) < 0)
		return -1;
	*ret_has = file.kind != TX_ABSENT;
	return 0;
}

static int plan_op(struct carried *c, size_t number)
{
	const struct manifest *m = manifest_of(c);
	const struct file_op *op = &m->file_ops[number];
	struct carried_op *carried = &c->ops[number];
	bool renames = op->type == FILE_OP_RENAME, has_from, has_to = false;

	carried->to = renames ? relpath_copy(&op->to) : RELPATH_INIT;
	carried->from = relpath_copy(&op->from);
	if (check_op_brings(m, number, &op->from) ||
		find_adder(c, m, &op->from, c->packages->count + 1))
		return 0;
	relpath_release(&carried->from);
	carried->from = RELPATH_INIT;
	if (core_view_name(c->view, &op->from, &carried->from, c->err) < 0 ||
		core_has(c, &carried->from, &has_from, c->err) < 0 ||
		(renames && core_has(c, &op->to, &has_to, c->err) < 0))
		return -1;
	if (renames ? !relpath_compare(&carried->from, &op->to) : !has_from)
		carried->dropped = true;
	else if (!has_from)
		carried->impossible = xasprintf("it renames '%s', which %s does not have",
			op->from.text, c->view->shown);
	else if (has_to && !check_op_takes(m, number, &op->to))
		carried->impossible = xasprintf("it renames '%s' to '%s', which %s already has",
			op->from.text, op->to.text, c->view->shown);
	return 0;
}

int refresh_plan(struct carried *c)
{
	const struct manifest *m = manifest_of(c);

	c->ops = xcalloc(m->file_op_count + 1, sizeof(*c->ops));
	for (size_t i = 0; i < m->file_op_count; i++)
		if (plan_op(c, i) < 0)
			return -1;
	for (size_t i = 0; i < m->adds.count; i++)
		if (plan_added(c, &m->adds.list[i].path) < 0)
			return -1;
	for (size_t i = 0; i < m->modifies.count; i++)
		if (plan_modified(c, &m->modifies.list[i].path) < 0)
			return -1;
	return 0;
}
