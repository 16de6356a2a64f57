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

static const struct tree_entry *find_part(
	const struct tree *files, const char *part, const char *path)
{
	CLEANUP(freep) char *full = xasprintf("%s/%s", part, path);

	return tree_find(files, full);
}

static const struct tree_entry *find_either(const struct tree *files, const char *path)
{
	const struct tree_entry *entry = find_part(files, "modify", path);

	return entry ? entry : find_part(files, "add", path);
}

/* The package that counts for those who depend on it. */
static const struct tree *present_files(const struct skill *skill)
{
	return skill->applied && !skill->in_batch ? &skill->was : &skill->files;
}

/* The file without this skill. */
static const struct tree_entry *origin_of(
	const struct skill *skill, const struct tree *base, const char *path)
{
	const struct tree_entry *entry = tree_find(base, path);
	const struct skill *other = skill->depends;

	if (entry || !other)
		return entry;
	return find_part(present_files(other), "add", path);
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

static void modify_random(struct skill *skill, const struct tree *base)
{
	const struct tree_entry *from = &base->entries[below((unsigned)base->count)];

	if (from->kind == TREE_FILE && strcmp(from->path, "VERSION") != 0 &&
		!find_part(&skill->files, "modify", from->path))
		change_file(skill, "modify", from->path, from);
}

static void modify_dependency(struct skill *skill)
{
	const struct tree *files = present_files(skill->depends);

	for (size_t i = 0; i < files->count; i++) {
		const char *path = target_of(&files->entries[i]);

		if (path && !strncmp(files->entries[i].path, "add/", 4) &&
			!find_part(&skill->files, "modify", path) && one_in(2))
			change_file(skill, "modify", path, &files->entries[i]);
	}
}

/* The files of the version before, most of them changed, few left out. */
static void carry_over(struct skill *skill)
{
	for (size_t i = 0; i < skill->was.count; i++) {
		const struct tree_entry *entry = &skill->was.entries[i];
		const char *path = target_of(entry);
		const char *part = !strncmp(entry->path, "add/", 4) ? "add" : "modify";

		if (!path || one_in(8))
			continue;
		if (one_in(3))
			put_file(&skill->files, entry->path, entry_view(entry), entry->mode);
		else
			change_file(skill, part, path, entry);
	}
}

void skill_invent(struct skill *skill, const struct tree *base)
{
	tree_release(&skill->files);
	skill->files = TREE_INIT;
	skill->version = skill->applied + 1;
	if (skill->applied)
		carry_over(skill);
	for (unsigned n = skill->applied ? below(2) : 1 + below(3); n; n--)
		modify_random(skill, base);
	for (unsigned n = below(skill->applied ? 2 : 3); n; n--)
		add_file(skill);
	if (skill->depends && !skill->applied)
		modify_dependency(skill);
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
static struct view ancestor_of(
	const struct skill *skill, const struct tree *base, const char *path)
{
	const struct tree_entry *entry = find_either(&skill->was, path);

	if (!entry && find_part(&skill->files, "modify", path))
		entry = origin_of(skill, base, path);
	return entry_view(entry);
}

bool skill_drops(const struct skill *skill, const char *path)
{
	return find_either(&skill->was, path) && !find_either(&skill->files, path);
}

static void add_dropped(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree)
{
	for (size_t i = 0; i < skill->was.count; i++) {
		const char *path = target_of(&skill->was.entries[i]);
		const struct tree_entry *origin, *there;

		if (!path || !skill_drops(skill, path))
			continue;
		origin = origin_of(skill, base, path);
		there = tree_find(tree, path);
		tokens_add(&effect->touched, view_of(path));
		tokens_add_difference(&effect->removed, entry_view(&skill->was.entries[i]),
			entry_view(origin));
		if (find_part(&skill->was, "modify", path) && there && there->kind == TREE_FILE)
			tokens_add_difference(&effect->introduced, entry_view(origin),
				entry_view(&skill->was.entries[i]));
	}
}

void skill_effect_add(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree)
{
	for (size_t i = 0; i < skill->files.count; i++) {
		const char *path = target_of(&skill->files.entries[i]);
		struct view theirs = entry_view(&skill->files.entries[i]);
		struct view ancestor;

		if (!path)
			continue;
		ancestor = ancestor_of(skill, base, path);
		tokens_add(&effect->touched, view_of(path));
		tokens_add_difference(&effect->introduced, theirs, ancestor);
		tokens_add_difference(&effect->removed, ancestor, theirs);
	}
	add_dropped(effect, skill, base, tree);
}

void skill_effect_release(struct skill_effect *effect)
{
	tokens_release(&effect->introduced);
	tokens_release(&effect->removed);
	tokens_release(&effect->touched);
}

void skill_note_applied(struct skill *skill)
{
	skill->applied = skill->version;
	tree_release(&skill->was);
	skill->was = TREE_INIT;
	tree_copy(&skill->was, &skill->files);
}
