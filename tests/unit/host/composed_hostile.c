/*
 * Things that agents, and people in a hurry, put where the host reads and writes. None of them
 * may change anything outside the group's folders or block the host, and no text of a person
 * may be lost.
 */
#include "../test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compose/compose.h"
#include "fs/walk.h"
#include "tempdir.h"

#define ENTRY                                                                                  \
	"<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. " \
	"-->\n@./.claude-shared.md\n@./.claude-global-memory.md\n"                             \
	"@./.claude-fragments/a.md\n@./.claude-fragments/mcp-db.md\n"

#define G "root/groups/g/"
#define S "root/data/sessions/g/.claude/"

enum plant {
	PLANT_LINK,   /* text is where it leads */
	PLANT_FILE,   /* text is its content */
	PLANT_FOLDER, /* with a file "mine" of that content in it */
	PLANT_FIFO,
};

struct hostile {
	const char *claim;
	enum plant plant;
	const char *path;
	const char *text;
	const char *kept; /* where `text` has to be afterwards, or NULL */
	bool refused;     /* nothing is composed */
	bool left;        /* what was planted stays as it is */
};

/* "outside" stands beside the root, and "other" is another group. */
static const struct hostile table[] = {
	{"a link in the place of CLAUDE.md to a file outside", PLANT_LINK, G "CLAUDE.md",
		"../../../outside/file"},
	{"a link in the place of CLAUDE.md to another group's memory", PLANT_LINK,
		G "CLAUDE.md", "../other/CLAUDE.local.md"},
	{"a link that leads to itself", PLANT_LINK, G "CLAUDE.md", "CLAUDE.md"},
	{"a link to nothing, which an open would make", PLANT_LINK, G "CLAUDE.md",
		"../../../outside/new"},
	{"a link to /dev/zero", PLANT_LINK, G "CLAUDE.md", "/dev/zero"},
	{"a pipe in the place of CLAUDE.md", PLANT_FIFO, G "CLAUDE.md", NULL},
	{"a folder in the place of CLAUDE.md", PLANT_FOLDER, G "CLAUDE.md", "mine",
		G "CLAUDE.md.kept-1/mine"},
	{"a link in the place of the shared one to a file outside", PLANT_LINK,
		G ".claude-shared.md", "../../../outside/file"},
	{"a file in the place of the shared one", PLANT_FILE, G ".claude-shared.md", "mine",
		G ".claude-shared.md.kept-1"},
	{"a pipe in the place of the shared one", PLANT_FIFO, G ".claude-shared.md", NULL},
	{"a folder in the place of the shared one", PLANT_FOLDER, G ".claude-shared.md", "mine",
		G ".claude-shared.md.kept-1/mine"},
	{"a link in the place of the global memory to a file outside", PLANT_LINK,
		G ".claude-global-memory.md", "../../../outside/file"},
	{"a link in the place of the global memory to the real one", PLANT_LINK,
		G ".claude-global-memory.md", "../../data/global.md"},
	{"a pipe in the place of the global memory", PLANT_FIFO, G ".claude-global-memory.md",
		NULL},
	{"a folder in the place of the global memory", PLANT_FOLDER,
		G ".claude-global-memory.md", "mine", G ".claude-global-memory.md.kept-1/mine"},
	{"a link in the place of the fragments to a folder outside", PLANT_LINK,
		G ".claude-fragments", "../../../outside"},
	{"a link in the place of the fragments to another group", PLANT_LINK,
		G ".claude-fragments", "../other"},
	{"a file in the place of the fragments", PLANT_FILE, G ".claude-fragments", "mine",
		G ".claude-fragments.kept-1"},
	{"a pipe in the place of the fragments", PLANT_FIFO, G ".claude-fragments", NULL},
	{"a fragment of a skill that leads outside", PLANT_LINK, G ".claude-fragments/a.md",
		"../../../../outside/file"},
	{"a file in the place of a skill's fragment", PLANT_FILE, G ".claude-fragments/a.md",
		"mine", G "a.md.kept-1"},
	{"a folder in the place of a skill's fragment", PLANT_FOLDER,
		G ".claude-fragments/a.md", "mine", G "a.md.kept-1/mine"},
	{"a link in the place of a server's fragment to a file outside", PLANT_LINK,
		G ".claude-fragments/mcp-db.md", "../../../../outside/file"},
	{"a pipe in the place of a server's fragment", PLANT_FIFO,
		G ".claude-fragments/mcp-db.md", NULL},
	{"a folder in the place of a server's fragment", PLANT_FOLDER,
		G ".claude-fragments/mcp-db.md", "mine", G "mcp-db.md.kept-1/mine"},
	{"a fragment that nobody has, which leads outside", PLANT_LINK,
		G ".claude-fragments/evil.md", "../../../../outside/file"},
	{"a folder among the fragments", PLANT_FOLDER, G ".claude-fragments/deep", "mine",
		G "deep.kept-1/mine"},
	{"a pipe among the fragments", PLANT_FIFO, G ".claude-fragments/pipe", NULL},
	{"a name among the fragments with lines in it", PLANT_LINK,
		G ".claude-fragments/x\n@..\n.md", "/etc/passwd"},
	{"a name among the fragments that is no UTF-8", PLANT_FILE,
		G ".claude-fragments/\xff.md", "mine", G "\xff.md.kept-1"},
	{"a folder with the name of a temporary file", PLANT_FOLDER,
		G ".nanoclaw-tmp-0123456789abcdef", "mine",
		G ".nanoclaw-tmp-0123456789abcdef/mine"},
	{"the older link to the global memory, leading outside", PLANT_LINK,
		G ".claude-global.md", "../../../outside/file"},
	{"a memory that is a link to a file outside", PLANT_LINK, G "CLAUDE.local.md",
		"../../../outside/file", NULL, false, true},
	{"a memory that is a pipe", PLANT_FIFO, G "CLAUDE.local.md", NULL, NULL, false, true},
	{"skills that are a link to a folder outside", PLANT_LINK, S "skills",
		"../../../../../outside"},
	{"skills that are a file", PLANT_FILE, S "skills", "mine", S "skills.kept-1"},
	{"skills that are a pipe", PLANT_FIFO, S "skills", NULL},
	{"a skill that leads outside", PLANT_LINK, S "skills/a", "../../../../../../outside"},
	{"a folder with the name of a skill", PLANT_FOLDER, S "skills/a", "mine",
		S "a.kept-1/mine"},
	{"a skill of the agent's own", PLANT_FOLDER, S "skills/own", "mine",
		S "skills/own/mine"},
	{"a link of the agent's own among the skills", PLANT_LINK, S "skills/own",
		"/workspace/agent/own", NULL, false, true},
	{"settings that are a link to a file outside", PLANT_LINK, S ".claude.json",
		"../../../../../outside/json"},
	{"settings that are a pipe", PLANT_FIFO, S ".claude.json", NULL},
	{"settings that are a folder", PLANT_FOLDER, S ".claude.json", "mine",
		S ".claude.json.kept-1/mine"},
	{"settings that are a list", PLANT_FILE, S ".claude.json", "[1]",
		S ".claude.json.kept-1"},
	{"settings whose projects are no object", PLANT_FILE, S ".claude.json",
		"{\"projects\": 7}"},
	{"a container.json that is a link to a file outside", PLANT_LINK, G "container.json",
		"../../../outside/json", NULL, true, true},
	{"a container.json that is a pipe", PLANT_FIFO, G "container.json", NULL, NULL, true,
		true},
	{"a server's name that leads elsewhere", PLANT_FILE, G "container.json",
		"{\"mcpServers\": {\"../../x\": {\"command\": \"x\", \"instructions\": "
		"\"y\"}}}",
		G "container.json", true},
	{"a server's name with a line in it", PLANT_FILE, G "container.json",
		"{\"mcpServers\": {\"x\\n@/etc/passwd\": {\"command\": \"x\", "
		"\"instructions\": \"y\"}}}",
		G "container.json", true},
	{"a skill's name that leads elsewhere", PLANT_FILE, G "container.json",
		"{\"skills\": [\"../../outside\"]}", G "container.json", true},
	{"a shared skill that is a link to a folder outside", PLANT_LINK,
		"root/container/skills/linked", "../../../outside", NULL, false, true},
	{"a shared skill whose name has a line in it", PLANT_FOLDER,
		"root/container/skills/x\n@y", "mine", "root/container/skills/x\n@y/mine"},
	{"a shared skill whose name begins with a dot", PLANT_FOLDER,
		"root/container/skills/.hidden", "mine", "root/container/skills/.hidden/mine"},
	{"a session folder that is a link to a folder outside", PLANT_LINK,
		"root/data/sessions/g", "../../../outside", NULL, true, true},
};

/* --- the project ------------------------------------------------------------- */

static void put_project(int top)
{
	static const char *const folders[] = {"outside", "root", "root/container",
		"root/container/skills", "root/container/skills/a", "root/data", "root/groups",
		"root/groups/g", "root/groups/other"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tempdir_mkdir(top, folders[i]);
	tempdir_put(top, "outside/file", "not yours");
	tempdir_put(top, "outside/json", "{\"skills\": []}");
	tempdir_put(top, "root/container/CLAUDE.md", "base");
	tempdir_put(top, "root/container/skills/a/instructions.md", "of a");
	tempdir_put(top, "root/data/global.md", "global");
	tempdir_put(top, "root/groups/other/CLAUDE.local.md", "theirs");
	tempdir_put(top, G "CLAUDE.local.md", "ours");
	tempdir_put(top, G "container.json",
		"{\"mcpServers\": {\"db\": {\"command\": \"d\", \"instructions\": \"db\"}}}");
}

static int compose(int top, struct error *err)
{
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(closep) int root = openat(top, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (shared_read(root, &shared, err) < 0)
		return -1;
	return compose_group(root, "g", &shared, 0, &composition, err);
}

static void make_parents(int top, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		CLEANUP(freep) char *parent = xmemdupz(path, (size_t)(slash - path));

		mkdirat(top, parent, 0755);
	}
}

static void remove_there(int top, const char *path)
{
	unlinkat(top, path, 0);
	unlinkat(top, path, AT_REMOVEDIR);
}

static void plant(int top, const struct hostile *h)
{
	CLEANUP(freep) char *inner = xasprintf("%s/mine", h->path);

	make_parents(top, h->path);
	remove_there(top, h->path);
	switch (h->plant) {
	case PLANT_LINK:
		tempdir_symlink(h->text, top, h->path);
		break;
	case PLANT_FILE:
		tempdir_put(top, h->path, h->text);
		break;
	case PLANT_FOLDER:
		tempdir_mkdir(top, h->path);
		tempdir_put(top, inner, h->text);
		break;
	case PLANT_FIFO:
		tempdir_fifo(top, h->path);
		break;
	}
}

/* --- what must not change ------------------------------------------------------ */

static bool is_ours(const char *path)
{
	return !strncmp(path, "root/groups/g", strlen("root/groups/g")) ||
	       !strncmp(path, "root/data/sessions", strlen("root/data/sessions"));
}

static enum walk_result describe(const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(freep) char *text = NULL;

	(void)err;
	if (entry->kind == WALK_DIR_END || is_ours(entry->path))
		return WALK_GO_ON;
	if (entry->kind == WALK_FILE)
		text = tempdir_get(entry->dirfd, entry->name);
	if (entry->kind == WALK_SYMLINK)
		text = tempdir_get_link(entry->dirfd, entry->name);
	buf_appendf(data, "%s %o %s\n", entry->path, (unsigned)entry->stat.st_mode,
		text ? text : "");
	return WALK_GO_ON;
}

static char *picture(int top)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(walk(top, describe, &out, &err), 0);
	return buf_take(&out);
}

/* --- the table ----------------------------------------------------------------- */

static bool is_text(int top, const char *path, const char *wanted)
{
	CLEANUP(freep) char *text = tempdir_get(top, path);

	return text && !strcmp(text, wanted);
}

static bool leads_to(int top, const char *path, const char *wanted)
{
	CLEANUP(freep) char *target = tempdir_get_link(top, path);

	return target && !strcmp(target, wanted);
}

static bool is_composed(int top)
{
	return is_text(top, G "CLAUDE.md", ENTRY) &&
	       leads_to(top, G ".claude-shared.md", "/app/CLAUDE.md") &&
	       leads_to(top, G ".claude-fragments/a.md", "/app/skills/a/instructions.md") &&
	       is_text(top, G ".claude-fragments/mcp-db.md", "db\n") &&
	       is_text(top, G ".claude-global-memory.md", "global") &&
	       leads_to(top, S "skills/a", "/app/skills/a");
}

static bool is_as_planted(int top, const struct hostile *h)
{
	struct stat st;

	if (h->plant == PLANT_LINK)
		return leads_to(top, h->path, h->text);
	return fstatat(top, h->path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISFIFO(st.st_mode);
}

static void check(int top, const struct hostile *h)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;
	int result;

	put_project(top);
	plant(top, h);
	before = picture(top);
	result = compose(top, &err);
	after = picture(top);
	if (strcmp(before, after) != 0)
		fail_msg("%s: before:\n%safter:\n%s", h->claim, before, after);
	if ((result < 0) != h->refused)
		fail_msg("%s: %s", h->claim, result < 0 ? err.message : "not refused");
	if (!h->refused && !is_composed(top))
		fail_msg("%s: not composed", h->claim);
	if (h->kept && !is_text(top, h->kept, h->text))
		fail_msg("%s: what was there is lost", h->claim);
	if (h->left && !is_as_planted(top, h))
		fail_msg("%s: it is not as it was", h->claim);
	/* The second time there is nothing left to be astonished at. */
	error_clear(&err);
	if (!h->refused && (compose(top, &err) < 0 || !is_composed(top)))
		fail_msg("%s, a second time: %s", h->claim, err.message ? err.message : "");
}

static void nothing_that_is_planted_leads_the_host_astray(void **state)
{
	struct tempdir *temp = *state;

	assert_true(ARRAY_SIZE(table) >= 50);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(freep) char *name = xasprintf("case-%zu", i);
		CLEANUP(closep) int top = -1;

		tempdir_mkdir(temp->fd, name);
		top = openat(temp->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		check(top, &table[i]);
	}
}

/* It is not in a folder that another one replaces, and nothing has this name yet. */
static bool is_alone(int top, const struct hostile *h)
{
	struct stat st;

	return !h->refused && !strstr(h->path, "/.claude-fragments/") &&
	       !strstr(h->path, "/skills/") &&
	       fstatat(top, h->path, &st, AT_SYMLINK_NOFOLLOW) < 0;
}

static void all_of_it_at_once_is_not_worse(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;

	put_project(temp->fd);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (is_alone(temp->fd, &table[i]))
			plant(temp->fd, &table[i]);
	before = picture(temp->fd);
	if (compose(temp->fd, &err) < 0)
		fail_msg("%s", err.message);
	after = picture(temp->fd);
	assert_string_equal(before, after);
	assert_true(is_composed(temp->fd));
}

/* --- what somebody wrote into the composed file --------------------------------- */

static void lines_that_somebody_wrote_into_the_entry_are_kept(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put_project(temp->fd);
	assert_int_equal(compose(temp->fd, &err), 0);
	tempdir_put(temp->fd, G "CLAUDE.md", ENTRY "remember the milk\n");
	assert_int_equal(compose(temp->fd, &err), 0);
	assert_true(is_composed(temp->fd));
	assert_true(is_text(temp->fd, G "CLAUDE.md.kept-1", ENTRY "remember the milk\n"));
	assert_true(is_text(temp->fd, G "CLAUDE.local.md", "ours"));
	tempdir_put(temp->fd, G "CLAUDE.md", "and the bread\n");
	assert_int_equal(compose(temp->fd, &err), 0);
	assert_true(is_text(temp->fd, G "CLAUDE.md.kept-2", "and the bread\n"));
}

TESTS(IN_TEMPDIR(nothing_that_is_planted_leads_the_host_astray),
	IN_TEMPDIR(all_of_it_at_once_is_not_worse),
	IN_TEMPDIR(lines_that_somebody_wrote_into_the_entry_are_kept))
