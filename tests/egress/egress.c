/*
 * What an agent can reach on the network: runs every attempt in attempts/, first through a
 * proxy that checks nothing, and then in the sandbox of a real host with the gate.
 *
 *	egress HOST AGENT BRIDGE ATTEMPT [NAME...]
 *
 * Everything runs in a simulated internet (internet.h); the test is skipped if that cannot be
 * created. A forbidden attempt must succeed without the gate. With the gate it must be refused,
 * no server may see it, and both the audit log and the host's log must record it.
 *
 * EGRESS_MEGABYTES is the limit per connection in the test of that limit.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/bwrap.h"
#include "../harness/tap.h"
#include "../host/driver.h"
#include "fs/file.h"
#include "internet.h"
#include "proc/process.h"

#define HOSTS                                                                                  \
	"{\"network\": {\"hosts\": [\"allowed.example\", \"*.allowed.example\","               \
	" \"other.example:8443\", \"*.t.example\", \"noport.t.example:9\","                    \
	" \"93.184.216.34\", \"93.184.216.99\"]}}\n"

#define MUST_BE_SHOWN 30

struct attempt_line {
	char *name;
	char *kind;
	char *logged;
	char *claim;
};

struct suite {
	struct driver d;
	struct internet net;
	struct tap tap;
	const char *attempt; /* the program */
	char **chosen;
	unsigned shown;    /* of those that must not get through */
	unsigned bad_ends; /* of hosts */
	unsigned long long megabytes;
};

/* --- the installation -------------------------------------------------------- */

static void put(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

static void give_attempt(struct suite *suite, const char *group)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf program = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/groups/%s/attempt", suite->d.root, group);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	if (file_read(suite->attempt, (size_t)256 << 20, &program, &err) < 0 || fd < 0 ||
		write(fd, program.data, program.len) != (ssize_t)program.len)
		driver_fail(&suite->d, "cannot put the program into '%s'", group);
}

static char *say(struct suite *suite, const char *group, const char *text)
{
	const char *const words[] = {"send", group, text, "--wait", NULL};
	char *answer = driver_run(&suite->d, words, NULL);
	size_t len = strlen(answer);

	while (len && (answer[len - 1] == '\n' || answer[len - 1] == ' '))
		answer[--len] = '\0';
	return answer;
}

static bool contains(
	struct suite *suite, const char *group, const char *text, const char *wanted)
{
	CLEANUP(freep) char *answer = say(suite, group, text);
	bool ok = strstr(answer, wanted) != NULL;

	if (!ok)
		printf("# '%s' in '%s': '%s' has no '%s'\n", text, group, answer, wanted);
	return ok;
}

static void begin(struct suite *suite, const char *setting, const char *value)
{
	if (setting)
		driver_set(&suite->d, setting, value);
	driver_start_ready(&suite->d);
}

static void end(struct suite *suite)
{
	suite->bad_ends += driver_stop(&suite->d) != 0;
}

/* --- attempts ---------------------------------------------------------------- */

static const char *last_word(const char *text)
{
	const char *space = strrchr(text, ' ');

	return space ? space + 1 : text;
}

/* At the proxy without checks, outside. To be freed. */
static char *run_bare(struct suite *suite, const char *name, const char *number)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	size_t len;

	request.argv = (const char *const[]){suite->attempt, "8484", name, number, NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, 1 << 20};
	if (process_run(&request, &result, &err) < 0)
		return xstrdup(err.message);
	len = result.output.len;
	while (len && result.output.data[len - 1] == '\n')
		result.output.data[--len] = '\0';
	for (char *c = result.output.data; *c; c++)
		if (*c == '\n')
			*c = ' ';
	return xstrdup(result.output.data);
}

static char *run_inside(struct suite *suite, const char *name, const char *number)
{
	CLEANUP(freep) char *text = xasprintf("x !sh ./attempt 8484 %s %s", name, number);

	return say(suite, "g1", text);
}

/* Whatever waits to be written to the audit log is. */
static void write_audit(struct suite *suite)
{
	const char *const words[] = {"audit", "g1", "--kind", "egress", NULL};

	free(driver_run(&suite->d, words, NULL));
}

/* Entries of the audit log from `from` on. */
static int64_t audited(
	struct suite *suite, int64_t from, const char *outcomes, const char *what)
{
	CLEANUP(freep)
	char *sql =
		xasprintf("SELECT count(*) FROM audit WHERE id > %lld AND kind = 'egress' AND "
			  "group_folder = 'g1' AND outcome IN (%s) AND instr(what, '%s') > 0",
			(long long)from, outcomes, what);

	write_audit(suite);
	return driver_number(&suite->d, sql);
}

static bool is_in_log(struct suite *suite, const char *what)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf log = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/host.log", suite->d.root);

	return file_read(path, (size_t)64 << 20, &log, &err) == 0 && strstr(log.data, what);
}

static bool is_recorded(
	struct suite *suite, const struct attempt_line *attempt, int64_t from, bool harmless)
{
	if (!*attempt->logged)
		return true;
	if (!audited(suite, from, harmless ? "'done'" : "'refused'", attempt->logged)) {
		printf("# it is not in the audit log as '%s'\n", attempt->logged);
		return false;
	}
	if (!harmless && !is_in_log(suite, attempt->logged)) {
		printf("# it is not in the host's log as '%s'\n", attempt->logged);
		return false;
	}
	return true;
}

static int64_t last_entry(struct suite *suite)
{
	return driver_number(&suite->d, "SELECT coalesce(max(id), 0) FROM audit");
}

static void try_forbidden(
	struct suite *suite, const struct attempt_line *attempt, const char *number)
{
	CLEANUP(freep) char *claim = xasprintf("it cannot %s", attempt->claim);
	CLEANUP(freep) char *bare = run_bare(suite, attempt->name, number);
	CLEANUP(freep) char *inside = NULL;
	unsigned secrets = suite->net.facts->secrets;
	int64_t from = last_entry(suite);
	bool harmless;
	bool ok;

	if (strcmp(last_word(bare), "got-through") != 0) {
		printf("# without the gate: %s\n", bare);
		tap_skip(&suite->tap, claim, "this machine does not let it through anyway");
		return;
	}
	inside = run_inside(suite, attempt->name, number);
	harmless = !strcmp(last_word(inside), "harmless");
	ok = ((harmless && !strcmp(attempt->kind, "no-effect")) ||
		     !strcmp(last_word(inside), "refused")) &&
	     suite->net.facts->secrets == secrets &&
	     is_recorded(suite, attempt, from, harmless);
	suite->shown++;
	tap_result(&suite->tap, ok, claim);
	if (!ok)
		printf("# inside: %s; %u secrets were told\n", inside,
			suite->net.facts->secrets - secrets);
}

/* It has bounds, or it works; it is in the audit log, too. */
static void try_allowed(
	struct suite *suite, const struct attempt_line *attempt, const char *number)
{
	bool may = !strcmp(attempt->kind, "may");
	CLEANUP(freep)
	char *claim = xasprintf(
		may ? "it can %s" : "there are bounds when it tries to %s", attempt->claim);
	int64_t from = last_entry(suite);
	CLEANUP(freep) char *inside = run_inside(suite, attempt->name, number);
	bool ok = !strcmp(last_word(inside), may ? "works" : "bounded") &&
		  audited(suite, from, may ? "'done'" : "'done', 'failed'", attempt->logged);

	tap_result(&suite->tap, ok, claim);
	printf("# %s\n", inside);
}

static bool is_chosen(const struct suite *suite, const char *name)
{
	if (!*suite->chosen)
		return true;
	for (char **chosen = suite->chosen; *chosen; chosen++)
		if (!strcmp(*chosen, name))
			return true;
	return false;
}

static void try(struct suite *suite, const struct attempt_line *attempt, const char *number)
{
	if (!is_chosen(suite, attempt->name))
		return;
	if (!strcmp(attempt->kind, "must-not") || !strcmp(attempt->kind, "no-effect"))
		try_forbidden(suite, attempt, number);
	else
		try_allowed(suite, attempt, number);
}

/* --- the list ---------------------------------------------------------------- */

static char *piece_of(struct view *line)
{
	struct view piece = {"", 0};

	view_next(line, '\t', &piece);
	return xmemdupz(piece.data, piece.len);
}

static struct attempt_line *list_attempts(struct suite *suite, size_t *ret_count)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	struct attempt_line *list = NULL;
	size_t cap = 0;
	struct view rest;
	struct view line;

	request.argv = (const char *const[]){suite->attempt, "--list", NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, 1 << 20};
	if (process_run(&request, &result, &err) < 0)
		driver_fail(&suite->d, "%s", err.message);
	rest = view_of_buf(&result.output);
	*ret_count = 0;
	while (view_next(&rest, '\n', &line)) {
		GROW(list, *ret_count, cap);
		list[*ret_count].name = piece_of(&line);
		list[*ret_count].kind = piece_of(&line);
		list[*ret_count].logged = piece_of(&line);
		list[(*ret_count)++].claim = piece_of(&line);
	}
	return list;
}

static void free_attempts(struct attempt_line *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].kind);
		free(list[i].logged);
		free(list[i].claim);
	}
	free(list);
}

/* --- the runs ---------------------------------------------------------------- */

/* These need a host with another limit. */
static bool is_apart(const struct attempt_line *attempt)
{
	return !strcmp(attempt->name, "big_answer") || !strcmp(attempt->name, "idle") ||
	       !strcmp(attempt->name, "held_names") || !strcmp(attempt->name, "released_name");
}

static void run_usual(struct suite *suite, const struct attempt_line *list, size_t count)
{
	begin(suite, NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *number = xasprintf("%zu", i);

		if (!is_apart(&list[i]))
			try(suite, &list[i], number);
	}
	end(suite);
}

static void run_apart(struct suite *suite, const struct attempt_line *list, size_t count,
	const char *name, const char *number)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			try(suite, &list[i], number);
	tap_result(&suite->tap, driver_memory(&suite->d) < 256L * 1024,
		"the host needs no more memory for that");
	end(suite);
}

static void run_big(struct suite *suite, const struct attempt_line *list, size_t count)
{
	CLEANUP(freep) char *megabytes = xasprintf("%llu", suite->megabytes);
	CLEANUP(freep) char *bytes = xasprintf("%llu", suite->megabytes * 1024 * 1024);

	begin(suite, "NANOCLAW_NETWORK_MEGABYTES", megabytes);
	run_apart(suite, list, count, "big_answer", bytes);
}

static void run_idle(struct suite *suite, const struct attempt_line *list, size_t count)
{
	begin(suite, "NANOCLAW_NETWORK_IDLE_SECONDS", "1");
	run_apart(suite, list, count, "idle", "0");
}

/* --- names ------------------------------------------------------------------- */

static bool is_holding(struct driver *d, void *data)
{
	const struct internet *net = data;

	(void)d;
	return net->facts->held >= 8; /* two names of each group, for IPv4 and IPv6 */
}

/* The name of the third is what the others wait for, so it must not wait for them. */
static void check_lookups(struct suite *suite)
{
	const char *const first[] = {"send", "g1", "x !sh ./attempt 8484 held_names 1", NULL};
	const char *const second[] = {"send", "g2", "x !sh ./attempt 8484 held_names 2", NULL};
	struct driver *d = &suite->d;

	internet_wait_for_names();
	put(d, "groups/g2/container.json", HOSTS);
	put(d, "groups/g3/container.json", HOSTS);
	driver_start_ready(d);
	free(driver_run(d, first, NULL));
	free(driver_run(d, second, NULL));
	driver_wait(d, is_holding, &suite->net, "names are being looked up");
	tap_result(&suite->tap,
		contains(suite, "g3", "x !sh ./attempt 8484 released_name", "works"),
		"slow names of two groups do not hold up a third");
	end(suite);
}

/* --- what is told ------------------------------------------------------------ */

static void check_words(struct suite *suite)
{
	struct tap *tap = &suite->tap;

	begin(suite, "ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
	tap_result(tap,
		contains(suite, "g1", "x !env HTTPS_PROXY", "http://127.0.0.1:8484") &&
			contains(suite, "g1", "x !env NO_PROXY", "127.0.0.1,localhost"),
		"an agent is told where its proxy is");
	tap_result(tap,
		contains(suite, "g2", "x !sh ./attempt 8484 allowed_plain",
			"HTTP/1.1 403 Forbidden") &&
			contains(suite, "g2", "x !sh ./attempt 8484 allowed_plain",
				"nanoclaw: 'allowed.example:80' is not among the hosts that this "
				"group may reach ask the owner to run: nanoclaw group config g2 "
				"network.hosts '[\"allowed.example\"]'"),
		"an agent that is refused is told what its owner can do");
	end(suite);
}

static void check_command(struct suite *suite)
{
	const char *const words[] = {
		"group", "config", "g2", "network.hosts", "[\"allowed.example\"]", NULL};
	CLEANUP(freep) char *said = NULL;
	bool ok;

	driver_start_ready(&suite->d);
	said = driver_run(&suite->d, words, NULL);
	ok = contains(suite, "g2", "x !sh ./attempt 8484 allowed_plain", "works");
	tap_result(&suite->tap, ok, "and what its owner then does is enough");
	if (!ok)
		printf("# %s", said);
	end(suite);
}

static bool prints(struct suite *suite, const char *const *words, const char *wanted)
{
	CLEANUP(freep) char *said = driver_run(&suite->d, words, NULL);
	bool ok = strstr(said, wanted) != NULL;

	if (!ok)
		printf("# there is no '%s' in:\n# %s\n", wanted, said);
	return ok;
}

static void check_doctor(struct suite *suite)
{
	const char *const doctor[] = {"doctor", NULL};
	const char *const show[] = {"group", "show", "g2", NULL};

	put(&suite->d, "groups/g2/container.json",
		"{\"network\": {\"hosts\": [\"private.t.example\", \"none.t.example\","
		" \"*.allowed.example:8443\"]}}\n");
	tap_result(&suite->tap,
		prints(suite, doctor,
			"group 'g2' may reach 'private.t.example', but that leads to "
			"'10.0.0.1', which is a private address") &&
			prints(suite, doctor,
				"group 'g2' may reach 'none.t.example', but that name does "
				"not exist"),
		"the doctor looks up what agents may reach");
	tap_result(&suite->tap, prints(suite, show, "reaches  *.allowed.example:8443\n"),
		"what a group reaches is shown");
}

/* As a person would try it. */
static void check_curl(struct suite *suite)
{
	const char *claim = "curl goes by what the environment says, and shows why not";

	if (access("/usr/bin/curl", X_OK)) {
		tap_skip(&suite->tap, claim, "there is no curl");
		return;
	}
	driver_start_ready(&suite->d);
	tap_result(&suite->tap,
		contains(suite, "g1", "x !sh curl -sS http://allowed.example/ 2>&1",
			"public at ") &&
			contains(suite, "g1",
				"x !sh curl -sSL 'http://allowed.example/redirect?"
				"http://private.t.example/' 2>&1",
				"'private.t.example:80' leads to '10.0.0.1', which is a private "
				"address") &&
			contains(suite, "g1", "x !sh curl -sS https://evil.example/ 2>&1",
				"403"),
		claim);
	end(suite);
}

static void prepare(struct suite *suite, char **argv)
{
	const char *megabytes = getenv("EGRESS_MEGABYTES");

	suite->attempt = argv[4];
	suite->chosen = argv + 5;
	suite->megabytes = megabytes ? strtoull(megabytes, NULL, 10) : 32;
	internet_open(&suite->net);
	driver_init(&suite->d, argv[1], argv[2], argv[3]);
	driver_set(&suite->d, "NANOCLAW_TURN_TRIES", "1");
	driver_group(&suite->d, "g1", "test:1", false);
	driver_group(&suite->d, "g2", "test:2", false);
	driver_group(&suite->d, "g3", "test:3", false);
	put(&suite->d, "groups/g1/container.json", HOSTS);
	give_attempt(suite, "g1");
	give_attempt(suite, "g2");
	give_attempt(suite, "g3");
}

int main(int argc, char **argv)
{
	struct suite suite = {0};
	struct attempt_line *list;
	size_t count;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 5)
		return 2;
	bwrap_or_skip();
	if (!internet_enter()) {
		printf("1..0 # SKIP there can be no network of its own here\n");
		return 0;
	}
	bwrap_or_skip();
	prepare(&suite, argv);
	list = list_attempts(&suite, &count);
	run_usual(&suite, list, count);
	run_big(&suite, list, count);
	run_idle(&suite, list, count);
	if (!*suite.chosen) {
		check_words(&suite);
		check_command(&suite);
		check_curl(&suite);
		check_doctor(&suite);
		check_lookups(&suite);
		tap_result(&suite.tap, suite.shown >= MUST_BE_SHOWN,
			"enough was shown: what gets through without the gate");
	}
	tap_result(&suite.tap, !suite.bad_ends, "each host ended well");
	printf("# %u ways were shown to get through without the gate\n", suite.shown);
	free_attempts(list, count);
	driver_release(&suite.d);
	internet_close(&suite.net);
	return tap_end(&suite.tap);
}
