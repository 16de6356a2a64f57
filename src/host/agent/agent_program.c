#include "host/agent/agent_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "proc/child.h"
#include "proc/process.h"

#define MCP_PROGRAM "nanoclaw-mcp"

#define PLACE      "/opt/agent"
#define TO_PROJECT "../../"
/* npm puts packages there, seen from the folder of its programs; this one has no link. */
#define CLAUDE_OF_NPM "../lib/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
#define NODE_FOLDER   "/node_modules/"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *agent_program_in_path(const char *name)
{
	const char *path = getenv("PATH");
	struct view rest = view_of(path ? path : SANDBOX_PATH);
	struct view entry;

	while (*name && view_next(&rest, ':', &entry)) {
		CLEANUP(freep) char *found = NULL;

		if (!view_starts_with(entry, "/"))
			continue;
		found = xasprintf("%.*s/%s", VIEW_ARGS(entry), name);
		if (is_program(found))
			return TAKE(found);
	}
	return NULL;
}

char *agent_program_claude(const struct settings *settings)
{
	const char *setting = settings_get(settings, "NANOCLAW_CLAUDE");
	char *found;

	if (setting && strchr(setting, '/'))
		return is_program(setting) ? xstrdup(setting) : NULL;
	if (setting)
		return agent_program_in_path(setting);
	found = agent_program_in_path(AGENT_CLAUDE);
	return found ? found : agent_program_in_path(CLAUDE_OF_NPM);
}

/* --- mounts ------------------------------------------------------------------ */

/* Below /usr, or what leads there. */
static bool is_inside_anyway(const char *path)
{
	static const char *const folders[] = {"/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

/*
 * Open a file of the machine. In the project, where agents write, no link is followed: what
 * a link of theirs leads to must not get into their sandbox.
 */
static int open_file(
	struct installation *inst, const char *path, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;
	size_t len = strlen(inst->root_path);
	CLEANUP(freep) char *shown = quote(view_of(path));

	if (!strncmp(path, inst->root_path, len) && path[len] == '/') {
		if (relpath_parse(view_of(path + len + 1), &below, err) < 0 ||
			beneath_open_file(inst->root, &below, ret_fd, NULL, err) < 0)
			return error_prefix(err, "the program %s", shown);
		return 0;
	}
	*ret_fd = open(path, O_PATH | O_CLOEXEC);
	return *ret_fd < 0 ? error_errno(err, "cannot open %s", shown) : 0;
}

/* The whole folder of packages that a program of npm needs. */
static int mount_packages(const char *real, const char *folder, size_t number,
	struct sandbox_spec *spec, struct string_array *argv, struct error *err)
{
	size_t len = (size_t)(folder - real) + strlen(NODE_FOLDER) - 1;
	CLEANUP(freep) char *packages = xmemdupz(real, len);
	CLEANUP(freep) char *target = xasprintf(PLACE "/%zu/node_modules", number);
	int fd = open(packages, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot open '%s'", packages);
	sandbox_add_mount(spec, fd, target, 0);
	string_array_addf(argv, "%s%s", target, real + len);
	return 0;
}

int agent_program_mount(struct installation *inst, const char *path, size_t number,
	struct sandbox_spec *spec, struct string_array *argv, struct error *err)
{
	CLEANUP(freep) char *real = realpath(path, NULL);
	const char *packages = real ? strstr(real, NODE_FOLDER) : NULL;
	int fd;

	if (real && is_inside_anyway(real)) {
		/* A link that leads there from elsewhere is not inside. */
		string_array_add(argv, is_inside_anyway(path) ? path : real);
		return 0;
	}
	if (packages)
		return mount_packages(real, packages, number, spec, argv, err);
	if (open_file(inst, path, &fd, err) < 0)
		return -1;
	string_array_addf(argv, PLACE "/%zu/%s", number, strrchr(path, '/') + 1);
	sandbox_add_mount(spec, fd, argv->list[argv->count - 1], 0);
	return 0;
}

int agent_program_mount_mcp(struct sandbox_spec *spec, struct error *err)
{
	CLEANUP(freep) char *path = process_find_own(MCP_PROGRAM, err);
	int fd = path ? open(path, O_PATH | O_CLOEXEC) : -1;

	if (!path)
		return -1;
	if (fd < 0)
		return error_errno(err, "cannot open '%s'", path);
	/* Even if it is in /usr: an image has a different /usr. */
	sandbox_add_mount(spec, fd, AGENT_MCP_INSIDE, 0);
	return 0;
}

/* --- command lines ----------------------------------------------------------- */

/* The program on this machine; NULL if it is one of the group's own folder. */
static int find_program(
	struct installation *inst, const char *word, char **ret_path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(word));
	CLEANUP(freep) char *path = NULL;

	*ret_path = NULL;
	if (!strncmp(word, TO_PROJECT, strlen(TO_PROJECT)))
		path = xasprintf("%s/%s", inst->root_path, word + strlen(TO_PROJECT));
	else if (word[0] == '/')
		path = xstrdup(word);
	else if (strchr(word, '/'))
		return 0;
	else
		path = agent_program_in_path(word);
	if (path && is_program(path)) {
		*ret_path = TAKE(path);
		return 0;
	}
	error_set(err, ERROR_INVALID, "cannot start %s: program not found", shown);
	return error_hint(err, "change NANOCLAW_AGENT in '.env' or in the environment");
}

static bool is_file(const char *word)
{
	struct stat st;

	return word[0] == '/' && !stat(word, &st) && S_ISREG(st.st_mode);
}

int agent_program_words(struct installation *inst, const char *command,
	struct sandbox_spec *spec, struct string_array *argv, struct error *err)
{
	CLEANUP(child_free_argv) char **words = NULL;
	CLEANUP(freep) char *program = NULL;

	if (child_split(command, &words, err) < 0)
		return error_prefix(err, "the command of the agent");
	if (find_program(inst, words[0], &program, err) < 0)
		return -1;
	for (size_t i = 0; words[i]; i++) {
		const char *word = i == 0 && program ? program : words[i];

		if (!is_file(word))
			string_array_add(argv, word);
		else if (agent_program_mount(inst, word, i, spec, argv, err) < 0)
			return -1;
	}
	return 0;
}
