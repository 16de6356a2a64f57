/*
 * Finds what the author of a package still has to write: placeholders of `skill new`,
 * descriptions, and installs that the manifest should declare.
 */
#include <string.h>

#include "engine/author/internal.h"
#include "engine/package/intent.h"
#include "fs/beneath.h"

/* A file that is missing, or cannot be read, is a fault of package_check_files(). */
static bool read_package_text(
	const struct package *package, const char *name, struct buf *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	return relpath_parse(view_of(name), &path, &ignored) == 0 &&
	       beneath_read(package->fd, &path, PACKAGE_MAX_FILE, ret_text, &ignored) == 0;
}

static void check_marks(const struct package *package, const char *name, struct faults *faults)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *where = NULL;
	struct view rest, line;
	size_t number = 1;
	bool found = false;

	if (!read_package_text(package, name, &text))
		return;
	rest = view_of_buf(&text);
	while (!found && view_next(&rest, '\n', &line)) {
		found = memmem(line.data, line.len, AUTHOR_MARK, strlen(AUTHOR_MARK));
		number += !found;
	}
	if (!found)
		return;
	where = xasprintf("%s:%zu", name, number);
	faults_add(faults, FAULT_WARNING, where,
		"the placeholder '" AUTHOR_MARK "' is still there: replace it with your text");
}

static void check_placeholders(const struct package *package, struct faults *faults)
{
	const struct manifest *m = &package->manifest;
	CLEANUP(freep) char *example = xasprintf(AUTHOR_EXAMPLE, m->skill ? m->skill : "");

	check_marks(package, "SKILL.md", faults);
	for (size_t i = 0; i < m->modifies.count; i++) {
		CLEANUP(freep)
		char *name =
			xasprintf("modify/%s" INTENT_SUFFIX, m->modifies.list[i].path.text);

		check_marks(package, name, faults);
	}
	for (size_t i = 0; i < m->adds.count; i++)
		if (!strcmp(m->adds.list[i].path.text, example))
			check_fault(faults, FAULT_WARNING, m->adds.list[i].at,
				"'%s' is the example from 'skill new': replace it with your own "
				"files",
				example);
}

/* The value of a key in the front matter: the lines between two '---' at the beginning. */
static bool has_front_matter_key(struct view text, const char *key)
{
	CLEANUP(freep) char *start = xasprintf("%s:", key);
	struct view line;

	if (!view_next(&text, '\n', &line) || !view_equal_str(line, "---"))
		return false;
	while (view_next(&text, '\n', &line) && !view_equal_str(line, "---"))
		if (view_starts_with(line, start))
			return view_trim(view_slice(line, strlen(start), line.len)).len > 0;
	return false;
}

static void check_description(const struct package *package, struct faults *faults)
{
	const struct manifest *m = &package->manifest;
	const struct yaml_node *node = yaml_get(m->doc->root, "description");
	CLEANUP(freep)
	char *placeholder = xasprintf(AUTHOR_DESCRIPTION, m->skill ? m->skill : "");
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!node || !*m->description)
		faults_add(faults, FAULT_WARNING, "manifest.yaml",
			"'description' is missing: 'skill list' shows it to people who choose");
	else if (!strcmp(m->description, placeholder))
		check_fault(faults, FAULT_WARNING, node->at,
			"the description is still the placeholder from 'skill new': say what "
			"the skill does");
	if (read_package_text(package, "SKILL.md", &text) &&
		view_starts_with(view_of_buf(&text), "---\n") &&
		!has_front_matter_key(view_of_buf(&text), "description"))
		faults_add(faults, FAULT_WARNING, "SKILL.md:1",
			"the front matter has no 'description': Claude Code needs it to offer "
			"the skill");
}

/* --- commands that install ------------------------------------------------------------- */

static const struct installer {
	const char *program;
	const char *verbs[3];
	const char *key; /* below `structured` */
} installers[] = {
	{"apk", {"add"}, "system_packages"},
	{"apt", {"install"}, "system_packages"},
	{"apt-get", {"install"}, "system_packages"},
	{"dnf", {"install"}, "system_packages"},
	{"npm", {"install", "i", "add"}, "npm_dependencies"},
	{"pip", {"install"}, "system_packages"},
	{"pip3", {"install"}, "system_packages"},
	{"pnpm", {"add"}, "npm_dependencies"},
	{"yarn", {"add"}, "npm_dependencies"},
	{"yum", {"install"}, "system_packages"},
};

static bool is_verb(const struct installer *installer, struct view word)
{
	for (size_t i = 0; i < ARRAY_SIZE(installer->verbs) && installer->verbs[i]; i++)
		if (view_equal_str(word, installer->verbs[i]))
			return true;
	return false;
}

/* Words before the program: options, assignments, and programs that run another. */
static bool is_prefix(struct view word)
{
	return !word.len || *word.data == '-' || memchr(word.data, '=', word.len) ||
	       view_equal_str(word, "sudo") || view_equal_str(word, "env") ||
	       view_equal_str(word, "python") || view_equal_str(word, "python3");
}

/*
 * The program in the command that installs something by name, or NULL. A plain `npm install`,
 * which installs what is already declared, does not count.
 */
static const struct installer *find_installer(struct view command)
{
	const struct installer *installer = NULL;
	struct view word = {0};

	while (view_next(&command, ' ', &word) && is_prefix(word))
		;
	for (size_t i = 0; i < ARRAY_SIZE(installers); i++)
		if (view_equal_str(word, installers[i].program))
			installer = &installers[i];
	while (view_next(&command, ' ', &word) && (!word.len || *word.data == '-'))
		;
	if (!installer || !is_verb(installer, word))
		return NULL;
	while (view_next(&command, ' ', &word))
		if (word.len && *word.data != '-')
			return installer;
	return NULL;
}

static void check_installs(const struct package *package, struct faults *faults)
{
	const struct manifest *m = &package->manifest;
	const struct yaml_node *node = yaml_get(m->doc->root, "post_apply");

	for (size_t i = 0; i < m->post_apply.count; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		struct view rest, command;

		/* The commands of a line, one at a time. */
		for (const char *c = m->post_apply.list[i]; *c; c++)
			buf_append_char(&text, strchr(";&|()\n", *c) ? '\n' : *c);
		rest = view_of_buf(&text);
		while (view_next(&rest, '\n', &command)) {
			const struct installer *found = find_installer(command);

			if (found)
				check_fault(faults, FAULT_WARNING, node->items[i]->at,
					"'%.*s' belongs under 'structured' as '%s': then it is "
					"merged with other skills' entries and removed with the skill",
					VIEW_ARGS(view_trim(command)), found->key);
		}
	}
}

void check_text(const struct package *package, struct faults *faults)
{
	check_description(package, faults);
	check_placeholders(package, faults);
	check_installs(package, faults);
}
