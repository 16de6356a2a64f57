/*
 * Claude Code itself as the resolver, with a model that serve.py plays.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/resolver.h"
#include "tap.h"
#include "tempdir.h"

#define CONFLICT                                                                               \
	"start\n<<<<<<< yours\nours\n||||||| base\nold\n=======\ntheirs\n"                     \
	">>>>>>> wave 1.0.0\nend\n"

struct setting {
	struct project project;
	struct state state;
	struct relpath path;
	struct resolver_file file;
	struct resolver_intent intent;
	struct resolver_skill skill;
	struct resolver_skills skills;
	int base;
};

static void set_up(struct setting *s)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	char *project = getenv("PROJECT");

	*s = (struct setting){.skill = {.name = xstrdup("wave"), .version = xstrdup("1.0.0")}};
	s->project.path = project;
	s->project.root = open(project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tempdir_mkdir(s->project.root, ".nanoclaw");
	tempdir_mkdir(s->project.root, ".nanoclaw/base");
	tempdir_mkdir(s->project.root, "src");
	tempdir_put(s->project.root, "src/main.txt", "start\nours\nend\n");
	tempdir_put(s->project.root, "secret.txt", "a secret\n");
	s->base = openat(s->project.root, ".nanoclaw/base", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	state_init(&s->state, "1.0.0");
	if (relpath_parse(view_of("src/main.txt"), &s->path, &err) < 0)
		abort();
	s->intent = (struct resolver_intent){.path = s->path, .text = BUF_INIT};
	buf_append_str(&s->intent.text,
		"## Invariants\nGreets once.\n\n## Must-keep\n- `ours` and `theirs`\n");
	s->skill.skill_md = BUF_INIT;
	s->skill.has_skill_md = true;
	buf_append_str(&s->skill.skill_md, "# Wave\nWaves at people.\n");
	s->skill.intents = &s->intent;
	s->skill.intent_count = 1;
	s->skills = (struct resolver_skills){.list = &s->skill, .count = 1};
	s->file = (struct resolver_file){
		.path = &s->path,
		.base = view_of("start\nold\nend\n"),
		.current = view_of("start\nours\nend\n"),
		.skill = view_of("start\ntheirs\nend\n"),
		.merged = view_of(CONFLICT),
		.mode = 0644,
		.skill_name = "wave",
		.skill_version = "1.0.0",
	};
}

static void tear_down(struct setting *s)
{
	state_release(&s->state);
	relpath_release(&s->path);
	buf_release(&s->intent.text);
	buf_release(&s->skill.skill_md);
	free(s->skill.name);
	free(s->skill.version);
	closep(&s->base);
	closep(&s->project.root);
}

/* Ask, with a model that plays this part. */
static struct resolver_result ask(const struct setting *s, const char *part)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *address = xasprintf("%s/%s", getenv("SERVER"), part);
	struct resolver_result result = RESOLVER_RESULT_INIT;
	struct resolver_request request = {
		.project = &s->project,
		.state = &s->state,
		.base = s->base,
		.operation = "skill apply",
		.files = &s->file,
		.file_count = 1,
		.skills = &s->skills,
		.command = RESOLVER_CLAUDE,
		.seconds = 60,
	};

	setenv("ANTHROPIC_BASE_URL", address, 1);
	if (resolver_run(&request, &result, &err) < 0)
		result.refused = xasprintf("error: %s", err.message);
	return result;
}

static bool has(const char *text, const char *part)
{
	return text && strstr(text, part);
}

/* What the model was sent in this turn; "" if nothing was. */
static char *request_of(const char *part, unsigned turn)
{
	CLEANUP(freep) char *name = xasprintf("%s/%s-%u.json", getenv("REQUESTS"), part, turn);
	char *text = tempdir_get(AT_FDCWD, name);

	return text ? text : xstrdup("");
}

static void show(const struct resolver_result *result)
{
	CLEANUP(freep)
	char *text = xasprintf("refused: %s\n%s\n", result->refused ? result->refused : "no",
		result->output.data);

	tap_note(text);
}

static void test_settle(struct tap *tap, const struct setting *s)
{
	CLEANUP(resolver_result_release) struct resolver_result result = ask(s, "settle");
	CLEANUP(freep) char *prompt = request_of("settle", 1);
	bool settled = !result.refused && result.edit_count == 1 &&
		       !strcmp(result.edits[0].data, "start\nours\ntheirs\nend\n");

	tap_result(tap, settled, "an edit that settles the conflict is taken");
	if (!settled)
		show(&result);
	tap_result(tap, has(result.output.data, "Both sides are kept."),
		"what it says at the end is kept for the person");
	tap_result(tap,
		has(prompt, "Waves at people.") && has(prompt, "Greets once.") &&
			has(prompt, "`ours` and `theirs`") &&
			has(prompt, "src/main.txt (skill wave 1.0.0)"),
		"the model is told of the files, SKILL.md and the intent");
	tap_result(tap,
		has(prompt, "\"name\":\"Edit\"") && !has(prompt, "\"name\":\"Bash\"") &&
			!has(prompt, "\"name\":\"WebFetch\"") &&
			!has(prompt, "\"name\":\"Task\""),
		"the model has tools for files only");
}

static void test_escape(struct tap *tap, const struct setting *s)
{
	CLEANUP(resolver_result_release) struct resolver_result result = ask(s, "escape");
	CLEANUP(freep) char *answers = request_of("escape", 2);

	tap_result(tap, has(result.refused, "it did not change 'src/main.txt'"),
		"a model that only tries to get out has its work refused");
	tap_result(tap, *answers && !has(answers, "a secret"),
		"a file of the project cannot be read");
	tap_result(tap,
		*answers && !tempdir_exists(s->project.root, "src/new.txt") &&
			result.kept.count == 0,
		"no file of the project can be written, by a tool or by a command");
}

static void test_others(struct tap *tap, const struct setting *s)
{
	CLEANUP(resolver_result_release) struct resolver_result undecided = ask(s, "undecided");
	CLEANUP(resolver_result_release) struct resolver_result broken = ask(s, "broken");
	CLEANUP(freep) char *sessions = xasprintf("%s/.claude/projects", getenv("HOME"));

	tap_result(tap, undecided.refused && has(undecided.output.data, "once or twice?"),
		"what has to be decided is passed on to the person");
	tap_result(tap, has(broken.refused, "it failed with exit code 1"),
		"a server that does not work is a refusal");
	tap_result(tap,
		has(undecided.output.data, "once or twice?") &&
			!tempdir_exists(AT_FDCWD, sessions),
		"no session is kept at home");
}

int main(void)
{
	CLEANUP(tear_down) struct setting s;
	struct tap tap = {0};

	set_up(&s);
	test_settle(&tap, &s);
	test_escape(&tap, &s);
	test_others(&tap, &s);
	return tap_end(&tap);
}
