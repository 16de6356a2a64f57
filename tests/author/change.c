#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "make.h"
#include "random.h"
#include "world.h"

#define MAX_CHANGES 6

static unsigned written;

/* --- the core --------------------------------------------------------------------------- */

static void put_bytes(
	struct tree *tree, const char *path, const struct buf *content, mode_t mode)
{
	tree_put(tree, (struct tree_entry){
			       .path = xstrdup(path),
			       .kind = TREE_FILE,
			       .mode = mode,
			       .data = xmemdupz(content->data, content->len),
			       .len = content->len,
		       });
}

static void add_lines(struct tree *tree, const char *path, const char *end, bool newline)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < 30; i++)
		buf_appendf(&text, "%s line %zu%s", path, i, i < 29 || newline ? end : "");
	put_bytes(tree, path, &text, 0644);
}

static void add_binary(struct tree *tree, const char *path)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	for (unsigned i = 20 + below(200); i; i--)
		buf_append_char(&content, (char)below(256));
	buf_append(&content, "\0end", 4);
	put_bytes(tree, path, &content, 0644);
}

void change_add_core(struct tree *core)
{
	add_lines(core, "text/dos.txt", "\r\n", true);
	add_lines(core, "text/open.txt", "\n", false);
	add_lines(core, "text/plain.md", "\n", true);
	add_lines(core, "text/two words.c", "\n", true);
	add_binary(core, "text/data.bin");
}

/* --- one file --------------------------------------------------------------------------- */

bool change_is_structured(const char *path)
{
	static const char *const names[] = {
		"package.json", ".env.example", "docker-compose.yml", "system-packages.txt"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(path, names[i]))
			return true;
	return false;
}

static bool is_binary(const struct tree_entry *entry)
{
	return memchr(entry->data, '\0', entry->len);
}

static bool is_candidate(const struct tree_entry *entry)
{
	return entry->kind == TREE_FILE && is_project_path(entry->path) &&
	       strcmp(entry->path, "VERSION") && !change_is_structured(entry->path) &&
	       entry->len;
}

static const struct tree_entry *pick(const struct tree *tree)
{
	const struct tree_entry *found = NULL;
	unsigned seen = 0;

	for (size_t i = 0; i < tree->count; i++)
		if (is_candidate(&tree->entries[i]) && one_in(++seen))
			found = &tree->entries[i];
	return found;
}

/* How its lines end. */
static const char *line_end(const struct tree_entry *entry)
{
	return memmem(entry->data, entry->len, "\r\n", 2) ? "\r\n" : "\n";
}

/* Put lines in, and take lines out, at one place. */
static void edit_at(const struct tree_entry *entry, struct buf *out)
{
	unsigned lines = 0, line = 0, at, out_of, in;
	const char *end = entry->data + entry->len;

	for (const char *p = entry->data; p < end; p++)
		lines += *p == '\n';
	at = below(lines + 1);
	out_of = one_in(2) ? below(3) : 0;
	in = out_of && one_in(3) ? 0 : 1 + below(3);
	for (const char *p = entry->data; p < end; line++) {
		const char *next = memchr(p, '\n', (size_t)(end - p));

		next = next ? next + 1 : end;
		for (unsigned i = 0; line == at && i < in; i++)
			buf_appendf(out, "author %u%s", written++, line_end(entry));
		if (line < at || line >= at + out_of)
			buf_append(out, p, (size_t)(next - p));
		p = next;
	}
}

static void edited(const struct tree_entry *entry, struct buf *out)
{
	if (is_binary(entry)) {
		buf_append(out, entry->data, entry->len);
		buf_appendf(out, "author %u", written++);
		return;
	}
	edit_at(entry, out);
	/* With a newline at the end, or without. */
	if (one_in(12) && out->len && out->data[out->len - 1] == '\n')
		buf_set_len(out, out->len - 1);
	else if (one_in(12))
		buf_append_str(out, line_end(entry));
}

static void edit(struct tree *tree, struct buf *log)
{
	const struct tree_entry *entry = pick(tree);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!entry)
		return;
	buf_appendf(log, "edit %s\n", entry->path);
	edited(entry, &text);
	put_bytes(tree, entry->path, &text, entry->mode);
}

static void change_mode(struct tree *tree, struct buf *log)
{
	const struct tree_entry *entry = pick(tree);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!entry)
		return;
	buf_appendf(log, "mode %s\n", entry->path);
	buf_append(&text, entry->data, entry->len);
	put_bytes(tree, entry->path, &text, entry->mode ^ 0111);
}

static void add(struct tree *tree, struct buf *log)
{
	CLEANUP(freep)
	char *path = xasprintf("%s%u.%s", one_in(2) ? "new/deep/n" : "src/n", below(1000),
		one_in(2) ? "ts" : "txt");
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(log, "add %s\n", path);
	for (unsigned i = below(20); i; i--)
		buf_appendf(&text, "author %u\n", written++);
	if (one_in(5))
		add_binary(tree, path);
	else
		put_bytes(tree, path, &text, one_in(4) ? 0755 : 0644);
}

/* Without the folders that it leaves empty, which are nothing to us. */
static void take_away(struct tree *tree, const char *path)
{
	CLEANUP(freep) char *name = xstrdup(path);
	char *slash;

	tree_remove(tree, name);
	while ((slash = strrchr(name, '/'))) {
		bool used = false;

		*slash = '\0';
		for (size_t i = 0; i < tree->count; i++)
			used |= !strncmp(tree->entries[i].path, name, strlen(name)) &&
				tree->entries[i].path[strlen(name)] == '/';
		if (used)
			return;
		tree_remove(tree, name);
	}
}

static void delete (struct tree *tree, struct buf *log)
{
	const struct tree_entry *entry = pick(tree);
	CLEANUP(freep) char *path = entry ? xstrdup(entry->path) : NULL;

	if (!entry)
		return;
	buf_appendf(log, "delete %s\n", path);
	take_away(tree, path);
}

static void rename_it(struct tree *tree, struct buf *log)
{
	const struct tree_entry *entry = pick(tree);
	CLEANUP(freep) char *from = entry ? xstrdup(entry->path) : NULL;
	CLEANUP(freep) char *to = xasprintf("renamed/r%u.txt", below(1000));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	mode_t mode;

	if (!entry || tree_find(tree, to))
		return;
	mode = entry->mode;
	if (one_in(2))
		edited(entry, &text);
	else
		buf_append(&text, entry->data, entry->len);
	buf_appendf(log, "rename %s to %s\n", from, to);
	take_away(tree, from);
	put_bytes(tree, to, &text, mode);
}

/* --- structured files ------------------------------------------------------------------- */

/* Put `text` behind the first `mark`, or at the end. */
static void insert(struct tree *tree, const char *path, const char *mark, const char *text,
	size_t skipped, struct buf *log)
{
	const struct tree_entry *entry = tree_find(tree, path);
	CLEANUP(freep) char *old = entry ? xmemdupz(entry->data, entry->len) : xstrdup("");
	const char *at = mark ? strstr(old, mark) : old + strlen(old);
	CLEANUP(buf_release) struct buf new = BUF_INIT;

	if (!at)
		return;
	at += mark ? strlen(mark) : 0;
	buf_append(&new, old, (size_t)(at - old));
	buf_append_str(&new, text);
	buf_append_str(&new, at + skipped);
	buf_appendf(log, "insert into %s: %s\n", path, text);
	put_bytes(tree, path, &new, entry ? entry->mode : 0644);
}

static void declare(struct tree *tree, struct buf *log)
{
	unsigned number = written++;
	CLEANUP(freep) char *package = xasprintf("    \"aaa\": \"^1.%u.0\",\n", number);
	CLEANUP(freep)
	char *variable = xasprintf("%sAUTHOR_%u=%s\n", one_in(2) ? "# for the author\n" : "",
		number, one_in(2) ? "5" : "");
	CLEANUP(freep) char *name = xasprintf("zz-author%u\n", number);

	switch (below(5)) {
	case 0:
		if (!memmem(tree_find(tree, "package.json")->data,
			    tree_find(tree, "package.json")->len, "aaa", 3))
			insert(tree, "package.json", "\"dependencies\": {\n", package, 0, log);
		break;
	case 1:
		insert(tree, ".env.example", NULL, variable, 0, log);
		break;
	case 2:
		insert(tree, "system-packages.txt", NULL, name, 0, log);
		break;
	case 3:
		if (!tree_find(tree, "docker-compose.yml"))
			insert(tree, "docker-compose.yml", NULL,
				"services:\n  author:\n    image: img\n", 0, log);
		break;
	default:
		/* No declaration can say this. */
		insert(tree, "package.json", "\"name\": \"", "y", 1, log);
	}
}

/* --- all of them ------------------------------------------------------------------------ */

void change_some(struct tree *tree, struct buf *log)
{
	static void (*const kinds[])(struct tree *, struct buf *) = {
		edit, edit, edit, edit, add, add, delete, rename_it, change_mode, declare};

	for (unsigned i = 1 + below(MAX_CHANGES); i; i--)
		kinds[below(ARRAY_SIZE(kinds))](tree, log);
}
