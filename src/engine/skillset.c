#include "engine/skillset.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/beneath.h"

/* A state names every file of every skill, so it may be larger than a manifest. */
static const struct yaml_limits state_limits = {
	.size = (size_t)64 * 1024 * 1024,
	.nodes = 4000000,
};

/* --- the project ------------------------------------------------------------- */

static bool is_same_folder(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int find_root(int *ret_root, struct error *err)
{
	CLEANUP(closep) int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	while (folder >= 0) {
		int parent;

		if (!fstatat(folder, ".nanoclaw", &st, AT_SYMLINK_NOFOLLOW) &&
			S_ISDIR(st.st_mode)) {
			*ret_root = TAKE_FD(folder);
			return 0;
		}
		parent = openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (parent >= 0 && is_same_folder(folder, parent)) {
			closep(&parent);
			parent = -1;
		}
		closep(&folder);
		folder = parent;
	}
	*ret_root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret_root < 0 ? error_errno(err, "cannot open the working directory") : 0;
}

/* --- the state --------------------------------------------------------------- */

static char *scalar_text(const struct yaml_node *node)
{
	bool is_text = node && node->kind == YAML_SCALAR && !yaml_is_null(node);

	return is_text ? xmemdupz(node->text.data, node->text.len) : NULL;
}

/* A plain string, or a mapping with `name` or `skill`. */
static struct applied_skill read_applied(const struct yaml_node *node)
{
	const struct yaml_node *name = yaml_get(node, "name");
	const struct yaml_node *files = yaml_get(node, "file_hashes");
	struct applied_skill skill = {0};

	if (node->kind == YAML_SCALAR)
		name = node;
	else if (!name)
		name = yaml_get(node, "skill");
	skill.name = scalar_text(name);
	skill.version = scalar_text(yaml_get(node, "version"));
	if (!files || files->kind != YAML_MAPPING)
		return skill;
	skill.files = xcalloc(files->count + 1, sizeof(*skill.files));
	for (; skill.file_count < files->count; skill.file_count++) {
		struct view path = files->entries[skill.file_count].key;

		skill.files[skill.file_count] = xmemdupz(path.data, path.len);
	}
	return skill;
}

/* What these commands need of state.yaml, and no more. */
static int read_state(struct skillset *skills, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = {xstrdup(".nanoclaw/state.yaml")};
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct yaml_node *applied;

	if (beneath_read(skills->root, &path, state_limits.size, &text, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (yaml_parse_limited(view_of_buf(&text), path.text, &state_limits, &doc, err) < 0 ||
		yaml_expect(doc->root, YAML_MAPPING, "the state", err) < 0)
		return -1;
	skills->core_version = scalar_text(yaml_get(doc->root, "core_version"));
	applied = yaml_get(doc->root, "applied_skills");
	if (!applied || yaml_is_null(applied))
		return 0;
	if (yaml_expect(applied, YAML_SEQUENCE, "'applied_skills'", err) < 0)
		return -1;
	skills->applied = xcalloc(applied->count + 1, sizeof(*skills->applied));
	for (size_t i = 0; i < applied->count; i++) {
		skills->applied[skills->applied_count++] = read_applied(applied->items[i]);
		if (!skills->applied[i].name)
			return yaml_error(
				applied->items[i], err, "an applied skill has no name");
	}
	return 0;
}

int skillset_open(struct skillset *ret_skills, struct error *err)
{
	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;

	if (find_root(&skills.root, err) < 0 || read_state(&skills, err) < 0 ||
		package_list_read(skills.root, &skills.packages, err) < 0)
		return -1;
	*ret_skills = skills;
	skills = SKILLSET_INIT;
	return 0;
}

const struct applied_skill *skillset_applied(const struct skillset *skills, const char *name)
{
	for (size_t i = 0; i < skills->applied_count; i++)
		if (!strcmp(skills->applied[i].name, name))
			return &skills->applied[i];
	return NULL;
}

const struct package *skillset_package(const struct skillset *skills, const char *name)
{
	for (size_t i = 0; i < skills->packages.count; i++)
		if (!strcmp(skills->packages.list[i].manifest.skill, name))
			return &skills->packages.list[i];
	return NULL;
}

void skillset_release(struct skillset *skills)
{
	closep(&skills->root);
	package_list_release(&skills->packages);
	for (size_t i = 0; i < skills->applied_count; i++) {
		struct applied_skill *skill = &skills->applied[i];

		for (size_t k = 0; k < skill->file_count; k++)
			free(skill->files[k]);
		free(skill->files);
		free(skill->name);
		free(skill->version);
	}
	free(skills->applied);
	free(skills->core_version);
}

/* --- overlaps ---------------------------------------------------------------- */

/* That a skill touches a path. */
struct touch {
	const char *path;
	const char *skill;
};

struct touches {
	struct touch *list;
	size_t count;
	size_t cap;
};

static void add_touch(struct touches *touches, const char *path, const char *skill)
{
	GROW(touches->list, touches->count, touches->cap);
	touches->list[touches->count++] = (struct touch){path, skill};
}

static void add_paths(
	struct touches *touches, const struct manifest_paths *paths, const char *skill)
{
	for (size_t i = 0; i < paths->count; i++)
		add_touch(touches, paths->list[i].path.text, skill);
}

static int compare_touches(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : strcmp(x->skill, y->skill);
}

/* Sorted, and without those that say the same. */
static void gather_touches(const struct skillset *skills, struct touches *touches)
{
	size_t kept = 0;

	for (size_t i = 0; i < skills->packages.count; i++) {
		const struct manifest *manifest = &skills->packages.list[i].manifest;

		add_paths(touches, &manifest->adds, manifest->skill);
		add_paths(touches, &manifest->modifies, manifest->skill);
	}
	for (size_t i = 0; i < skills->applied_count; i++)
		for (size_t k = 0; k < skills->applied[i].file_count; k++)
			add_touch(
				touches, skills->applied[i].files[k], skills->applied[i].name);
	if (touches->count)
		qsort(touches->list, touches->count, sizeof(*touches->list), compare_touches);
	for (size_t i = 0; i < touches->count; i++)
		if (!kept || compare_touches(&touches->list[kept - 1], &touches->list[i]) != 0)
			touches->list[kept++] = touches->list[i];
	touches->count = kept;
}

void skillset_overlaps(const struct skillset *skills, struct overlaps *ret_overlaps)
{
	struct overlaps overlaps = {0};
	struct touches touches = {0};
	size_t next;

	gather_touches(skills, &touches);
	for (size_t i = 0; i < touches.count; i = next) {
		struct overlap overlap = {.path = touches.list[i].path};

		for (next = i + 1; next < touches.count; next++)
			if (strcmp(touches.list[next].path, overlap.path) != 0)
				break;
		if (next - i < 2)
			continue;
		overlap.skills = xcalloc(next - i, sizeof(*overlap.skills));
		for (size_t k = i; k < next; k++)
			overlap.skills[overlap.count++] = touches.list[k].skill;
		GROW(overlaps.list, overlaps.count, overlaps.cap);
		overlaps.list[overlaps.count++] = overlap;
	}
	free(touches.list);
	*ret_overlaps = overlaps;
}

void overlaps_release(struct overlaps *overlaps)
{
	for (size_t i = 0; i < overlaps->count; i++)
		free(overlaps->list[i].skills);
	free(overlaps->list);
}
