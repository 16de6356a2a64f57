/*
 * Does a bridge follow the protocol? (docs/bridge-protocol.md)
 *
 * This plays the host. It starts the bridge twice and never acknowledges a message, so the
 * real host still gets every message that arrives during the check.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "channels/bridge/config.h"
#include "channels/bridge/protocol.h"
#include "channels/local/local.h"
#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "fs/replace.h"
#include "fs/scratch.h"
#include "fs/sys.h"
#include "ledger/groups.h"
#include "proc/child.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define MAX_FAULTS 20
#define CHECK_TEXT "nanoclaw channel check"

struct bridge_check {
	struct bridge_config config;
	char **env;
	int root;
	const char *chat; /* where texts are sent, or NULL */
	int64_t began;

	struct child child;
	struct buf input;  /* from the bridge, not read yet */
	struct buf errors; /* the end of its standard error */
	bool silent;       /* it has ended, or takes too long */

	size_t lines;       /* that it wrote */
	json_t *patterns;   /* of the JIDs that it owns, as its 'hello' says */
	unsigned abilities; /* likewise */
	enum markup_dialect dialect;
	struct scratch files; /* the folder for files in both directions */
	char *sent;           /* the platform's id of the last text, or NULL */
	json_t *reported;     /* "CHAT ID" to the text of a message */
	bool repeated;        /* a message of the first run came again in the second */
	bool second_run;

	json_t *results;
	json_t *line_faults;
	json_t *message_faults;
	unsigned failed;
};

static void bridge_check_release(struct bridge_check *check)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	bridge_config_release(&check->config);
	child_free_argv(&check->env);
	buf_release(&check->input);
	buf_release(&check->errors);
	json_decref(check->patterns);
	json_decref(check->reported);
	json_decref(check->results);
	json_decref(check->line_faults);
	json_decref(check->message_faults);
	free(check->sent);
	if (check->files.path)
		scratch_remove(&check->files, &ignored);
}

/* --- results ------------------------------------------------------------------ */

static void result_add(
	struct bridge_check *check, const char *result, const char *claim, json_t *details)
{
	json_array_append_new(check->results, json_pack("{s:s, s:s, s:o}", "claim", claim,
						      "result", result, "details", details));
}

static void claim_add(struct bridge_check *check, bool holds, const char *claim)
{
	check->failed += !holds;
	result_add(check, holds ? "ok" : "failed", claim, json_array());
}

/* A claim about everything that came; it says nothing if nothing came. */
static void faults_claim_add(
	struct bridge_check *check, json_t *faults, bool any, const char *claim)
{
	if (!any)
		return;
	check->failed += json_array_size(faults) > 0;
	result_add(
		check, json_array_size(faults) ? "failed" : "ok", claim, json_incref(faults));
}

static void claim_skip(struct bridge_check *check, const char *claim, const char *why)
{
	result_add(check, "skipped", claim, json_pack("[s]", why));
}

static void fault_add(json_t *faults, struct view line, const char *why)
{
	CLEANUP(freep) char *excerpt = utf8_excerpt(line);
	CLEANUP(json_decrefp) json_t *fault = json_sprintf("%s: %s", why, excerpt);

	for (size_t i = 0; i < json_array_size(faults); i++)
		if (json_equal(json_array_get(faults, i), fault))
			return; /* it was repeated */
	if (json_array_size(faults) < MAX_FAULTS)
		json_array_append(faults, fault);
}

/* --- lines from the bridge ------------------------------------------------------ */

static bool owns_jid(const struct bridge_check *check, const char *jid)
{
	bool allowed = !check->config.jids[0];
	bool owned = false;
	json_t *pattern;
	size_t i;

	for (char **p = check->config.jids; *p; p++)
		allowed |= bridge_jid_matches(*p, jid);
	json_array_foreach(check->patterns, i, pattern)
		owned |= bridge_jid_matches(json_string_value(pattern), jid);
	return allowed && owned && strncmp(jid, LOCAL_PREFIX, strlen(LOCAL_PREFIX)) != 0;
}

static bool has_blank(const json_t *document, const char *name)
{
	const char *text = json_string_value(json_object_get(document, name));

	return text && !view_trim(view_of(text)).len;
}

/* The name of a file that the bridge did not leave where the host would look for it; or NULL. */
static const char *missing_file(
	const struct bridge_check *check, const struct bridge_line *line)
{
	for (size_t i = 0; i < line->attachment_count; i++) {
		const char *name = line->attachments[i].source;
		struct stat st;

		if (name && (fstatat(check->files.fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
				    !S_ISREG(st.st_mode)))
			return name;
	}
	return NULL;
}

/* Report a message that the host would refuse, drop or repair silently. */
static void message_check(
	struct bridge_check *check, const struct bridge_line *line, struct view raw)
{
	CLEANUP(freep) char *key = xasprintf("%s %s", line->chat, line->id);
	const char *before = json_string_value(json_object_get(check->reported, key));
	const char *text = line->text ? line->text : "";
	const char *fault = NULL;

	if (line->unwanted)
		fault = line->unwanted;
	else if (!owns_jid(check, line->chat))
		fault = "'chat' is not among the JIDs of this bridge";
	else if (has_blank(line->document, "id") || has_blank(line->document, "sender"))
		fault = "'id' and 'sender' must not be blank";
	else if (has_blank(line->document, "name"))
		fault = "'name' must not be blank";
	else if (json_object_get(line->document, "time") && !line->time)
		fault = "'time' must be like 2026-02-16T22:47:02.139Z";
	else if (line->refers_to && !strcmp(line->refers_to, line->id))
		fault = "a message that refers to itself";
	else if (missing_file(check, line))
		fault = "'file' must be a file in the folder that 'welcome' names";
	else if (!utf8_valid(raw))
		fault = "bytes that are not UTF-8";
	else if (!strncmp(text, CHECK_TEXT, strlen(CHECK_TEXT)))
		fault = "a message that the bridge itself has sent";
	else if (before && strcmp(before, text) != 0)
		fault = "two messages in a chat have the same 'id'";
	if (fault)
		fault_add(check->message_faults, raw, fault);
	check->repeated |= check->second_run && before;
	if (!check->second_run)
		json_object_set_new(check->reported, key, json_text(view_of(text)));
}

/* The next line that is in the buffer; false: none that follows the protocol. */
static bool line_take(struct bridge_check *check, struct bridge_line *ret_line)
{
	char *end;

	while ((end = memchr(check->input.data, '\n', check->input.len))) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct view raw = {check->input.data, (size_t)(end - check->input.data)};
		bool blank = !view_trim(raw).len;
		bool good = !blank && bridge_read(raw, ret_line, &err) == 0;

		check->lines += !blank;
		if (good && ret_line->type == BRIDGE_HELLO && !check->patterns) {
			check->patterns = json_deep_copy(ret_line->patterns);
			check->abilities = ret_line->abilities;
			check->dialect = ret_line->form.dialect;
		}
		if (good && ret_line->type == BRIDGE_MESSAGE)
			message_check(check, ret_line, raw);
		else if (!good && !blank)
			fault_add(check->line_faults, raw, err.message);
		memmove(check->input.data, end + 1, check->input.len - raw.len - 1);
		buf_set_len(&check->input, check->input.len - raw.len - 1);
		if (good)
			return true;
	}
	if (check->input.len > BRIDGE_MAX_LINE) {
		fault_add(check->line_faults, view_of_buf(&check->input),
			"a line of more than 1 MiB");
		check->silent = true;
	}
	return false;
}

/* Read the available bytes; at the end, close the pipe. */
static void pipe_read(int *fd, struct buf *into)
{
	ssize_t got;

	buf_reserve(into, 65536);
	got = read(*fd, into->data + into->len, 65536);
	if (got > 0)
		buf_set_len(into, into->len + (size_t)got);
	else if (got == 0 || errno != EAGAIN)
		close(TAKE_FD(*fd));
}

/* Wait for a line until this time; false if none came, or the bridge has ended. */
static bool line_wait(struct bridge_check *check, int64_t until, struct bridge_line *ret_line)
{
	while (!line_take(check, ret_line)) {
		struct pollfd fds[] = {
			{check->child.out, POLLIN, 0},
			{check->child.errors, POLLIN, 0},
		};
		int64_t left = until - timestamp_clock();

		if (check->silent || check->child.out < 0 || left <= 0)
			return false;
		poll(fds, 2, (int)left);
		if (fds[0].revents)
			pipe_read(&check->child.out, &check->input);
		if (fds[1].revents)
			pipe_read(&check->child.errors, &check->errors);
		if (check->errors.len > 65536) {
			memmove(check->errors.data,
				check->errors.data + check->errors.len - 4096, 4096);
			buf_set_len(&check->errors, 4096);
		}
	}
	return true;
}

/* Wait for a line of this type; a receipt must have this key and be ok. */
static bool type_wait(struct bridge_check *check, enum bridge_type type, const char *key)
{
	int64_t until = timestamp_clock() + (int64_t)check->config.hang_seconds * 1000;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};

	while (line_wait(check, until, &line)) {
		if (line.type == type && (!key || !strcmp(line.key, key))) {
			if (key && line.ok && line.id) {
				free(check->sent);
				check->sent = xstrdup(line.id);
			}
			return !key || line.ok;
		}
		bridge_line_release(&line);
	}
	check->silent = true;
	return false;
}

/* --- lines to the bridge -------------------------------------------------------- */

static void line_write(struct bridge_check *check, json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct pollfd fd = {check->child.in, POLLOUT, 0};

	json_write_ours(document, false, &line);
	json_decref(document);
	buf_append_char(&line, '\n');
	poll(&fd, 1, (int)check->config.hang_seconds * 1000);
	if (sys.write(check->child.in, line.data, line.len) != (ssize_t)line.len)
		check->silent = true;
}

static void type_write(struct bridge_check *check, const char *type)
{
	line_write(check, json_pack("{s:s}", "type", type));
}

static void welcome_write(struct bridge_check *check)
{
	line_write(check, json_pack("{s:s, s:i, s:s, s:i}", "type", "welcome", "protocol", 1,
				  "files", check->files.path, "max_file", 1024 * 1024));
}

/* Send a line with these fields, and wait for the receipt; `more` is taken over. */
static bool line_arrives(struct bridge_check *check, const char *type, int number, json_t *more)
{
	/* A bridge may remember the keys of an earlier check. */
	CLEANUP(freep)
	char *key =
		xasprintf("check-%d-%lld-%d", (int)getpid(), (long long)check->began, number);

	json_object_update_new(
		more, json_pack("{s:s, s:s, s:s, s:s, s:b}", "type", type, "key", key, "chat",
			      check->chat, "kind", "answer", "again", 0));
	if (check->dialect != MARKUP_SOURCE)
		json_object_set(more, "plain", json_object_get(more, "text"));
	line_write(check, more);
	return type_wait(check, BRIDGE_RECEIPT, key);
}

static bool text_arrives(struct bridge_check *check, int number)
{
	return line_arrives(check, "send", number, json_pack("{s:s}", "text", CHECK_TEXT));
}

static bool file_arrives(struct bridge_check *check)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/check.txt", check->files.path);

	if (replace_file(check->files.fd, "check.txt", view_of(CHECK_TEXT "\n"), 0600, NULL,
		    REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, &err) < 0)
		return false;
	return line_arrives(check, "send", 3,
		json_pack("{s:s, s:[{s:s, s:s, s:s, s:i}]}", "text", CHECK_TEXT, "attachments",
			"path", path, "name", "check.txt", "type", "text/plain", "size",
			(int)strlen(CHECK_TEXT) + 1));
}

/* What its 'hello' says that it can do. */
static void abilities_check(struct bridge_check *check)
{
	if (check->abilities & CHANNEL_FILES)
		claim_add(check, file_arrives(check), "a text with a file gets a receipt");
	if (!(check->abilities & (CHANNEL_EDIT | CHANNEL_REACT)))
		return;
	claim_add(check, check->sent != NULL,
		"its receipts have the 'id' that 'edit' and 'react' name");
	if (check->sent && check->abilities & CHANNEL_EDIT)
		claim_add(check,
			line_arrives(check, "edit", 4,
				json_pack("{s:s, s:s}", "message", check->sent, "text",
					CHECK_TEXT " (edited)")),
			"a changed text gets a receipt");
	if (check->sent && check->abilities & CHANNEL_REACT)
		claim_add(check,
			line_arrives(check, "react", 5,
				json_pack("{s:s, s:s}", "message", check->sent, "text",
					"\U0001F44D")),
			"a reaction gets a receipt");
}

/* --- the check ------------------------------------------------------------------- */

static int bridge_start(struct bridge_check *check, struct error *err)
{
	struct child_request request = {
		.argv = (const char *const *)check->config.argv,
		.env = (const char *const *)check->env,
		.cwd = check->root,
	};

	buf_clear(&check->input);
	buf_clear(&check->errors);
	check->silent = false;
	return child_start(&request, &check->child, err);
}

/* The exit code. */
static int bridge_end(struct bridge_check *check)
{
	int64_t until = timestamp_clock() + (int64_t)check->config.hang_seconds * 1000;
	struct pollfd fd = {check->child.pidfd, POLLIN, 0};
	CLEANUP(bridge_line_release) struct bridge_line line = {0};
	int64_t left;
	int exit_code;

	close(TAKE_FD(check->child.in));
	while (line_wait(check, until, &line))
		bridge_line_release(&line);
	left = until - timestamp_clock();
	if (poll(&fd, 1, left > 0 ? (int)left : 0) != 1)
		child_signal(&check->child, SIGKILL);
	exit_code = child_reap(&check->child);
	child_release(&check->child);
	return exit_code;
}

/* Without a proper 'hello' nothing else can be expected of it. */
static bool bridge_begins(struct bridge_check *check)
{
	CLEANUP(bridge_line_release) struct bridge_line first = {0};
	int64_t until = timestamp_clock() + (int64_t)check->config.hang_seconds * 1000;

	check->silent = !line_wait(check, until, &first) || first.type != BRIDGE_HELLO ||
			json_array_size(check->line_faults);
	return !check->silent;
}

/* Waits for a message. */
static void message_wait(struct bridge_check *check, int64_t seconds)
{
	int64_t until = timestamp_clock() + seconds * 1000;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};

	if (json_object_size(check->reported) || !seconds)
		return;
	log_note("write a message in the chat now; waiting for up to %d seconds", (int)seconds);
	while (!json_object_size(check->reported) && line_wait(check, until, &line))
		bridge_line_release(&line);
}

static int first_run(struct bridge_check *check, int64_t wait_seconds, struct error *err)
{
	if (bridge_start(check, err) < 0)
		return -1;
	claim_add(check, bridge_begins(check), "'hello' is its first line");
	welcome_write(check);
	claim_add(check, type_wait(check, BRIDGE_CONNECTED, NULL),
		"it reports that it is connected to its platform");
	type_write(check, "ping");
	claim_add(check, type_wait(check, BRIDGE_PONG, NULL), "it answers a ping");
	line_write(check, json_pack("{s:s, s:[i, i]}", "type", "something-new", "with", 1, 2));
	line_write(check, json_pack("{s:s, s:s, s:b}", "type", "typing", "chat", "x", "on", 1));
	line_write(check, json_pack("{s:s, s:s, s:s, s:b}", "type", "ack", "chat", "x:1", "id",
				  "never-reported", "stored", 0));
	type_write(check, "ping");
	claim_add(check, type_wait(check, BRIDGE_PONG, NULL),
		"it ignores unknown lines, and an ack for a message that it did not report");
	if (check->chat) {
		claim_add(check, text_arrives(check, 1), "a text gets a receipt with its key");
		claim_add(check, text_arrives(check, 1), "the same key gets a receipt again");
		claim_add(check, text_arrives(check, 2), "another text gets a receipt too");
		abilities_check(check);
	} else {
		claim_skip(check, "a text gets a receipt with its key",
			"'--chat JID' sends two short texts to a chat");
	}
	message_wait(check, wait_seconds);
	type_write(check, "shutdown");
	claim_add(check, bridge_end(check) == 0, "it ends with exit code 0 on 'shutdown'");
	return 0;
}

static int second_run(struct bridge_check *check, struct error *err)
{
	static const char claim[] = "after a restart it repeats a message that has no ack";
	int64_t until;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};

	check->second_run = true;
	if (bridge_start(check, err) < 0)
		return -1;
	if (bridge_begins(check)) {
		welcome_write(check);
		type_wait(check, BRIDGE_CONNECTED, NULL);
	}
	until = timestamp_clock() + (int64_t)check->config.hang_seconds * 1000;
	while (json_object_size(check->reported) && !check->repeated &&
		line_wait(check, until, &line))
		bridge_line_release(&line);
	if (json_object_size(check->reported))
		claim_add(check, check->repeated, claim);
	else
		claim_skip(check, claim,
			"no message came; '--wait SECONDS' waits for one that you write");
	claim_add(
		check, bridge_end(check) == 0, "it ends with exit code 0 when its input ends");
	return 0;
}

static int bridge_check_run(struct bridge_check *check, int64_t wait_seconds, struct error *err)
{
	if (first_run(check, wait_seconds, err) < 0)
		return -1;
	if (!check->silent && second_run(check, err) < 0)
		return -1;
	faults_claim_add(
		check, check->line_faults, check->lines, "every line follows the protocol");
	faults_claim_add(check, check->message_faults,
		json_object_size(check->reported) || json_array_size(check->message_faults),
		"the host can store every message");
	return 0;
}

static void print_results(const struct cli *cli, const struct bridge_check *check)
{
	CLEANUP(freep) char *last_words = NULL;
	json_t *result, *detail;
	size_t i, k;

	json_array_foreach(check->results, i, result) {
		const char *name = json_string_value(json_object_get(result, "result"));
		bool failed = !strcmp(name, "failed");

		if (cli->quiet && !failed)
			continue;
		printf("%s%-8s%s%s\n",
			output_color(cli, failed         ? COLOR_RED
					  : *name == 'o' ? COLOR_GREEN
							 : ""),
			name, output_color(cli, COLOR_RESET),
			json_string_value(json_object_get(result, "claim")));
		json_array_foreach(json_object_get(result, "details"), k, detail)
			printf("        %s\n", json_string_value(detail));
	}
	if (!check->failed || !view_trim(view_of_buf(&check->errors)).len)
		return;
	last_words = output_text(check->errors.data);
	printf("\nIt wrote to standard error:\n%s", last_words);
}

/* --- the command ----------------------------------------------------------------- */

static int refuse_running_host(struct assistant *assistant, const char *name, struct error *err)
{
	if (client_connect(
		    assistant->project.root, &assistant->client, &assistant->running, err) < 0)
		return -1;
	if (!assistant->running)
		return 0;
	error_set(err, ERROR_BUSY, "the host is running, and the bridge '%s' with it", name);
	return error_hint(err, "'nanoclaw stop' ends it");
}

static void config_from_command(const struct arguments *args, struct bridge_config *ret_config)
{
	*ret_config = (struct bridge_config){
		.name = xstrdup("check"),
		.argv = xcalloc(args->count + 1, sizeof(char *)),
		.env = xcalloc(1, sizeof(char *)),
		.jids = xcalloc(1, sizeof(char *)),
		.hang_seconds = 60,
	};
	for (size_t i = 0; i < args->count; i++)
		ret_config->argv[i] = xstrdup(args->words[i]);
}

static int bridge_find(const struct arguments *args, struct assistant *assistant,
	struct bridge_check *check, struct error *err)
{
	const char *word = args->words[0];
	bool named = args->count == 1 && !args->literal && !strchr(word, '/');

	if (named) {
		if (bridge_config_find(assistant->project.root, word, &check->config, err) < 0)
			return -1;
		return refuse_running_host(assistant, word, err);
	}
	config_from_command(args, &check->config);
	return 0;
}

static const char *setting_of(void *settings, const char *name)
{
	return settings_get(settings, name);
}

static int run_channel_check(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(bridge_check_release)
	struct bridge_check check = {
		.child = CHILD_INIT,
		.input = BUF_INIT,
		.errors = BUF_INIT,
		.chat = arguments_value(args, "chat"),
		.began = timestamp_clock(),
		.reported = json_object(),
		.results = json_array(),
		.line_faults = json_array(),
		.message_faults = json_array(),
	};
	int64_t seconds = 0;

	if (arguments_number(args, "wait", 0, 3600, &seconds, err) < 0 ||
		assistant_find(&assistant, err) < 0 ||
		bridge_find(args, &assistant, &check, err) < 0 ||
		(check.chat && group_check_jid(check.chat, err) < 0))
		return -1;
	signal(SIGPIPE, SIG_IGN);
	check.root = assistant.project.root;
	check.env = bridge_environment(&check.config, setting_of, &assistant.settings);
	if (scratch_make("nanoclaw-check-", &check.files, err) < 0 ||
		bridge_check_run(&check, seconds, err) < 0)
		return -1;
	if (!cli->json)
		print_results(cli, &check);
	if (check.failed) {
		cli->failure = json_pack("{s:O}", "checks", check.results);
		error_set(err, ERROR_FAILED, "%u of %zu checks failed", check.failed,
			json_array_size(check.results));
		return error_hint(err, "docs/bridge-protocol.md explains the protocol");
	}
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", true, "checks", check.results));
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "chat", "JID", "send two short texts to this chat"},
	{0, "wait", "SECONDS", "wait for a message that somebody writes in a chat"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw channel check whatsapp --chat 12036@g.us --wait 60",
		"bridges/whatsapp.json, in both directions"},
	{"nanoclaw channel check -- node bridges/new.mjs --verbose",
		"a program that is not a bridge of the project yet"},
	{0},
};

COMMAND(channel_check) = {
	.name = "channel check",
	.summary = "check that a bridge follows the protocol",
	.usage = "<name> | -- <command>...",
	.description =
		"Plays the host: starts the bridge twice, and reports which rules of\n"
		"docs/bridge-protocol.md it follows. Each message that it reports is checked. None is\n"
		"acknowledged, so the host still gets them later. If the bridge declares\n"
		"'remembers_keys', the chat must then show two texts, not three.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = {COMPLETE_CHANNELS, COMPLETE_FILES},
	.run = run_channel_check,
};
