/*
 * Recorded resolutions against the packages and the core: were these really the
 * files that were merged?
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/core/objects.h"
#include "engine/package/pack.h"
#include "engine/resolution/internal.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"
#include "fs/beneath.h"

/* --- what there is to compare with --------------------------------------- */

int resolution_context_open(const struct project *project, bool foreign,
	struct resolution_context *ret_context, struct error *err)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	struct resolution_context *c = ret_context;
	CLEANUP(freep) char *version = NULL;
	bool found;

	c->project = project;
	c->foreign = foreign;
	if (skillset_open(project, &c->skills, err) < 0)
		return -1;
	c->objects = openat(project->root, ".nanoclaw", flags);
	c->core = openat(project->root, ".nanoclaw/base", flags);
	if (c->core < 0)
		c->core = fcntl(project->root, F_DUPFD_CLOEXEC, 0);
	if (c->core < 0)
		return error_errno(err, "cannot open the project");
	if (c->skills.initialized) {
		c->core_version = xstrdup(c->skills.state.core_version);
		return 0;
	}
	if (base_core_version(c->core, &version, &found, err) < 0)
		return -1;
	c->core_version = found ? TAKE(version) : NULL;
	return 0;
}

void resolution_context_release(struct resolution_context *context)
{
	skillset_release(&context->skills);
	closep(&context->core);
	closep(&context->objects);
	free(context->core_version);
}

static bool has_hash(struct view content, const struct hash *hash)
{
	struct hash found = hash_of(content);

	return hash_equal(&found, hash);
}

static bool is_kept(const struct resolution_context *context, const struct hash *hash)
{
	return context->objects >= 0 && objects_has(context->objects, hash);
}

/* The core's file; false if it has none. */
static bool read_core(const struct resolution_context *context, const struct relpath *path,
	struct buf *ret_content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return beneath_read(context->core, path, PACKAGE_MAX_FILE, ret_content, &err) == 0;
}

/* --- the skills ---------------------------------------------------------- */

static bool is_version(const struct resolution_skill *skill, const char *version)
{
	return !skill->version || !strcmp(skill->version, version);
}

/* The package of the skill, if it is here in the right version. */
static const struct package *package_of(
	const struct resolution_context *context, const struct resolution_skill *skill)
{
	const struct package *package =
		package_list_find(&context->skills.packages, skill->name);

	return package && is_version(skill, package->manifest.version) ? package : NULL;
}

/* An applied skill in the right version, whose files are kept. */
static const struct applied_skill *applied_of(
	const struct resolution_context *context, const struct resolution_skill *skill)
{
	const struct applied_skill *applied = state_find(&context->skills.state, skill->name);

	return applied && is_version(skill, applied->version) ? applied : NULL;
}

static bool is_here(
	const struct resolution_context *context, const struct resolution_skill *skill)
{
	return package_of(context, skill) || applied_of(context, skill);
}

void resolution_check_skills(
	const struct resolution_context *context, struct resolution_checked *checked)
{
	const struct resolution_skills *skills = &checked->folder.meta.skills;
	const struct yaml_node *node = yaml_get(checked->folder.meta.doc->root, "skills");
	enum fault_severity severity = context->foreign ? FAULT_WARNING : FAULT_ERROR;

	for (size_t i = 0; i < skills->count; i++) {
		const struct resolution_skill *skill = &skills->list[i];
		const struct package *other =
			package_list_find(&context->skills.packages, skill->name);

		if (is_here(context, skill))
			continue;
		if (other)
			resolution_fault(checked, severity, node->at,
				"it is for %s %s, and the package here is %s", skill->name,
				skill->version, other->manifest.version);
		else
			resolution_fault(checked, severity, node->at,
				"skill '%s' is not among the packages", skill->name);
	}
}

/* What a skill does to a file. */
enum skill_side {
	SIDE_UNKNOWN, /* the skill is not here */
	SIDE_NONE,    /* it does not touch the file */
	SIDE_ADDS,
	SIDE_MODIFIES,
};

static enum skill_side side_in_pack(const struct project *project, const char *skill,
	const struct relpath *path, struct buf *ret_content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;
	struct view content;

	if (pack_load(project, skill, &pack, &err) < 0 || !pack.count)
		return SIDE_UNKNOWN;
	entry = pack_find(&pack, PACK_MODIFY, path);
	if (!entry)
		entry = pack_find(&pack, PACK_ADD, path);
	if (!entry)
		return SIDE_NONE;
	content = pack_content(&pack, entry);
	buf_append(ret_content, content.data, content.len);
	return entry->part == PACK_ADD ? SIDE_ADDS : SIDE_MODIFIES;
}

static enum skill_side side_of(const struct resolution_context *context,
	const struct resolution_skill *skill, const struct relpath *path,
	struct buf *ret_content)
{
	const struct package *package = package_of(context, skill);
	const struct applied_skill *applied = applied_of(context, skill);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	mode_t mode;

	if (!package)
		return applied ? side_in_pack(
					 context->project, applied->name, path, ret_content)
			       : SIDE_UNKNOWN;
	if (manifest_modifies(&package->manifest, path))
		return package_read_modify(package, path, ret_content, &mode, &err) < 0
			       ? SIDE_UNKNOWN
			       : SIDE_MODIFIES;
	if (manifest_adds(&package->manifest, path))
		return package_read_add(package, path, ret_content, &mode, &err) < 0
			       ? SIDE_UNKNOWN
			       : SIDE_ADDS;
	return SIDE_NONE;
}

/* --- one file ------------------------------------------------------------ */

struct input_check {
	const struct resolution_context *context;
	struct resolution_checked *checked;
	const struct resolution_file *file;
	char *shown;
	struct buf base; /* the file that `base` is about, if it was found */
	bool base_found;
	size_t markers; /* in the inputs that were found */
};

static void check_release(struct input_check *c)
{
	free(c->shown);
	buf_release(&c->base);
}

static void see_markers(struct input_check *c, struct view content)
{
	size_t markers = lines_count_markers(content);

	if (markers > c->markers)
		c->markers = markers;
}

/* Does a package here add the file with the hash that `base` has? */
static bool is_added_file(struct input_check *c)
{
	const struct package_list *packages = &c->context->skills.packages;

	for (size_t i = 0; i < packages->count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		mode_t mode;

		if (manifest_adds(&packages->list[i].manifest, &c->file->path) &&
			package_read_add(&packages->list[i], &c->file->path, &content, &mode,
				&err) == 0 &&
			has_hash(view_of_buf(&content), &c->file->inputs.base)) {
			buf_release(&c->base);
			c->base = content;
			content = BUF_INIT;
			return true;
		}
	}
	return false;
}

/* Another core than ours may well have another file. */
static enum fault_severity core_severity(const struct input_check *c)
{
	const char *made_for = c->checked->folder.meta.core_version;
	bool same = made_for && c->context->core_version &&
		    !strcmp(made_for, c->context->core_version);

	return same || !c->context->foreign ? FAULT_ERROR : FAULT_WARNING;
}

static void check_base(struct input_check *c)
{
	bool in_core = read_core(c->context, &c->file->path, &c->base);

	if (!c->file->inputs.has_base) {
		c->base_found = !in_core;
		if (in_core)
			resolution_fault(c->checked, core_severity(c), c->file->at,
				"it says that %s is not in the core, but it is", c->shown);
		return;
	}
	c->base_found = (in_core && has_hash(view_of_buf(&c->base), &c->file->inputs.base)) ||
			is_added_file(c);
	if (c->base_found) {
		see_markers(c, view_of_buf(&c->base));
		return;
	}
	if (!is_kept(c->context, &c->file->inputs.base))
		resolution_fault(c->checked, core_severity(c), c->file->at,
			"'base' of %s is not the core's file, nor one that a package adds",
			c->shown);
}

/*
 * The index of the skill whose file is `skill`: the last one, unless the two sides are swapped.
 * The number of skills if no file matches.
 */
static size_t check_skill(struct input_check *c)
{
	const struct resolution_skills *skills = &c->checked->folder.meta.skills;
	size_t found = skills->count;
	bool unknown = false;

	for (size_t i = skills->count; i > 0; i--) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		enum skill_side side =
			side_of(c->context, &skills->list[i - 1], &c->file->path, &content);

		unknown = unknown || side == SIDE_UNKNOWN;
		if (side != SIDE_ADDS && side != SIDE_MODIFIES)
			continue;
		see_markers(c, view_of_buf(&content));
		if (found == skills->count &&
			has_hash(view_of_buf(&content), &c->file->inputs.skill))
			found = i - 1;
	}
	if (found < skills->count)
		return found;
	if (unknown)
		resolution_fault(c->checked, FAULT_NOTE, c->file->at,
			"'skill' of %s cannot be checked: a package is missing", c->shown);
	else
		resolution_fault(c->checked, FAULT_ERROR, c->file->at,
			"'skill' of %s does not match a file of its skills", c->shown);
	return found;
}

/* --- the file before the skill ------------------------------------------- */

/* Put one skill's changes into the file; false if that cannot be done without asking. */
static bool add_side(const struct input_check *c, enum skill_side side, struct view theirs,
	struct buf *content)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(content), ""};
	struct merge_input base = {view_of_buf(&c->base), ""};
	struct merge_input skill = {theirs, ""};

	if (side == SIDE_ADDS || view_equal(ours.content, base.content)) {
		buf_clear(content);
		buf_append(content, theirs.data, theirs.len);
		return true;
	}
	if (merge_is_binary(ours.content) || merge_is_binary(base.content) ||
		merge_is_binary(theirs) ||
		merge_contents(&ours, &base, &skill, &options, &merged, &err) < 0 ||
		merged.conflicts)
		return false;
	buf_release(content);
	*content = merged.content;
	merged.content = BUF_INIT;
	return true;
}

/* The result of the other skills, in their order; false if it cannot be computed. */
static bool replay(const struct input_check *c, size_t applied, struct buf *content)
{
	const struct resolution_skills *skills = &c->checked->folder.meta.skills;

	buf_append(content, c->base.data, c->base.len);
	for (size_t i = 0; i < skills->count; i++) {
		CLEANUP(buf_release) struct buf theirs = BUF_INIT;
		enum skill_side side = SIDE_NONE;

		if (i != applied)
			side = side_of(c->context, &skills->list[i], &c->file->path, &theirs);
		if (side == SIDE_UNKNOWN ||
			(side != SIDE_NONE &&
				!add_side(c, side, view_of_buf(&theirs), content)))
			return false;
	}
	return true;
}

static void check_current(struct input_check *c, size_t applied)
{
	const struct resolution_skills *skills = &c->checked->folder.meta.skills;
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (!c->base_found || applied == skills->count || !replay(c, applied, &content)) {
		if (!is_kept(c->context, &c->file->inputs.current))
			resolution_fault(c->checked, FAULT_NOTE, c->file->at,
				"'current' of %s cannot be checked here", c->shown);
		return;
	}
	see_markers(c, view_of_buf(&content));
	if (!has_hash(view_of_buf(&content), &c->file->inputs.current) &&
		!is_kept(c->context, &c->file->inputs.current))
		resolution_fault(c->checked, FAULT_ERROR, c->file->at,
			"'current' of %s does not match what the other skills produce",
			c->shown);
}

void resolution_check_inputs(const struct resolution_context *context,
	struct resolution_checked *checked, const struct resolution_file *file,
	struct view content)
{
	CLEANUP(check_release)
	struct input_check c = {.context = context,
		.checked = checked,
		.file = file,
		.shown = relpath_quote(&file->path),
		.base = BUF_INIT};

	check_base(&c);
	check_current(&c, check_skill(&c));
	if (!merge_is_binary(content) && lines_count_markers(content) > c.markers)
		resolution_fault(checked, FAULT_ERROR, file->at,
			"the resolution of %s has conflict markers in it", c.shown);
}
