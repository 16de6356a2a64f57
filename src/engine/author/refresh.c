#include "engine/author/refresh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/internal.h"
#include "engine/commit/finish.h"
#include "engine/conflict/lesson.h"
#include "engine/disk/stat_index.h"
#include "engine/package/semver.h"
#include "engine/stack/resolve.h"

/* --- the result --------------------------------------------------------------------------- */

bool refresh_is_smooth(const struct refresh_package *package)
{
	return package->worst <= REFRESH_GIVEN;
}

static struct refresh_package *result_add(struct session *s, struct refresh_package package)
{
	struct refresh_result *r = s->result->refresh;

	GROW(r->packages, r->count, r->cap);
	r->packages[r->count] = package;
	return &r->packages[r->count++];
}

/* `to` and `detail` may be NULL. */
static void result_add_file(struct refresh_package *p, const char *path, const char *to,
	enum refresh_state state, const char *detail)
{
	bool renamed = to && strcmp(path, to) != 0;

	if (state == REFRESH_FITS && !renamed)
		return;
	GROW(p->files, p->count, p->cap);
	p->files[p->count++] = (struct refresh_file){
		.path = xstrdup(path),
		.to = renamed ? xstrdup(to) : NULL,
		.state = state,
		.detail = detail ? xstrdup(detail) : NULL,
	};
	if (state > p->worst)
		p->worst = state;
}

/* --- one package -------------------------------------------------------------------------- */

static bool is_stale(const struct carried *c)
{
	const struct manifest *m = &c->package->manifest;

	for (size_t i = 0; i < c->count; i++)
		if (c->files[i].state != REFRESH_FITS ||
			relpath_compare(c->files[i].path, &c->files[i].to) != 0)
			return true;
	for (size_t i = 0; i < m->file_op_count; i++)
		if (c->ops[i].dropped || c->ops[i].impossible ||
			relpath_compare(&c->ops[i].from, &m->file_ops[i].from) != 0)
			return true;
	return false;
}

static bool is_blocked(const struct carried *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->files[i].state == REFRESH_WAITS || c->files[i].state == REFRESH_LOST ||
			c->files[i].state == REFRESH_IMPOSSIBLE)
			return true;
	for (size_t i = 0; i < c->package->manifest.file_op_count; i++)
		if (c->ops[i].impossible)
			return true;
	return false;
}

/* Find the package's folder in the project; changes elsewhere could not be undone. */
static int find_folder(struct carried *c)
{
	const struct project *project = c->session->project;
	const struct package *package = c->package;
	CLEANUP(freep) char *path = package_path(package);
	CLEANUP(freep) char *nowhere = xasprintf(".nanoclaw-outside%s", path);
	size_t len = strlen(project->path);

	if (!strncmp(path, project->path, len) && path[len] == '/')
		return relpath_parse(view_of(path + len + 1), &c->folder, c->err);
	c->outside = c->session->options->dry_run;
	if (c->outside)
		return relpath_parse(view_of(nowhere), &c->folder, c->err);
	error_set(c->err, ERROR_INVALID, "the package '%s' is not in the project '%s'",
		package->folder, project->path);
	return error_hint(
		c->err, "copy it to 'skills/%s' of the project first", package->manifest.skill);
}

/* Raise 1.2.3 by one level; "patch" is the default. A prerelease suffix is dropped. */
static char *raise_version(const char *version, const char *level)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(semver_release) struct semver v = {0};
	bool major = !strcmp(level, "major"), minor = !strcmp(level, "minor");

	if (semver_parse(view_of(version), &v, &none) < 0)
		return NULL;
	if (major)
		return xasprintf("%" PRIu64 ".0.0", v.major + 1);
	if (minor)
		return xasprintf("%" PRIu64 ".%" PRIu64 ".0", v.major, v.minor + 1);
	return xasprintf("%" PRIu64 ".%" PRIu64 ".%" PRIu64, v.major, v.minor,
		v.patch + (v.prerelease ? 0 : 1));
}

static int carry_package(struct session *s, const struct core_view *view,
	const struct package_list *packages, const struct package *package, const char *raise,
	struct error *err)
{
	CLEANUP(carried_release)
	struct carried c = {.session = s,
		.view = view,
		.packages = packages,
		.package = package,
		.err = err};
	const struct refresh_result *r = s->result->refresh;
	const struct manifest *m = &package->manifest;
	const struct applied_skill *applied = state_find(&s->state, m->skill);
	CLEANUP(freep) char *version = NULL;
	struct refresh_package *p;

	if (find_folder(&c) < 0)
		return -1;
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->packages[i].folder, c.folder.text))
			return 0;
	p = result_add(
		s, (struct refresh_package){
			   .folder = xstrdup(c.outside ? package->folder : c.folder.text),
			   .skill = xstrdup(m->skill),
			   .version = xstrdup(m->version),
			   .written_for = xstrdup(m->core_version),
			   .applied = applied ? xstrdup(applied->version) : NULL,
			   .newer = semver_compare_text(m->core_version, r->core) > 0,
		   });
	if (refresh_plan(&c) < 0)
		return -1;
	p->fresh = !is_stale(&c);
	if (!p->fresh && !is_blocked(&c)) {
		version = raise ? raise_version(p->version, raise) : NULL;
		if (refresh_stage(&c) < 0 || refresh_stage_manifest(&c, version) < 0)
			return -1;
		p->new_version = TAKE(version);
		transaction_concerns(s->tx, p->skill);
	}
	for (size_t i = 0; i < c.count; i++)
		result_add_file(p, c.files[i].path->text, c.files[i].to.text, c.files[i].state,
			c.files[i].detail);
	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct carried_op *op = &c.ops[i];

		result_add_file(p, m->file_ops[i].from.text,
			op->impossible || op->dropped ? NULL : op->from.text,
			op->impossible ? REFRESH_IMPOSSIBLE
			: op->dropped  ? REFRESH_GIVEN
				       : REFRESH_FITS,
			op->impossible ? op->impossible
			: op->dropped  ? "the core already has this file operation"
				       : NULL);
	}
	return 0;
}

/* --- what cannot be done ------------------------------------------------------------------ */

static int refuse_blocked(const struct refresh_result *r, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool lost = false;

	for (size_t i = 0; i < r->count; i++) {
		const struct refresh_package *p = &r->packages[i];

		if (p->newer && !p->fresh) {
			error_set(err, ERROR_INVALID,
				"%s %s is written for core %s, and this one is older: %s",
				p->skill, p->version, p->written_for, r->core);
			return error_hint(err, "update the core first");
		}
	}
	for (size_t i = 0; i < r->count; i++)
		for (size_t j = 0; j < r->packages[i].count; j++) {
			const struct refresh_package *p = &r->packages[i];
			const struct refresh_file *f = &p->files[j];
			struct view rest = view_of(f->detail ? f->detail : ""), line;

			if (f->state == REFRESH_IMPOSSIBLE)
				buf_appendf(&text, "\n  %s %s: %s", p->skill, p->version,
					f->detail);
			if (f->state != REFRESH_LOST)
				continue;
			lost = true;
			buf_appendf(&text,
				"\n  %s %s: the file that it changed is not known, and these "
				"lines of '%s' may have been added since:",
				p->skill, p->version, f->to ? f->to : f->path);
			while (view_next(&rest, '\n', &line))
				buf_appendf(&text, "\n    %.*s", VIEW_ARGS(line));
		}
	if (!text.len)
		return 0;
	error_set(err, ERROR_INVALID, "not everything can be refreshed for core %s:%s", r->core,
		text.data);
	return error_hint(err, "nothing was changed; %s",
		lost ? "tag the old core in git, or accept the files as they are with "
		       "'--ancestor base'"
		     : "edit 'file_ops' of the manifest, or the core, and try again");
}

/* --- notes of a pause --------------------------------------------------------------------- */

static void write_notes(struct session *s)
{
	const struct refresh_result *r = s->result->refresh;
	struct yaml_doc *doc = yaml_doc_new("pause.yaml");
	struct yaml_node *list = yaml_new_sequence(doc);

	doc->root = yaml_new_mapping(doc);
	for (size_t i = 0; i < r->count; i++) {
		const struct refresh_package *p = &r->packages[i];
		struct yaml_node *node = yaml_new_mapping(doc);
		struct yaml_node *files = yaml_new_sequence(doc);

		for (size_t j = 0; j < p->count; j++) {
			struct yaml_node *file = yaml_new_mapping(doc);

			yaml_set_string(file, "path", p->files[j].path);
			if (p->files[j].to)
				yaml_set_string(file, "to", p->files[j].to);
			yaml_set_string(file, "state", refresh_state_names[p->files[j].state]);
			yaml_append(files, file);
		}
		yaml_set_string(node, "folder", p->folder);
		yaml_set_string(node, "skill", p->skill);
		yaml_set_string(node, "version", p->version);
		yaml_set_string(node, "written_for", p->written_for);
		if (p->new_version)
			yaml_set_string(node, "new_version", p->new_version);
		if (p->applied)
			yaml_set_string(node, "applied", p->applied);
		yaml_set(node, "fresh", yaml_new_bool(doc, p->fresh));
		yaml_set(node, "files", files);
		yaml_append(list, node);
	}
	yaml_set_string(doc->root, "core", r->core);
	yaml_set(doc->root, "packages", list);
	yaml_doc_free(s->notes);
	s->notes = doc;
}

static char *read_note(const struct yaml_node *mapping, const char *key)
{
	const char *text = yaml_get_text(mapping, key);

	return xstrdup(text ? text : "");
}

static void read_package(struct session *s, const struct yaml_node *node)
{
	const struct yaml_node *files = yaml_get_kind(node, "files", YAML_SEQUENCE);
	const char *new_version = yaml_get_text(node, "new_version");
	const char *applied = yaml_get_text(node, "applied");
	struct refresh_package *p =
		result_add(s, (struct refresh_package){
				      .folder = read_note(node, "folder"),
				      .skill = read_note(node, "skill"),
				      .version = read_note(node, "version"),
				      .new_version = new_version ? xstrdup(new_version) : NULL,
				      .written_for = read_note(node, "written_for"),
				      .applied = applied ? xstrdup(applied) : NULL,
				      .fresh = yaml_get_bool(node, "fresh"),
			      });

	for (size_t i = 0; i < files->count; i++) {
		CLEANUP(freep) char *path = read_note(files->items[i], "path");
		CLEANUP(freep) char *name = read_note(files->items[i], "state");
		enum refresh_state state = REFRESH_IMPOSSIBLE;

		while (state > REFRESH_FITS && strcmp(name, refresh_state_names[state]) != 0)
			state--;
		result_add_file(p, path, yaml_get_text(files->items[i], "to"), state, NULL);
	}
}

void refresh_fill_result(struct session *s)
{
	const struct yaml_node *root = s->notes ? s->notes->root : NULL;
	const struct yaml_node *list = yaml_get_kind(root, "packages", YAML_SEQUENCE);

	s->result->refresh = xcalloc(1, sizeof(*s->result->refresh));
	s->result->refresh->core = read_note(root, "core");
	for (size_t i = 0; i < list->count; i++)
		read_package(s, list->items[i]);
}

/* --- the end ------------------------------------------------------------------------------ */

/* Name each lesson by the core's path and by the package's skill. */
static int name_lessons(struct session *s, struct error *err)
{
	const struct refresh_result *r = s->result->refresh;

	for (size_t i = 0; i < s->lesson_count; i++)
		for (size_t j = 0; j < r->count; j++) {
			struct lesson *lesson = &s->lessons[i];
			CLEANUP(freep)
			char *below = xasprintf("%s/modify/", r->packages[j].folder);
			struct relpath path = RELPATH_INIT;

			if (!view_starts_with(relpath_view(&lesson->path), below))
				continue;
			if (relpath_parse(
				    view_of(lesson->path.text + strlen(below)), &path, err) < 0)
				return -1;
			relpath_release(&lesson->path);
			lesson->path = path;
			resolution_skills_release(&lesson->about);
			lesson->about = RESOLUTION_SKILLS_INIT;
			resolution_skills_add(
				&lesson->about, r->packages[j].skill, r->packages[j].version);
			resolution_skills_add(&lesson->about, lesson->skill, lesson->version);
			break;
		}
	return 0;
}

static int end_refresh(struct session *s, struct error *err)
{
	if (name_lessons(s, err) < 0 || lesson_stage(s, false, err) < 0 ||
		transaction_apply(s->tx, err) < 0 ||
		transaction_commit(s->tx, TRANSACTION_DONE, view_of(""), err) < 0)
		return finish_fail(s, err);
	lesson_publish(s);
	return 0;
}

int refresh_continue(struct session *s, struct error *err)
{
	struct refresh_result *r = s->result->refresh;

	for (size_t i = 0; i < r->count; i++) {
		const struct refresh_package *p = &r->packages[i];

		transaction_concerns(s->tx, p->skill);
		for (size_t j = 0; j < p->count; j++) {
			CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
			CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

			/* A person has decided about a file that the core has given up. */
			if (p->files[j].state == REFRESH_GONE &&
				(relpath_parse(view_of(p->folder), &folder, err) < 0 ||
					relpath_parse(view_of(p->files[j].path), &path, err) <
						0 ||
					refresh_resolve_gone(s, &folder, &path, err) < 0))
				return finish_fail(s, err);
		}
	}
	return end_refresh(s, err);
}

/* --- the beginning ------------------------------------------------------------------------ */

/*
 * Those of the list that a package depends on come before it. Not deeper than there are
 * packages.
 */
static int carry_in_order(struct session *s, const struct core_view *view,
	const struct package_list *packages, const struct package *package,
	const struct package_list *wanted, const char *raise, size_t depth, struct error *err)
{
	const struct manifest *m = &package->manifest;

	for (size_t i = 0; i < m->depends.count && depth; i++)
		for (size_t j = 0; j < wanted->count; j++)
			if (!strcmp(wanted->list[j].manifest.skill, m->depends.list[i].skill) &&
				carry_in_order(s, view, packages, &wanted->list[j], wanted,
					raise, depth - 1, err) < 0)
				return -1;
	return carry_package(s, view, packages, package, raise, err);
}

static int carry_all(struct session *s, const struct core_view *view,
	const struct package_list *packages, const struct refresh_request *request,
	struct error *err)
{
	CLEANUP(package_list_release) struct package_list typed = {0};
	const struct package_list *wanted = request->count ? &typed : packages;

	for (size_t i = 0; i < request->count; i++) {
		GROW(typed.list, typed.count, typed.cap);
		typed.list[typed.count] = PACKAGE_INIT;
		if (package_find(s->project->root, request->typed[i],
			    &typed.list[typed.count++], err) < 0)
			return -1;
	}
	for (size_t i = 0; i < wanted->count; i++)
		if (carry_in_order(s, view, packages, &wanted->list[i], wanted, request->raise,
			    wanted->count, err) < 0)
			return -1;
	for (size_t i = 0; !request->count && i < packages->broken.count; i++)
		session_warn(s, "'%s' is left out: it is not a valid package",
			packages->broken.list[i]);
	return 0;
}

static int refresh(const struct project *project, const struct refresh_request *request,
	const struct operation_options *options, bool only_look,
	struct operation_result *result, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(core_view_release) struct core_view view = CORE_VIEW_INIT;
	bool stale = false;

	if (session_open(&s, project, REFRESH_OPERATION, NULL, options, result, err) < 0 ||
		session_open_core(&s, err) < 0)
		return -1;
	result->initialized = false;
	if (core_view_open(&s, request->against, &view, err) < 0 ||
		package_list_read(project->root, &packages, err) < 0)
		return -1;
	result->refresh = xcalloc(1, sizeof(*result->refresh));
	result->refresh->core = xstrdup(view.version);
	if (carry_all(&s, &view, &packages, request, err) < 0 ||
		(!only_look && (refuse_blocked(result->refresh, err) < 0 ||
				       (request->raise && refresh_take_resolutions(&s, &view,
								  &packages, err) < 0))))
		return finish_fail(&s, err);
	for (size_t i = 0; i < result->refresh->count; i++)
		stale |= !result->refresh->packages[i].fresh;
	if (!stale || only_look)
		return transaction_rollback(s.tx, NULL, err);
	if (options->dry_run)
		return transaction_check(s.tx, err);
	if (result->conflict_count && resolve_conflicts(&s, REFRESH_OPERATION, err) < 0)
		return finish_fail(&s, err);
	if (!result->conflict_count)
		return end_refresh(&s, err);
	write_notes(&s);
	return finish_paused(&s, &(struct pending){.operation = REFRESH_OPERATION}, err);
}

int refresh_packages(const struct project *project, const struct refresh_request *request,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	return refresh(project, request, options, false, ret_result, err);
}

int refresh_look(const struct project *project, const struct refresh_request *request,
	struct operation_result *ret_result, struct error *err)
{
	const struct operation_options options = {.dry_run = true};
	bool saving = stat_index_saving;
	int failed;

	stat_index_saving = false;
	failed = refresh(project, request, &options, true, ret_result, err);
	stat_index_saving = saving;
	return failed;
}
