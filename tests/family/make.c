#include "make.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "random.h"

char family_name(size_t skill)
{
	return (char)('a' + skill);
}

void put_text(struct tree *tree, const char *path, const char *text, mode_t mode)
{
	tree_put(tree, (struct tree_entry){
			       .path = xstrdup(path),
			       .kind = TREE_FILE,
			       .mode = mode,
			       .data = xstrdup(text),
			       .len = strlen(text),
		       });
}

/* --- the core ------------------------------------------------------------------------ */

static mode_t core_mode(size_t file)
{
	return file == CORE_FILES - 1 ? 0755 : 0644;
}

static void make_core(struct tree *tree)
{
	for (size_t i = 0; i < CORE_FILES; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(freep) char *path = xasprintf("src/f%zu.txt", i);

		for (size_t line = 0; line < LINES_OF_ALL; line++)
			buf_appendf(&text, "core %zu line %zu\n", i, line);
		put_text(tree, path, text.data, core_mode(i));
	}
	put_text(tree, "VERSION", "1.0.0\n", 0644);
	put_text(tree, "old/gone.txt", "to be deleted\n", 0644);
	put_text(tree, ".env.example", "MINE=1\n", 0644);
	put_text(tree, "package.json",
		"{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\n"
		"    \"zod\": \"^3.0.0\"\n  }\n}\n",
		0644);
	tree_put(tree, (struct tree_entry){.path = xstrdup("src/link"),
			       .kind = TREE_LINK,
			       .data = xstrdup("f0.txt"),
			       .len = 6});
}

/* --- one skill ------------------------------------------------------------------------- */

struct making {
	struct family *family;
	size_t skill;
	struct buf adds;
	struct buf modifies;
	struct buf ops;
};

static void list(struct buf *list, const char *item)
{
	buf_appendf(list, "%s%s", list->len ? ", " : "", item);
}

static void put_part(
	struct making *m, const char *part, const char *path, const char *text, mode_t mode)
{
	CLEANUP(freep)
	char *where = xasprintf("skills/%c/%s/%s", family_name(m->skill), part, path);

	put_text(&m->family->files, where, text, mode);
	list(!strcmp(part, "add") ? &m->adds : &m->modifies, path);
}

static void add_files(struct making *m)
{
	char name = family_name(m->skill);

	for (unsigned k = below(3); k; k--) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(freep)
		char *path = one_in(2) ? xasprintf("lib/%c/m%u.txt", name, k)
				       : xasprintf("src/own-%c%u.txt", name, k);

		for (size_t line = 0; line < LINES_OF_ALL; line++)
			buf_appendf(&text, "%c added %u line %zu\n", name, k, line);
		put_part(m, "add", path, text.data, one_in(3) ? 0755 : 0644);
		free(m->family->added[m->skill]);
		m->family->added[m->skill] = xstrdup(path);
	}
}

/* Insert some lines at the place of the skill, and maybe take the next two out. */
static void change_text(struct making *m, const char *old, struct buf *ret_text)
{
	size_t at = m->skill * 7 + 1, line = 0, skipped = one_in(3) ? 2 : 0;

	for (; *old; line++) {
		const char *end = strchr(old, '\n') + 1;

		for (unsigned n = line == at ? 1 + below(3) : 0; n; n--)
			buf_appendf(ret_text, "%c put in %u before %.*s\n",
				family_name(m->skill), n, (int)(end - 1 - old), old);
		if (line < at || line >= at + skipped)
			buf_append(ret_text, old, (size_t)(end - old));
		old = end;
	}
}

static void modify(struct making *m, const char *path, const struct tree_entry *from)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *old = xmemdupz(from->data, from->len);

	change_text(m, old, &text);
	put_part(m, "modify", path, text.data, one_in(10) ? from->mode ^ 0111 : from->mode);
}

static void modify_core(struct making *m)
{
	for (size_t i = 0; i < CORE_FILES; i++) {
		CLEANUP(freep) char *path = xasprintf("src/f%zu.txt", i);

		if (one_in(2))
			modify(m, path, tree_find(&m->family->files, path));
	}
}

static void build_on_another(struct making *m)
{
	size_t other = below((unsigned)m->skill);
	const char *path = m->skill ? m->family->added[other] : NULL;
	CLEANUP(freep) char *where = NULL;

	m->family->depends[m->skill] = -1;
	if (!path || !one_in(3))
		return;
	where = xasprintf("skills/%c/add/%s", family_name(other), path);
	modify(m, path, tree_find(&m->family->files, where));
	m->family->depends[m->skill] = (int)other;
}

/* Two skills that rename the same file do not go together. */
static void rename_and_delete(struct making *m)
{
	char name = family_name(m->skill);
	unsigned file = below(CORE_FILES + 1);
	CLEANUP(freep) char *op = NULL;

	if (one_in(3) && !m->family->renamed[file]) {
		m->family->renamed[file] = true;
		op = file == CORE_FILES
			     ? xasprintf("{type: rename, from: src/link, to: links/%c}", name)
			     : xasprintf("{type: move, from: src/f%u.txt, to: "
					 "moved/%c/f%u.txt}",
				       file, name, file);
		list(&m->ops, op);
	}
	if (one_in(5))
		list(&m->ops, "{type: delete, path: old/gone.txt}");
}

static void declare(struct making *m, struct buf *manifest)
{
	char name = family_name(m->skill);

	buf_append_str(manifest, "structured:\n  system_packages: [common]\n");
	if (one_in(2))
		buf_appendf(manifest,
			"  npm_dependencies: {pkg-%c: \"^1.%zu.0\", shared: \"^2.%u.0\"}\n",
			name, m->skill, below(3));
	if (one_in(2))
		buf_appendf(manifest, "  env_additions: [TOKEN_OF_%c]\n", name - 'a' + 'A');
	if (one_in(3))
		buf_appendf(manifest,
			"  docker_compose_services: {of-%c: {image: img, ports: [\"%u:80\"]}}\n",
			name, 8000 + (unsigned)m->skill);
}

static void make_skill(struct family *family, size_t skill)
{
	struct making m = {family, skill, BUF_INIT, BUF_INIT, BUF_INIT};
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("skills/%c/manifest.yaml", family_name(skill));

	add_files(&m);
	modify_core(&m);
	build_on_another(&m);
	rename_and_delete(&m);
	buf_appendf(&manifest,
		"skill: %c\nversion: 1.0.0\ncore_version: 1.0.0\nadds: [%s]\nmodifies: [%s]\n",
		family_name(skill), m.adds.len ? m.adds.data : "",
		m.modifies.len ? m.modifies.data : "");
	if (m.ops.len)
		buf_appendf(&manifest, "file_ops: [%s]\n", m.ops.data);
	if (family->depends[skill] >= 0)
		buf_appendf(&manifest, "depends: [%c]\n",
			family_name((size_t)family->depends[skill]));
	if (!one_in(3))
		declare(&m, &manifest);
	put_text(&family->files, path, manifest.data, 0644);
	buf_release(&m.adds);
	buf_release(&m.modifies);
	buf_release(&m.ops);
}

/* --- all of them ------------------------------------------------------------------------ */

static bool is_placed(const struct family *family, size_t count, int skill)
{
	for (size_t i = 0; i < count; i++)
		if (family->order[i] == (size_t)skill)
			return true;
	return skill < 0;
}

static void choose_order(struct family *family)
{
	for (size_t count = 0; count < FAMILY_SIZE;) {
		size_t next = below(FAMILY_SIZE);

		if (!is_placed(family, count, (int)next) &&
			is_placed(family, count, family->depends[next]))
			family->order[count++] = next;
	}
}

void family_make(struct family *family)
{
	*family = (struct family){.files = TREE_INIT};
	make_core(&family->files);
	for (size_t i = 0; i < FAMILY_SIZE; i++)
		make_skill(family, i);
	choose_order(family);
}

void family_release(struct family *family)
{
	tree_release(&family->files);
	for (size_t i = 0; i < FAMILY_SIZE; i++)
		free(family->added[i]);
}
