#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/assistant/conversation.h"
#include "cli/command.h"
#include "cli/output.h"
#include "util/json.h"
#include "util/view.h"

struct chat {
	const struct cli *cli;
	struct conversation conversation;
	json_t *texts;
	bool prompt; /* one stands on the terminal */
	bool error;  /* there was one instead of an answer */
};

static void hear(const struct heard *heard, void *data)
{
	struct chat *chat = data;
	CLEANUP(freep) char *shown = output_text(heard->text);

	if (!strcmp(heard->kind, "error"))
		chat->error = true;
	if (chat->cli->json) {
		json_array_append_new(chat->texts, json_text(view_of(heard->text)));
		return;
	}
	if (chat->prompt)
		printf("\r");
	if (chat->cli->interactive)
		printf("%s%s:%s %s\n", output_color(chat->cli, COLOR_CYAN),
			chat->conversation.name, output_color(chat->cli, COLOR_RESET), shown);
	else
		printf("%s\n", shown);
	if (chat->prompt)
		printf("> ");
	fflush(stdout);
}

/* --- a pipe: one message after the other ------------------------------------- */

static int say_and_wait(struct chat *chat, const char *text, struct error *err)
{
	int64_t seq;

	if (conversation_say(&chat->conversation, text, &seq, NULL, err) < 0)
		return -1;
	if (conversation_attach(&chat->conversation, err) < 0)
		return -1;
	return conversation_wait(&chat->conversation, seq, hear, chat, err);
}

static int read_pipe(struct place *place, struct chat *chat, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, stdin)) >= 0) {
		struct view text = view_trim((struct view){line, (size_t)len});
		CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);

		if (!text.len)
			continue;
		/* A line of its own for each: what comes back is only about this one. */
		client_release(&place->client);
		if (client_require(place->project.root, &place->client, err) < 0 ||
			say_and_wait(chat, copy, err) < 0)
			return -1;
	}
	return 0;
}

/* --- a terminal: whatever comes first ---------------------------------------- */

static int type_line(struct chat *chat, bool *ret_end, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len = getline(&line, &cap, stdin);
	struct view text;

	*ret_end = len < 0;
	if (len < 0)
		return 0;
	text = view_trim((struct view){line, (size_t)len});
	if (text.len) {
		CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);

		if (conversation_post(&chat->conversation, copy, NULL, err) < 0)
			return -1;
	}
	printf("> ");
	fflush(stdout);
	return 0;
}

static int talk(struct chat *chat, struct error *err)
{
	struct client *client = chat->conversation.client;
	bool end = false;

	printf("This is '%s'. Ctrl-D ends.\n> ", chat->conversation.folder);
	fflush(stdout);
	chat->prompt = true;
	setvbuf(stdin, NULL, _IONBF, 0); /* so that poll() knows what is there */
	while (!end) {
		struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {client->fd, POLLIN, 0}};

		if (!client_has_line(client) && poll(fds, 2, -1) < 0 && errno != EINTR)
			return error_errno(err, "cannot wait");
		if ((client_has_line(client) || fds[1].revents) &&
			conversation_listen(&chat->conversation, hear, chat, err) < 0)
			return -1;
		if (fds[0].revents && type_line(chat, &end, err) < 0)
			return -1;
	}
	printf("\n");
	return 0;
}

static int run_chat(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *texts = json_array();
	struct chat chat = {.cli = cli, .texts = texts};
	int result;

	result = conversation_open(
		&place, args->count ? args->words[0] : GROUP_MAIN, &chat.conversation, err);
	if (!result && cli->interactive)
		result = conversation_attach(&chat.conversation, err) < 0 ||
			 talk(&chat, err) < 0;
	else if (!result)
		result = read_pipe(&place, &chat, err);
	conversation_release(&chat.conversation);
	if (result)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", !chat.error, "answers", texts));
	return chat.error && !cli->interactive ? EXIT_FAILED : EXIT_DONE;
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
		"Name the group by its folder, JID or name; the default is 'main'. Answers that\n"
		"arrived earlier are shown first.\n"
		"\n"
		"If standard input is not a terminal, each line is a message, sent after the\n"
		"previous one is answered. The exit code is 1 if a message gets an error instead of\n"
		"an answer. The host must be running; 'nanoclaw start' starts one and opens a chat.",
	.section = SECTION_ASSISTANT,
	.first = 2,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_chat,
};
