#include "cli/chat/send.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/chat/conversation.h"
#include "cli/output.h"
#include "format/json.h"
#include "fs/file.h"
#include "proc/log.h"

#define MAX_MESSAGE ((size_t)256 * 1024)

struct answers {
	const struct cli *cli;
	int64_t seq;
	json_t *texts;
	bool error;
};

/*
 * An answer to an earlier message must neither be lost nor be taken for the answer to this one.
 */
static void send_hear(const struct heard *heard, void *data)
{
	struct answers *answers = data;
	CLEANUP(freep) char *shown = output_text(heard->text);

	if (heard->upto < answers->seq) {
		log_note("(earlier) %s", shown);
		return;
	}
	if (!strcmp(heard->kind, "error"))
		answers->error = true;
	json_add_text(answers->texts, heard->text);
	if (!answers->cli->json)
		printf("%s\n", shown);
	fflush(stdout);
}

int send_text(
	struct cli *cli, const char *group, const char *text, bool wait, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(conversation_release) struct conversation conversation = {0};
	CLEANUP(json_decrefp) json_t *texts = json_array();
	CLEANUP(freep) char *id = NULL;
	struct answers answers = {.cli = cli, .texts = texts};

	if (!*text) {
		error_set(err, ERROR_INVALID, "the message is empty");
		return error_hint(
			err, "'nanoclaw send GROUP TEXT', as in 'nanoclaw send main hello'");
	}
	if (conversation_open(&assistant, group, &conversation, err) < 0 ||
		conversation_say(&conversation, text, &answers.seq, &id, err) < 0)
		return -1;
	if (wait && (conversation_attach(&conversation, err) < 0 ||
			    conversation_wait(
				    &conversation, answers.seq, send_hear, &answers, err) < 0))
		return -1;
	if (cli->json)
		output_json(json_build("success:b group:s message:s answers:O", !answers.error,
			conversation.folder, id, texts));
	else if (!wait)
		log_note("sent as '%s'; 'nanoclaw chat %s' shows the answer", id,
			conversation.folder);
	return answers.error ? EXIT_FAILED : EXIT_DONE;
}

static int run_send(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(buf_release) struct buf typed = BUF_INIT;
	const char *text = args->words[1];

	if (args->count < 2) {
		if (isatty(STDIN_FILENO))
			return send_text(cli, args->words[0], "", false, err);
		if (file_read_fd(STDIN_FILENO, "standard input", MAX_MESSAGE, &typed, err) < 0)
			return -1;
		if (typed.len && typed.data[typed.len - 1] == '\n')
			buf_set_len(&typed, typed.len - 1);
		text = typed.data;
	}
	return send_text(cli, args->words[0], text, arguments_flag(args, "wait"), err);
}

static const struct option options[] = {
	{0, "wait", NULL, "wait for the answer and print it"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw send main 'what is the time?' --wait", "prints the answer"},
	{0},
};

COMMAND(send) = {
	.name = "send",
	.summary = "send a message to a group's assistant",
	.usage = "<group> [<text>]",
	.description =
		"Name the group by its folder, JID or name. The message goes to the assistant, not\n"
		"to the people in the group. The answer comes to the terminal: with '--wait', or in\n"
		"the next 'nanoclaw chat'. Without a text, the message is read from standard input.\n"
		"The host must be running.\n"
		"\n"
		"With '--wait', the exit code is 1 if the message gets an error instead of an\n"
		"answer.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 2,
	.completes = {COMPLETE_GROUPS, COMPLETE_TEXT},
	.run = run_send,
};
