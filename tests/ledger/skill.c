#include "skill.h"

#include <string.h>

#include "random.h"
#include "text.h"

void skill_init(struct skill *skill, const char *name, const struct skill *depends)
{
	*skill = (struct skill){.name = xstrdup(name), .depends = depends};
}

void skill_release(struct skill *skill)
{
	free(skill->name);
	tree_release(&skill->files);
	tree_release(&skill->was);
	file_ops_release(&skill->ops);
	file_ops_release(&skill->was_ops);
}

void put_file(struct tree *tree, const char *path, struct view content, mode_t mode)
{
	tree_put(tree, (struct tree_entry){
			       .path = xstrdup(path),
			       .kind = TREE_FILE,
			       .mode = mode,
			       .data = xmemdupz(content.data, content.len),
			       .len = content.len,
		       });
}

/* "add/x" or "modify/x" to "x"; NULL for a folder. */
static const char *target_of(const struct tree_entry *entry)
{
	const char *slash = strchr(entry->path, '/');

	return entry->kind == TREE_FILE && slash ? slash + 1 : NULL;
}

/* A file of a package, under any name that it has or had; `part` may be NULL. */
static const struct tree_entry *find_named(
	const struct tree *files, const char *part, const struct names *names, const char *path)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *target = target_of(&files->entries[i]);

		if (target && names_same(names, target, path) &&
			(!part || !strncmp(files->entries[i].path, part, strlen(part))))
			return &files->entries[i];
	}
	return NULL;
}

const struct tree_entry *skill_find_applied(
	const struct skill *skill, const struct names *names, const char *path)
{
	return find_named(&skill->was, NULL, names, path);
}

const struct tree_entry *skill_find_added(
	const struct tree *files, const struct names *names, const char *path)
{
	return find_named(files, "add/", names, path);
}

const struct tree_entry *find_core(
	const struct tree *base, const struct names *names, const char *path)
{
	for (size_t i = 0; i < base->count; i++)
		if (base->entries[i].kind != TREE_DIR &&
			names_same(names, base->entries[i].path, path))
			return &base->entries[i];
	return NULL;
}

/* The package that counts for those who depend on it. */
static const struct tree *present_files(const struct skill *skill)
{
	return skill->applied && !skill->in_batch ? &skill->was : &skill->files;
}

static const struct file_ops *present_ops(const struct skill *skill)
{
	return skill->applied && !skill->in_batch ? &skill->was_ops : &skill->ops;
}

/* The file without this skill. */
static const struct tree_entry *origin_of(const struct skill *skill, const struct tree *base,
	const struct names *names, const char *path)
{
	const struct tree_entry *entry = find_core(base, names, path);

	if (entry || !skill->depends)
		return entry;
	return find_named(present_files(skill->depends), "add/", names, path);
}

/* --- making one up ------------------------------------------------------------------ */

static char *new_token(struct skill *skill)
{
	return xasprintf("<%s%u:%u>", skill->name, skill->version, ++skill->next_token);
}

static void change_lines(struct skill *skill, struct text *text)
{
	CLEANUP(freep) char *token = new_token(skill);

	switch (below(text->count ? 7 : 1)) {
	case 0:
	case 1:
	case 2:
		text_insert(text, below((unsigned)text->count + 1), token);
		break;
	case 3:
		text_extend(text, below((unsigned)text->count), token);
		break;
	case 4:
	case 5:
		if (text->count > 1)
			text_delete(text, below((unsigned)text->count));
		break;
	default:
		text_move(text);
		break;
	}
}

static void change(struct skill *skill, struct view content, struct buf *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (is_binary(content)) {
		CLEANUP(freep) char *token = new_token(skill);

		buf_append(out, content.data, content.len);
		buf_append_str(out, token);
		return;
	}
	text_split(&text, content);
	for (unsigned n = 1 + below(4); n; n--)
		change_lines(skill, &text);
	text_join(&text, out);
}

static void put_part(struct tree *files, const char *part, const char *path,
	struct view content, mode_t mode)
{
	CLEANUP(freep) char *full = xasprintf("%s/%s", part, path);

	put_file(files, full, content, mode);
}

static void change_file(
	struct skill *skill, const char *part, const char *path, const struct tree_entry *from)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	mode_t mode = from->mode & 0100 ? 0755 : 0644;

	change(skill, entry_view(from), &content);
	put_part(&skill->files, part, path, view_of_buf(&content),
		one_in(8) ? mode ^ 0111 : mode);
}

static void add_file(struct skill *skill)
{
	CLEANUP(freep)
	char *path = xasprintf("new/%s%u.txt", skill->name, ++skill->next_token);
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (one_in(6))
		buf_append(&content, "\0", 1);
	for (unsigned n = 1 + below(8); n; n--) {
		CLEANUP(freep) char *token = new_token(skill);

		buf_appendf(&content, "%s\n", token);
	}
	put_part(&skill->files, "add", path, view_of_buf(&content), one_in(6) ? 0755 : 0644);
}

/* May the package have a changed version of this file? */
static bool is_free(const struct skill *skill, const struct names *names, const char *path)
{
	return path && !find_named(&skill->files, NULL, names, path);
}

static void modify_random(
	struct skill *skill, const struct tree *base, const struct names *names)
{
	const struct tree_entry *from = &base->entries[below((unsigned)base->count)];
	const char *path = file_ops_follow(&skill->ops, from->path);

	if (from->kind == TREE_FILE && strcmp(from->path, "VERSION") != 0 &&
		is_free(skill, names, from->path) && is_free(skill, names, path))
		change_file(skill, "modify", path, from);
}

static void modify_dependency(
	struct skill *skill, const struct tree *base, const struct names *names)
{
	const struct tree *files = present_files(skill->depends);
	const struct file_ops *ops = present_ops(skill->depends);

	for (size_t i = 0; i < files->count; i++) {
		const char *path = target_of(&files->entries[i]);

		if (path && !strncmp(files->entries[i].path, "add/", 4) && one_in(2)) {
			path = file_ops_follow(&skill->ops, path);
			if (is_free(skill, names, path))
				change_file(skill, "modify", path, &files->entries[i]);
		}
	}
	for (size_t i = 0; i < ops->count; i++) {
		const struct tree_entry *from = tree_find(base, ops->list[i].from);
		const char *path = file_ops_follow(ops, ops->list[i].from);

		if (path && from && from->kind == TREE_FILE && one_in(2) &&
			!file_ops_mention(&skill->ops, from->path) &&
			!file_ops_mention(&skill->ops, path) &&
			is_free(skill, names, from->path) && is_free(skill, names, path))
			change_file(skill, "modify", path, from);
	}
}

/* The files of the version before, most of them changed, few left out. */
static void carry_over(struct skill *skill)
{
	for (size_t i = 0; i < skill->was.count; i++) {
		const struct tree_entry *entry = &skill->was.entries[i];
		const char *path = target_of(entry);
		const char *now = path ? file_ops_follow(&skill->ops, path) : NULL;
		const char *part =
			!strncmp(entry->path, "add/", 4) && now == path ? "add" : "modify";

		if (!now || one_in(8))
			continue;
		if (one_in(3))
			put_part(&skill->files, part, now, entry_view(entry), entry->mode);
		else
			change_file(skill, part, now, entry);
	}
}

/* A file that there is to be renamed or deleted: the core's, a dependency's, its own. */
static const char *pick_source(const struct skill *skill, const struct tree *base)
{
	const struct tree *trees[] = {
		base, base, &skill->was, skill->depends ? present_files(skill->depends) : base};
	const struct tree *tree = trees[below(ARRAY_SIZE(trees))];
	const struct tree_entry *entry;

	if (!tree->count)
		return NULL;
	entry = &tree->entries[below((unsigned)tree->count)];
	if (tree != base)
		return strncmp(entry->path, "add/", 4) ? NULL : target_of(entry);
	return entry->kind == TREE_DIR || !strcmp(entry->path, "VERSION") ? NULL : entry->path;
}

/* A name of its own, or one that others choose for the same file, too. */
static char *new_name(struct skill *skill, const char *from)
{
	char *name;

	if (!one_in(3))
		return xasprintf("moved/%s%u", skill->name, ++skill->next_token);
	name = xasprintf("same/%s", from);
	for (char *slash = strchr(name + 5, '/'); slash; slash = strchr(slash, '/'))
		*slash = '-';
	return name;
}

static void invent_op(struct skill *skill, const struct tree *base)
{
	const char *from = NULL;
	CLEANUP(freep) char *to = NULL;

	for (unsigned tries = 3; tries && !from; tries--)
		from = pick_source(skill, base);
	if (!from || file_ops_mention(&skill->ops, from) ||
		file_ops_mention(&skill->was_ops, from))
		return;
	if (one_in(3)) {
		file_ops_add(&skill->ops, from, NULL);
		return;
	}
	to = new_name(skill, from);
	file_ops_add(&skill->ops, from, to);
	if (one_in(6)) {
		CLEANUP(freep) char *further = new_name(skill, to);

		file_ops_add(&skill->ops, to, further);
	}
}

static void invent_ops(struct skill *skill, const struct tree *base)
{
	file_ops_release(&skill->ops);
	for (size_t i = 0; i < skill->was_ops.count; i++)
		if (!one_in(8))
			file_ops_add(&skill->ops, skill->was_ops.list[i].from,
				skill->was_ops.list[i].to);
	for (unsigned n = one_in(2) ? 1 + below(2) : 0; n; n--)
		invent_op(skill, base);
}

void skill_invent(struct skill *skill, const struct tree *base, const struct names *names)
{
	tree_release(&skill->files);
	skill->files = TREE_INIT;
	skill->version = skill->applied + 1;
	invent_ops(skill, base);
	if (skill->applied)
		carry_over(skill);
	for (unsigned n = skill->applied ? below(2) : 1 + below(3); n; n--)
		modify_random(skill, base, names);
	for (unsigned n = below(skill->applied ? 2 : 3); n; n--)
		add_file(skill);
	if (skill->depends && !skill->applied)
		modify_dependency(skill, base, names);
	if (!skill->files.count)
		add_file(skill);
}

/* --- on the disk -------------------------------------------------------------------- */

static void append_paths(
	struct buf *out, const char *key, const struct tree *files, const char *part)
{
	const char *separator = "";

	buf_appendf(out, "%s: [", key);
	for (size_t i = 0; i < files->count; i++) {
		const char *path = target_of(&files->entries[i]);

		if (!path || strncmp(files->entries[i].path, part, strlen(part)) != 0)
			continue;
		buf_appendf(out, "%s%s", separator, path);
		separator = ", ";
	}
	buf_append_str(out, "]\n");
}

int skill_write(
	const struct skill *skill, const char *folder, bool failing_test, struct error *err)
{
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;
	CLEANUP(tree_release) struct tree package = TREE_INIT;

	buf_appendf(&manifest, "skill: %s\nversion: %u.0.0\ncore_version: 1.0.0\n", skill->name,
		skill->version);
	append_paths(&manifest, "adds", &skill->files, "add/");
	append_paths(&manifest, "modifies", &skill->files, "modify/");
	if (skill->depends)
		buf_appendf(&manifest, "depends: [%s]\n", skill->depends->name);
	file_ops_write(&skill->ops, &manifest);
	if (failing_test)
		buf_append_str(&manifest, "test: exit 1\n");
	tree_copy(&package, &skill->files);
	put_file(&package, "manifest.yaml", view_of_buf(&manifest), 0644);
	if (tree_delete(folder, err) < 0)
		return -1;
	return tree_write(&package, folder, err);
}

/* --- what it does -------------------------------------------------------------------- */

/* Where the merge begins: the applied version's file, else the file without the skill. */
static struct view ancestor_of(const struct skill *skill, const struct tree *base,
	const struct names *names, const struct tree_entry *entry)
{
	const struct tree_entry *old = skill_find_applied(skill, names, target_of(entry));

	if (!old && !strncmp(entry->path, "modify/", 7))
		old = origin_of(skill, base, names, target_of(entry));
	return entry_view(old);
}

static void add_dropped(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree, const struct names *names)
{
	for (size_t i = 0; i < skill->was.count; i++) {
		const struct tree_entry *old = &skill->was.entries[i];
		const char *path = target_of(old);
		const struct tree_entry *origin, *there;

		if (!path || find_named(&skill->files, NULL, names, path))
			continue;
		path = names_where(names, path);
		origin = origin_of(skill, base, names, path);
		there = tree_find(tree, path);
		tokens_add(&effect->touched, view_of(path));
		tokens_add(&effect->given_up, view_of(path));
		tokens_add_difference(&effect->removed, entry_view(old), entry_view(origin));
		if (!strncmp(old->path, "modify/", 7) && there && there->kind == TREE_FILE)
			tokens_add_difference(
				&effect->introduced, entry_view(origin), entry_view(old));
	}
}

void skill_effect_add(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree, const struct names *names)
{
	for (size_t i = 0; i < skill->files.count; i++) {
		const struct tree_entry *entry = &skill->files.entries[i];
		struct view ancestor;

		if (!target_of(entry))
			continue;
		ancestor = ancestor_of(skill, base, names, entry);
		tokens_add(&effect->touched, view_of(names_where(names, target_of(entry))));
		tokens_add_difference(&effect->introduced, entry_view(entry), ancestor);
		tokens_add_difference(&effect->removed, ancestor, entry_view(entry));
	}
	add_dropped(effect, skill, base, tree, names);
}

void skill_effect_release(struct skill_effect *effect)
{
	tokens_release(&effect->introduced);
	tokens_release(&effect->removed);
	tokens_release(&effect->touched);
	tokens_release(&effect->given_up);
}

void skill_add_paths(const struct skill *skill, struct tokens *paths)
{
	const struct tree *versions[] = {&skill->was, &skill->files};
	const struct file_ops *ops[] = {&skill->was_ops, &skill->ops};

	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < versions[i]->count; j++)
			if (target_of(&versions[i]->entries[j]))
				tokens_add(paths, view_of(target_of(&versions[i]->entries[j])));
		for (size_t j = 0; j < ops[i]->count; j++) {
			tokens_add(paths, view_of(ops[i]->list[j].from));
			if (ops[i]->list[j].to)
				tokens_add(paths, view_of(ops[i]->list[j].to));
		}
	}
}

void skill_note_applied(struct skill *skill)
{
	skill->applied = skill->version;
	tree_release(&skill->was);
	skill->was = TREE_INIT;
	tree_copy(&skill->was, &skill->files);
	file_ops_copy(&skill->was_ops, &skill->ops);
}
