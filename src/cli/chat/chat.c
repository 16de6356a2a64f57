#include "cli/chat/chat.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/view.h"
#include "cli/chat/conversation.h"
#include "cli/chat/line_editor.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "ledger/messages.h"
#include "markup/markup.h"
#include "time/timestamp.h"

#define RECENT      10  /* messages that are shown at the beginning */
#define REMEMBERED  200 /* and the number that the arrow keys can recall */
#define RETURN_MS   2000
#define RETURN_WAIT 50

#define LEAST_COLUMNS 20
#define MOST_COLUMNS  100 /* longer lines are hard to read */

struct chat {
	const struct cli *cli;
	struct conversation conversation;
	json_t *texts;
	struct line_editor *editor; /* NULL: lines are typed plainly */
	char *prompt;
	int64_t working_since; /* the agent works on an answer; 0: it does not */
	struct error lost;     /* why the host no longer answers */
	bool error;            /* there was one instead of an answer */
};

void chat_session_release(struct chat_session *session)
{
	free(session->unfinished);
	json_decref(session->unstored);
}

/* --- output ------------------------------------------------------------ */

/* Markdown is rendered (markup/markup.h), and wrapped at words. */
static void print_said(
	const struct chat *chat, const char *who, const char *color, const char *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(freep) char *harmless = output_text(text);
	CLEANUP(freep) char *name = output_first_line(who);
	struct markup_page page = {output_columns(), output_width(name) + 2, output_width};

	if (page.columns > MOST_COLUMNS)
		page.columns = MOST_COLUMNS;
	if (page.columns < LEAST_COLUMNS)
		page.columns = LEAST_COLUMNS;
	markup_render_page(view_of(harmless),
		chat->cli->color ? MARKUP_TERMINAL : MARKUP_TERMINAL_PLAIN, &page, &out);
	printf("%s%s:%s %s\n", output_color(chat->cli, color), name,
		output_color(chat->cli, COLOR_RESET), out.data);
}

static void chat_hear(const struct heard *heard, void *data)
{
	struct chat *chat = data;
	bool typing = !strcmp(heard->kind, "typing");

	if (typing)
		chat->working_since = *heard->text ? timestamp_clock() : 0;
	if (!strcmp(heard->kind, "error"))
		chat->error = true;
	if (typing && !chat->editor)
		return;
	if (chat->cli->json) {
		json_add_text(chat->texts, heard->text);
		return;
	}
	if (!chat->cli->interactive) {
		CLEANUP(freep) char *shown = output_text(heard->text);

		printf("%s\n", shown);
		fflush(stdout);
		return;
	}
	if (chat->editor)
		line_editor_hide(chat->editor);
	else
		printf("\r");
	if (!typing)
		print_said(chat, chat->conversation.name, COLOR_CYAN, heard->text);
	if (chat->editor)
		line_editor_show(chat->editor);
	else
		printf("> ");
	fflush(stdout);
}

/* --- from a pipe: one message after the other ------------------------------------- */

static int read_pipe(struct assistant *assistant, struct chat *chat, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, stdin)) >= 0) {
		struct view text = view_trim((struct view){line, (size_t)len});
		CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
		int64_t seq;

		if (!text.len)
			continue;
		/* One line at a time: the answer then belongs to this line. */
		client_release(&assistant->client);
		if (client_require(assistant->project.root, &assistant->client, err) < 0)
			return -1;
		if (conversation_say(&chat->conversation, copy, &seq, NULL, err) < 0)
			return -1;
		if (conversation_attach(&chat->conversation, err) < 0)
			return -1;
		if (conversation_wait(&chat->conversation, seq, chat_hear, chat, err) < 0)
			return -1;
	}
	return 0;
}

/* --- on a terminal: typed lines and messages ---------------------------------------- */

static int chat_heard(void *data)
{
	struct chat *chat = data;

	do
		if (conversation_listen(&chat->conversation, chat_hear, chat, &chat->lost) < 0)
			return -1;
	while (client_has_line(chat->conversation.client));
	return 0;
}

static const char *chat_prompt(void *data)
{
	struct chat *chat = data;
	int seconds = (int)((timestamp_clock() - chat->working_since) / 1000);

	free(chat->prompt);
	chat->prompt = !chat->working_since ? xstrdup("> ")
		       : seconds < 2 ? xasprintf("(%s is working) > ", chat->conversation.name)
				     : xasprintf("(%s is working, %d s) > ",
					       chat->conversation.name, seconds);
	return chat->prompt;
}

static int chat_tick(const void *data)
{
	const struct chat *chat = data;

	return chat->working_since ? 1000 : -1;
}

static void chat_cleared(void *data)
{
	(void)data;
	printf("('quit' or Ctrl-D leaves)\n");
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcasecmp(text, *words))
			return true;
	return false;
}

/* `*ret_end`: the person wants to leave. */
static int take_typed(
	struct chat *chat, const char *typed, size_t len, bool *ret_end, struct error *err)
{
	static const char *const leave[] = {"quit", "exit", "/quit", "/exit", NULL};
	struct view text = view_trim((struct view){typed, len});
	CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);

	*ret_end = is_one_of(copy, leave);
	if (!text.len || *ret_end)
		return 0;
	if (chat->editor)
		line_editor_remember(chat->editor, copy);
	if (!strcmp(copy, "/help")) {
		CLEANUP(table_release) struct table table = {.indent = 2};

		table_add(&table, "quit, exit, Ctrl-D", "leave", NULL);
		table_add(&table, "Ctrl-C", "clear the line", NULL);
		table_add(&table, "up, down, Ctrl-R", "earlier messages; search them", NULL);
		table_add(&table, "/skills", "the slash commands of this group", NULL);
		table_add(&table, "help", "what the assistant can do", NULL);
		table_print(&table, chat->cli);
		return 0;
	}
	return conversation_post(&chat->conversation, copy, NULL, err);
}

static int talk_with_editor(struct chat *chat, struct chat_session *session, struct error *err)
{
	bool end = false;

	while (!end) {
		CLEANUP(freep) char *before = TAKE(session->unfinished);
		CLEANUP(freep) char *line = NULL;
		enum line_read read = line_editor_read(
			chat->editor, chat->conversation.client->fd, before, &line);

		if (read == LINE_LOST) {
			session->unfinished = TAKE(line);
			*err = chat->lost;
			chat->lost = ERROR_INIT;
			printf("\n");
			return -1;
		}
		if (read == LINE_END) {
			printf("\n");
			return 0;
		}
		if (take_typed(chat, line, strlen(line), &end, err) < 0)
			return -1;
	}
	return 0;
}

static int talk_plainly(struct chat *chat, struct error *err)
{
	struct client *client = chat->conversation.client;
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	bool end = false;

	printf("> ");
	fflush(stdout);
	setvbuf(stdin, NULL, _IONBF, 0); /* so that poll() sees all input */
	while (!end) {
		struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {client->fd, POLLIN, 0}};

		if (!client_has_line(client) && poll(fds, 2, -1) < 0 && errno != EINTR)
			return error_errno(err, "cannot wait");
		if ((client_has_line(client) || fds[1].revents) &&
			conversation_listen(&chat->conversation, chat_hear, chat, err) < 0)
			return -1;
		if (fds[0].revents) {
			ssize_t len = getline(&line, &cap, stdin);

			end = len < 0;
			if (!end && take_typed(chat, line, (size_t)len, &end, err) < 0)
				return -1;
			printf(end ? "\n" : "> ");
			fflush(stdout);
		}
	}
	return 0;
}

/* Show the last messages, and put the person's own into the arrow keys' history. */
static int open_terminal(struct chat *chat, const struct assistant *assistant,
	struct chat_session *session, struct error *err)
{
	CLEANUP(chat_history_release) struct chat_history said = {0};
	const char *folder = chat->conversation.folder;

	if (assistant->store &&
		chat_history_read(assistant->store,
			&(struct chat_history_filter){.folder = folder, .last = REMEMBERED},
			&said, err) < 0)
		return -1;
	for (size_t i = 0; chat->editor && i < said.count; i++)
		if (said.list[i].who)
			line_editor_remember(chat->editor, said.list[i].text);
	if (session->opened)
		return 0;
	session->opened = true;
	for (size_t i = said.count > RECENT ? said.count - RECENT : 0; i < said.count; i++)
		print_said(chat, said.list[i].who ? said.list[i].who : chat->conversation.name,
			COLOR_DIM, said.list[i].text);
	printf("%sThis is '%s'. Ctrl-D ends. '/help' shows what you can type.\n",
		said.count ? "\n" : "", folder);
	return 0;
}

/* A host that restarts is back in a moment. */
static bool chat_wait_for_host(struct assistant *assistant, struct chat *chat)
{
	int64_t start = timestamp_clock();

	do {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		bool running = false;

		client_release(&assistant->client);
		if (client_connect(assistant->project.root, &assistant->client, &running,
			    &ignored) == 0 &&
			running && conversation_attach(&chat->conversation, &ignored) == 0)
			return true;
		poll(NULL, 0, RETURN_WAIT);
	} while (timestamp_clock() < start + RETURN_MS);
	return false;
}

static int chat_talk(struct assistant *assistant, struct chat *chat,
	struct chat_session *session, struct error *err)
{
	const struct line_editor_handlers handlers = {
		chat_heard, chat_prompt, chat_tick, chat_cleared, chat};
	int result;

	if (!session->unstored)
		session->unstored = json_array();
	chat->conversation.unstored = session->unstored;
	if (conversation_attach(&chat->conversation, err) < 0)
		return -1;
	chat->editor = line_editor_open(&handlers);
	result = open_terminal(chat, assistant, session, err);
	while (!result) {
		chat->working_since = 0;
		result = chat->editor ? talk_with_editor(chat, session, err)
				      : talk_plainly(chat, err);
		if (!result || err->errnum != ECONNRESET ||
			!chat_wait_for_host(assistant, chat))
			break;
		error_clear(err);
		result = 0;
	}
	line_editor_free(chat->editor);
	free(chat->prompt);
	return result;
}

int chat_run(
	struct cli *cli, const char *group, struct chat_session *session, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *texts = json_array();
	struct chat chat = {.cli = cli, .texts = texts, .lost = ERROR_INIT};
	int result = conversation_open(&assistant, group, &chat.conversation, err);

	if (!result && cli->interactive)
		result = chat_talk(&assistant, &chat, session, err);
	else if (!result)
		result = read_pipe(&assistant, &chat, err);
	conversation_release(&chat.conversation);
	error_release(&chat.lost);
	if (result)
		return -1;
	if (cli->json)
		output_json(json_build("success:b answers:O", !chat.error, texts));
	return chat.error && !cli->interactive ? EXIT_FAILED : EXIT_DONE;
}

static int run_chat(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(chat_session_release) struct chat_session session = CHAT_SESSION_INIT;

	return chat_run(cli, args->count ? args->words[0] : GROUP_MAIN, &session, err);
}

static const struct example examples[] = {
	{"nanoclaw chat", "talk to the main group's assistant; Ctrl-D ends"},
	{"echo hello | nanoclaw chat family", "one message and its answer"},
	{0},
};

COMMAND(chat) = {
	.name = "chat",
	.summary = "talk to the assistant on the terminal",
	.usage = "[<group>]",
	.description =
		"Name the group by its folder, JID or name; the default is 'main'. The last\n"
		"messages are shown first. 'quit' or Ctrl-D leaves, and '/help' lists the keys.\n"
		"\n"
		"If standard input is not a terminal, each line is a message, sent after the\n"
		"previous one is answered. The exit code is 1 if a message gets an error instead of\n"
		"an answer. The host must be running; 'nanoclaw start' starts one and opens a chat.",
	.section = SECTION_ASSISTANT,
	.first = 3,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_chat,
};
