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
#include "engine/resolution/resolution_check.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"
#include "fs/beneath.h"

/* --- packages and core to compare with ----------------------------------- */

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

static bool objects_keep(const struct resolution_context *context, const struct hash *hash)
{
	return context->objects >= 0 && objects_has(context->objects, hash);
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

		if (package_of(context, skill) || applied_of(context, skill))
			continue;
		if (other)
			faults_add_at(&checked->faults, severity, node->doc, node->at,
				"it is for %s %s, and the package here is %s", skill->name,
				skill->version, other->manifest.version);
		else
			faults_add_at(&checked->faults, severity, node->doc, node->at,
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
	struct buf base; /* the file that `base` is about, if it was found */
	bool base_found;
	size_t markers; /* in the inputs that were found */
};

/* A fault of the file, whose path is between the two parts of the message. */
static void input_fault(const struct input_check *c, enum fault_severity severity,
	const char *before, const char *after)
{
	CLEANUP(freep) char *shown = relpath_quote(&c->file->path);

	faults_add_at(&c->checked->faults, severity, c->checked->folder.meta.doc, c->file->at,
		"%s %s %s", before, shown, after);
}

static void input_count_markers(struct input_check *c, struct view content)
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

/* A file of another core than ours may differ. */
static enum fault_severity core_severity(const struct input_check *c)
{
	const char *made_for = c->checked->folder.meta.core_version;
	bool same = made_for && c->context->core_version &&
		    !strcmp(made_for, c->context->core_version);

	return same || !c->context->foreign ? FAULT_ERROR : FAULT_WARNING;
}

static void input_check_base(struct input_check *c)
{
	CLEANUP(error_release) struct error absent = ERROR_INIT;
	bool in_core = beneath_read(c->context->core, &c->file->path, PACKAGE_MAX_FILE,
			       &c->base, &absent) == 0;

	if (!c->file->inputs.has_base) {
		c->base_found = !in_core;
		if (in_core)
			input_fault(c, core_severity(c), "it says that",
				"is not in the core, but it is");
		return;
	}
	c->base_found = (in_core && has_hash(view_of_buf(&c->base), &c->file->inputs.base)) ||
			is_added_file(c);
	if (c->base_found) {
		input_count_markers(c, view_of_buf(&c->base));
		return;
	}
	if (!objects_keep(c->context, &c->file->inputs.base))
		input_fault(c, core_severity(c), "'base' of",
			"is not the core's file, nor one that a package adds");
}

/*
 * The index of the skill whose file is `skill`: the last one, unless the two sides are swapped.
 * The number of skills if no file matches.
 */
static size_t input_check_skill(struct input_check *c)
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
		input_count_markers(c, view_of_buf(&content));
		if (found == skills->count &&
			has_hash(view_of_buf(&content), &c->file->inputs.skill))
			found = i - 1;
	}
	if (found < skills->count)
		return found;
	if (unknown)
		input_fault(
			c, FAULT_NOTE, "'skill' of", "cannot be checked: a package is missing");
	else
		input_fault(
			c, FAULT_ERROR, "'skill' of", "does not match a file of its skills");
	return found;
}

/* --- the file before the skill ------------------------------------------- */

/* Put one skill's changes into the file; false if that cannot be done without asking. */
static bool merge_side(const struct input_check *c, enum skill_side side, struct view theirs,
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
static bool replay_others(const struct input_check *c, size_t applied, struct buf *content)
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
				!merge_side(c, side, view_of_buf(&theirs), content)))
			return false;
	}
	return true;
}

static void input_check_current(struct input_check *c, size_t applied)
{
	const struct resolution_skills *skills = &c->checked->folder.meta.skills;
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (!c->base_found || applied == skills->count ||
		!replay_others(c, applied, &content)) {
		if (!objects_keep(c->context, &c->file->inputs.current))
			input_fault(c, FAULT_NOTE, "'current' of", "cannot be checked here");
		return;
	}
	input_count_markers(c, view_of_buf(&content));
	if (!has_hash(view_of_buf(&content), &c->file->inputs.current) &&
		!objects_keep(c->context, &c->file->inputs.current))
		input_fault(c, FAULT_ERROR, "'current' of",
			"does not match what the other skills produce");
}

void resolution_check_inputs(const struct resolution_context *context,
	struct resolution_checked *checked, const struct resolution_file *file,
	struct view content)
{
	struct input_check c = {
		.context = context, .checked = checked, .file = file, .base = BUF_INIT};

	input_check_base(&c);
	input_check_current(&c, input_check_skill(&c));
	if (!merge_is_binary(content) && lines_count_markers(content) > c.markers)
		input_fault(&c, FAULT_ERROR, "the resolution of", "has conflict markers in it");
	buf_release(&c.base);
}
