/*
 * The host and a chat with it, together. Who ends what:
 *
 *	Ctrl-D, 'quit', the end of a	the chat ends, stops the host, and waits for it
 *	pipe
 *	SIGTERM, SIGHUP, SIGKILL,
 *	a closed terminal or pipe	the chat dies of it at once; the kernel tells the
 *					host, which stops by itself
 *	its host ends, or is killed	the chat says so, and is exit code 1
 *	the host of another chat ends	the chat starts one of its own
 *
 * Nothing is lost in any of these cases: what was said is stored when it is
 * acknowledged, and is answered when a host runs again.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builds/build_source.h"
#include "cli/chat/chat.h"
#include "cli/command.h"
#include "cli/prompt.h"
#include "cli/service/current_build.h"
#include "cli/service/serve.h"
#include "cli/service/welcome.h"
#include "proc/log.h"

/* One that does not answer is ERROR_BUSY. */
static int look_for_host(
	const struct assistant *assistant, bool *ret_running, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(client_release) struct client client = CLIENT_INIT;

	*ret_running = false;
	client.patience_ms = assistant->client.patience_ms;
	if (client_connect(assistant->project.root, &client, ret_running, &why) == 0 ||
		why.kind != ERROR_BUSY)
		return 0;
	error_set(err, ERROR_BUSY, "%s", why.message);
	return why.hint ? error_hint(err, "%s", why.hint) : -1;
}

/* Also one that does not answer is a host. */
static bool needs_host(const struct assistant *assistant)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool running;

	return look_for_host(assistant, &running, &ignored) == 0 && !running;
}

static int start_begin(struct cli *cli, struct assistant *assistant, bool stay,
	struct server *server, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool running;

	if (look_for_host(assistant, &running, err) < 0)
		return -1;
	if (running)
		return 0;
	if (cli->interactive && !cli->yes && welcome_is_due(assistant) &&
		welcome(cli, assistant, err) < 0)
		return -1;
	if (server_start(cli, assistant, stay, server, err) == 0)
		return 0;
	/* Another process was faster. */
	if (look_for_host(assistant, &running, &ignored) < 0 || !running)
		return -1;
	error_clear(err);
	return 0;
}

/* The folder above that has an assistant of this user, to be freed; NULL if there is none. */
static char *assistant_above(const struct project *project)
{
	CLEANUP(freep) char *above = xstrdup(project->path);
	char *slash;

	while ((slash = strrchr(above, '/'))) {
		CLEANUP(freep) char *store = NULL;
		struct stat st;

		*slash = '\0';
		store = xasprintf("%s/" STORE_FOLDER "/" STORE_FILE, above);
		if (stat(store, &st) == 0 && st.st_uid == geteuid())
			return *above ? TAKE(above) : xstrdup("/");
	}
	return NULL;
}

/* A first start creates folders: not in one of another assistant, nor in a project by mistake. */
static int start_check_place(
	const struct cli *cli, const struct project *project, struct error *err)
{
	CLEANUP(freep) char *question = NULL;
	CLEANUP(freep) char *above = NULL;

	if (faccessat(project->root, STORE_FOLDER "/" STORE_FILE, F_OK, 0) == 0)
		return 0;
	if (faccessat(project->root, ".nanoclaw", F_OK, 0) < 0)
		above = assistant_above(project);
	if (above) {
		error_set(err, ERROR_INVALID,
			"'%s' has no assistant, but is in the folder of one: '%s'",
			project->path, above);
		return error_hint(err,
			"'nanoclaw -C %s start' talks to it; 'nanoclaw init' makes this folder a "
			"project of its own",
			above);
	}
	if (faccessat(project->root, ".git", F_OK, 0) < 0 || build_source_is_own(project->root))
		return 0;
	question = xasprintf(
		"'%s' is a git project, and not a clone of NanoClaw; an assistant "
		"would create 'store', 'groups', 'data', 'container' and 'logs' in it.",
		project->path);
	return prompt_loss(cli, question, "create an assistant here", project->path,
		"start it in a folder of its own, or with '--yes'", err);
}

/* Before a host is started, and creates a store. */
static int check_group(const char *word, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (!strcmp(word, GROUP_MAIN))
		return 0;
	if (assistant_look(&assistant, err) < 0)
		return -1;
	return assistant_group(&assistant, word, &group, err);
}

static int run_start(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(chat_session_release) struct chat_session session = CHAT_SESSION_INIT;
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct server server = SERVER_INIT;
	const char *word = args->count ? args->words[0] : GROUP_MAIN;
	bool stay = arguments_flag(args, "stay");
	int result;

	if (check_group(word, err) < 0 || assistant_find_project(&assistant, err) < 0 ||
		start_check_place(cli, &assistant.project, err) < 0)
		return -1;
	current_build_enter(cli, &assistant.project,
		(const char *const[]){"start", word, stay ? "--stay" : NULL, NULL},
		needs_host(&assistant));
	if (assistant_read_settings(&assistant, err) < 0)
		return -1;
	for (;;) {
		if (start_begin(cli, &assistant, stay, &server, err) < 0)
			return -1;
		result = chat_run(cli, word, &session, err);
		/* A host that was found running may have been about to end, or ended since. */
		if (result >= 0 || server.pid ||
			(err->errnum != ECONNREFUSED &&
				!(err->errnum == ECONNRESET && cli->interactive)))
			break;
		if (err->errnum == ECONNRESET)
			log_note("the host of the other chat has ended; starting a new one");
		error_clear(err);
	}
	if (server.pid && stay)
		log_note("the host keeps running (pid %d); 'kill %d' stops it", server.pid,
			server.pid);
	server_stop(&server);
	return result;
}

static const struct option options[] = {
	{.name = "stay", .help = "leave the host running when the chat ends"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw start", "talk to the assistant; Ctrl-D ends both"},
	{"echo notes | nanoclaw start", "one message and its answer"},
	{0},
};

COMMAND(start) = {
	.name = "start",
	.summary = "start the assistant, and talk to it",
	.usage = "[<group>]",
	.description =
		"Starts the host and opens a chat, as 'nanoclaw chat' does. When the chat ends, for\n"
		"whatever reason, the host stops; it answers open messages the next time. If a host\n"
		"is already running, it is used and left running. The host logs to 'logs/host.log'.\n"
		"\n"
		"The first start on a terminal asks for the assistant's name and saves it as\n"
		"ASSISTANT_NAME in '.env'.",
	.section = SECTION_START,
	.first = 1,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_start,
};
