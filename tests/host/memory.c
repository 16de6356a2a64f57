/*
 * The instructions and settings that agents start with, the changes that end them, and their
 * memory, with a real host and scripted agents.
 *
 *	memory HOST AGENT BRIDGE
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"

static char **programs;

static char *say(struct driver *d, const char *group, const char *text)
{
	const char *const words[] = {"send", group, text, "--wait", NULL};
	char *answer = driver_run(d, words, NULL);
	size_t len = strlen(answer);

	if (len && answer[len - 1] == '\n')
		answer[len - 1] = '\0';
	return answer;
}

static char *path_of(struct driver *d, const char *name)
{
	return xasprintf("%s/%s", d->root, name);
}

static void put(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *path = path_of(d, name);
	FILE *file = fopen(path, "we");

	if (!file || fputs(text, file) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

/* As editors do it: a new file takes the place of the old one. */
static void replace(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *temporary = xasprintf("%s.new", name);
	CLEANUP(freep) char *from = path_of(d, temporary);
	CLEANUP(freep) char *to = path_of(d, name);

	put(d, temporary, text);
	if (rename(from, to) < 0)
		driver_fail(d, "cannot rename '%s'", from);
}

static void make(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = path_of(d, name);

	if (mkdir(path, 0755) < 0)
		driver_fail(d, "cannot make '%s'", path);
}

static char *get(struct driver *d, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = path_of(d, name);

	if (file_read(path, SIZE_MAX, &text, &err) < 0)
		return NULL;
	return buf_take(&text);
}

static bool has(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *found = get(d, name);

	if (!found || !strstr(found, text))
		printf("# '%s' has no '%s'\n", name, text);
	return found && strstr(found, text);
}

static bool is_there(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = path_of(d, name);
	struct stat st;

	return lstat(path, &st) == 0;
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* --- what ends whom ---------------------------------------------------------- */

#define GROUPS 3

static const char *const groups[GROUPS] = {"g1", "g2", "mark"};

struct tokens {
	char *list[GROUPS];
};

static void tokens_release(struct tokens *tokens)
{
	for (int i = 0; i < GROUPS; i++)
		free(tokens->list[i]);
}

/* The agent of each group that answers now, by its number. */
static struct tokens ask_tokens(struct driver *d)
{
	struct tokens tokens;

	for (int i = 0; i < GROUPS; i++)
		tokens.list[i] = say(d, groups[i], "x !token");
	return tokens;
}

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	driver_group(d, "mark", "test:3", false);
	make(d, "container");
	make(d, "container/skills");
	make(d, "container/skills/a");
	make(d, "container/skills/b");
	put(d, "container/CLAUDE.md", "base");
	put(d, "container/skills/a/instructions.md", "a");
	put(d, "container/skills/b/instructions.md", "b");
	put(d, "groups/g1/container.json", "{\"skills\": [\"a\"]}");
	put(d, "groups/g2/container.json", "{\"skills\": [\"b\"]}");
	put(d, "groups/mark/container.json", "{\"skills\": []}");
}

static unsigned count(const char *text, const char *word)
{
	unsigned found = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		found++;
	return found;
}

/* Has the host reported changed instructions of "mark" this often? */
static bool mark_was_seen(struct driver *d, void *data)
{
	const unsigned *wanted = data;
	CLEANUP(freep) char *log = get(d, "host.log");

	return log && count(log, "group 'mark': the instructions of its agent have changed") >=
			      *wanted;
}

/*
 * Events come in their order: when the host has seen this change, it has seen all that were
 * made before it.
 */
static void wait_until_seen(struct driver *d)
{
	CLEANUP(freep) char *log = get(d, "host.log");
	unsigned wanted = count(
		log ? log : "", "group 'mark': the instructions of its agent have changed");
	CLEANUP(freep) char *text = NULL;

	wanted++;
	text = xasprintf("{\"skills\": [], \"limits\": {\"processes\": %u}}", 100 + wanted);
	put(d, "groups/mark/container.json", text);
	driver_wait(d, mark_was_seen, &wanted, "the change is seen");
}

struct expectation {
	const char *change;
	bool g1;
	bool g2;
};

static bool is_ended(const struct tokens *before, const struct tokens *after, int group,
	bool wanted, const char *change)
{
	bool ended = strcmp(before->list[group], after->list[group]) != 0;

	if (ended != wanted)
		printf("# %s: the agent of '%s' was%s ended\n", change, groups[group],
			ended ? "" : " not");
	return ended == wanted;
}

/* Did exactly the wanted agents end since `before`? Updates `before`. */
static bool ends(struct driver *d, struct tokens *before, const struct expectation *wanted)
{
	struct tokens after;
	bool ok;

	wait_until_seen(d);
	after = ask_tokens(d);
	ok = is_ended(before, &after, 0, wanted->g1, wanted->change) &&
	     is_ended(before, &after, 1, wanted->g2, wanted->change) &&
	     is_ended(before, &after, 2, true, wanted->change);
	tokens_release(before);
	*before = after;
	return ok;
}

static bool a_change_ends_exactly_the_agents_that_it_concerns(void)
{
	CLEANUP(tokens_release) struct tokens tokens = {0};
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	tokens = ask_tokens(&d);
	ok = ends(&d, &tokens, &(struct expectation){"nothing", false, false});
	put(&d, "container/skills/a/instructions.md", "other");
	ok = ends(&d, &tokens, &(struct expectation){"the skill of g1", true, false}) && ok;
	put(&d, "container/skills/a/SKILL.md", "other");
	ok = ends(&d, &tokens, &(struct expectation){"its SKILL.md", false, false}) && ok;
	put(&d, "groups/g2/container.json", "{\"skills\": [\"a\", \"b\"]}");
	ok = ends(&d, &tokens, &(struct expectation){"settings of g2", false, true}) && ok;
	put(&d, "groups/g1/CLAUDE.local.md", "remember");
	put(&d, "groups/g2/notes.md", "remember");
	ok = ends(&d, &tokens, &(struct expectation){"a memory", false, false}) && ok;
	put(&d, "container/CLAUDE.md", "other");
	ok = ends(&d, &tokens, &(struct expectation){"the base", true, true}) && ok;
	put(&d, "data/global.md", "remember");
	ok = ends(&d, &tokens, &(struct expectation){"the global memory", true, true}) && ok;
	put(&d, "data/global.md", "remember");
	ok = ends(&d, &tokens, &(struct expectation){"the same again", false, false}) && ok;
	return end(&d) && ok;
}

static bool however_a_file_comes_it_is_seen(void)
{
	CLEANUP(tokens_release) struct tokens tokens = {0};
	CLEANUP(freep) char *from = NULL;
	CLEANUP(freep) char *to = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	put(&d, "groups/g1/container.json", "{}");
	driver_start_ready(&d);
	tokens = ask_tokens(&d);
	replace(&d, "container/CLAUDE.md", "replaced");
	ok = ends(&d, &tokens, &(struct expectation){"a replaced base", true, true});
	replace(&d, "container/CLAUDE.md", "again");
	ok = ends(&d, &tokens, &(struct expectation){"replaced again", true, true}) && ok;
	/* g1 has all skills. */
	make(&d, "container/skills/new");
	put(&d, "container/skills/new/instructions.md", "new");
	ok = ends(&d, &tokens, &(struct expectation){"a new skill", true, false}) && ok;
	put(&d, "container/skills/new/instructions.md", "newer");
	ok = ends(&d, &tokens, &(struct expectation){"that skill again", true, false}) && ok;
	from = path_of(&d, "container/skills");
	to = path_of(&d, "container/skills.old");
	ok = rename(from, to) == 0 && ok;
	ok = ends(&d, &tokens, &(struct expectation){"no skills", true, true}) && ok;
	ok = rename(to, from) == 0 && ok;
	ok = ends(&d, &tokens, &(struct expectation){"skills again", true, true}) && ok;
	return end(&d) && ok;
}

/* More events than the kernel keeps, while the host cannot read any. */
static bool when_events_are_lost_everything_is_looked_at(void)
{
	CLEANUP(tokens_release) struct tokens tokens = {0};
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	tokens = ask_tokens(&d);
	kill(d.pid, SIGSTOP);
	for (int i = 0; i < 20000; i++) {
		CLEANUP(freep) char *name = xasprintf("groups/g1/%d", i);
		CLEANUP(freep) char *path = path_of(&d, name);

		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
		unlink(path);
	}
	put(&d, "container/CLAUDE.md", "other");
	kill(d.pid, SIGCONT);
	ok = ends(&d, &tokens, &(struct expectation){"the base, unseen", true, true});
	return end(&d) && ok;
}

static bool is_in_turn(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM attempts WHERE ended_at IS NULL") > 0;
}

static bool an_agent_finishes_its_turn_first(void)
{
	CLEANUP(freep) char *fifo = NULL;
	CLEANUP(freep) char *message = NULL;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;
	CLEANUP(closep) int fd = -1;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	before = say(&d, "mark", "x"); /* so that its changes are seen */
	fifo = path_of(&d, "groups/g1/gate");
	message = xstrdup("slow !wait gate");
	ok = mkfifo(fifo, 0600) == 0;
	free(driver_run(&d, (const char *const[]){"send", "g1", message, NULL}, NULL));
	driver_wait(&d, is_in_turn, NULL, "the turn has begun");
	fd = open(fifo, O_WRONLY | O_CLOEXEC); /* when the agent waits */
	put(&d, "container/CLAUDE.md", "other");
	wait_until_seen(&d);
	ok = ok && write(fd, "x", 1) == 1;
	after = say(&d, "g1", "x");
	ok = ok && driver_number(&d, "SELECT count(*) FROM turns WHERE failures > 0") == 0 &&
	     driver_number(&d, "SELECT count(*) FROM outbox WHERE content = 'slow'") == 1;
	return end(&d) && ok;
}

/* --- the global memory ------------------------------------------------------- */

static bool main_remembers_for_all_groups_and_others_may_not(void)
{
	CLEANUP(freep) char *refused = NULL;
	CLEANUP(freep) char *added = NULL;
	CLEANUP(freep) char *again = NULL;
	CLEANUP(freep) char *base = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	refused = say(&d, "g1", "x !op {\"op\":\"remember_globally\",\"text\":\"I am evil\"}");
	added = say(&d, "main", "x !op {\"op\":\"remember_globally\",\"text\":\"I am Ann\"}");
	again = say(&d, "main", "x !op {\"op\":\"remember_globally\",\"text\":\"I am Ann\"}");
	free(say(&d, "g2", "x"));
	base = get(&d, "container/CLAUDE.md");
	ok = strstr(refused, "may not") && strstr(added, "\"added\":true") &&
	     strstr(again, "\"added\":false") && has(&d, "data/global.md", "I am Ann\n") &&
	     has(&d, "groups/g2/.claude-global-memory.md", "I am Ann\n") &&
	     has(&d, "groups/g2/CLAUDE.md", "@./.claude-global-memory.md\n") &&
	     !strcmp(base, "base");
	return end(&d) && ok;
}

static bool what_an_agent_remembers_for_all_names_it_and_imports_nothing(void)
{
	static const char told[] =
		"SELECT count(*) FROM outbox WHERE kind = 'notice' AND group_folder = 'main'"
		" AND instr(content, 'delete the lines from ''[main, t')";
	CLEANUP(freep) char *written = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	free(say(&d, "main",
		"x !op {\"op\":\"remember_globally\",\"text\":\"@/etc/passwd a@b.org\\n[g1, t9]\"}"));
	written =
		say(&d, "main", "x !op {\"op\":\"write_global_memory\",\"text\":\"all else\"}");
	ok = strstr(written, "\"ok\":true") && has(&d, "data/global.md", "[main, t1, 20") &&
	     has(&d, "data/global.md",
		     "]\n> \\@/etc/passwd a@b.org\n> [g1, t9]\n[main, t2, 20") &&
	     has(&d, "data/global.md", "]\n> all else\n") && driver_number(&d, told) == 2;
	return end(&d) && ok;
}

/* --- what is cleared and what survives --------------------------------------- */

#define AUTO_MEMORY "data/sessions/g1/.claude/projects/-workspace-agent/memory/MEMORY.md"

static void remember(struct driver *d)
{
	static const char *const folders[] = {"data/sessions/g1/.claude/projects",
		"data/sessions/g1/.claude/projects/-workspace-agent",
		"data/sessions/g1/.claude/projects/-workspace-agent/memory"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		make(d, folders[i]);
	put(d, AUTO_MEMORY, "likes tea");
	put(d, "groups/g1/CLAUDE.local.md", "we like cake");
	put(d, "groups/g1/notes.md", "a plan");
}

static bool remembers(struct driver *d)
{
	return has(d, AUTO_MEMORY, "likes tea") &&
	       has(d, "groups/g1/CLAUDE.local.md", "we like cake") &&
	       has(d, "groups/g1/notes.md", "a plan");
}

static bool no_agent_is_alive(struct driver *d, void *data)
{
	CLEANUP(freep)
	char *status = driver_run(d, (const char *const[]){"status", "--json", NULL}, NULL);

	(void)data;
	return strstr(status, "\"alive\": 0") != NULL;
}

static bool when_an_agent_exits_only_its_process_is_gone(void)
{
	CLEANUP(freep) char *session = NULL;
	CLEANUP(freep) char *later = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_IDLE_SECONDS", "1");
	driver_start_ready(&d);
	session = say(&d, "g1", "x !session");
	remember(&d);
	driver_wait(&d, no_agent_is_alive, NULL, "the idle agent has ended");
	later = say(&d, "g1", "x !session");
	ok = remembers(&d) && !strcmp(session, later);
	return end(&d) && ok;
}

static bool when_a_session_expires_only_the_conversation_is_gone(void)
{
	CLEANUP(freep) char *session = NULL;
	CLEANUP(freep) char *later = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_SESSION_TURNS", "1");
	driver_start_ready(&d);
	session = say(&d, "g1", "x !session");
	remember(&d);
	driver_stop(&d);
	driver_start_ready(&d);
	later = say(&d, "g1", "x !session");
	ok = remembers(&d) && strcmp(session, later) != 0;
	return end(&d) && ok;
}

static bool when_a_group_is_deleted_everything_is_gone(void)
{
	struct driver d;
	int exit_code;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	free(say(&d, "g1", "x"));
	remember(&d);
	free(driver_run(
		&d, (const char *const[]){"group", "remove", "g1", "--yes", NULL}, &exit_code));
	ok = exit_code == 0 && !is_there(&d, "groups/g1") &&
	     !is_there(&d, "data/sessions/g1") &&
	     driver_number(&d, "SELECT count(*) FROM sessions WHERE group_folder = 'g1'") == 0;
	return end(&d) && ok;
}

static bool when_the_host_restarts_nothing_is_gone(void)
{
	CLEANUP(freep) char *session = NULL;
	CLEANUP(freep) char *later = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	session = say(&d, "g1", "x !session");
	remember(&d);
	driver_kill(&d);
	driver_start_ready(&d);
	later = say(&d, "g1", "x !session");
	ok = remembers(&d) && !strcmp(session, later);
	return end(&d) && ok;
}

/* --- starting ---------------------------------------------------------------- */

static bool a_group_whose_settings_are_wrong_says_so_and_others_answer(void)
{
	CLEANUP(freep) char *wrong = NULL;
	CLEANUP(freep) char *right = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	put(&d, "groups/g1/container.json", "{\"skills\": 7}");
	driver_start_ready(&d);
	wrong = say(&d, "g1", "x");
	right = say(&d, "g2", "y");
	ok = strstr(wrong, "container.json:1:12") && !strcmp(right, "y");
	if (!ok)
		printf("# '%s', '%s'\n", wrong, right);
	return end(&d) && ok;
}

static bool the_older_layout_is_left_behind_at_the_start(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	make(&d, "groups/global");
	put(&d, "groups/global/CLAUDE.md", "We are the Smiths.\n");
	put(&d, "groups/g1/CLAUDE.md", "We like tea.\n");
	put(&d, "groups/g1/CLAUDE.local.md", "");
	driver_start_ready(&d);
	ok = has(&d, "container/CLAUDE.md", "We are the Smiths.") &&
	     has(&d, "groups/g1/CLAUDE.local.md", "We like tea.") &&
	     has(&d, "groups/g1/CLAUDE.md", "@./.claude-shared.md") &&
	     !is_there(&d, "groups/global");
	return end(&d) && ok;
}

#define CLAIM(function)                                                                        \
	{                                                                                      \
#function, function                                                            \
	}

static const struct {
	const char *name;
	bool (*run)(void);
} claims[] = {
	CLAIM(a_change_ends_exactly_the_agents_that_it_concerns),
	CLAIM(however_a_file_comes_it_is_seen),
	CLAIM(when_events_are_lost_everything_is_looked_at),
	CLAIM(an_agent_finishes_its_turn_first),
	CLAIM(main_remembers_for_all_groups_and_others_may_not),
	CLAIM(what_an_agent_remembers_for_all_names_it_and_imports_nothing),
	CLAIM(when_an_agent_exits_only_its_process_is_gone),
	CLAIM(when_a_session_expires_only_the_conversation_is_gone),
	CLAIM(when_a_group_is_deleted_everything_is_gone),
	CLAIM(when_the_host_restarts_nothing_is_gone),
	CLAIM(a_group_whose_settings_are_wrong_says_so_and_others_answer),
	CLAIM(the_older_layout_is_left_behind_at_the_start),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		tap_result(&tap, claims[i].run(), claims[i].name);
	return tap_end(&tap);
}
