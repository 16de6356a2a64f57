#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channels/bridge/config.h"
#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "proc/child.h"

static const char *login_setting(void *settings, const char *name)
{
	return settings_get(settings, name);
}

/* The program takes the place of this one, and has the terminal. */
static int run_channel_login(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(bridge_config_release) struct bridge_config config = {0};
	CLEANUP(child_free_argv) char **env = NULL;
	CLEANUP(child_free_argv) char **argv = NULL;
	const char *name = args->words[0];
	size_t count = 0;

	if (cli->json)
		return error_set(err, ERROR_INVALID,
			"'channel login' is interactive and has no '--json'");
	if (assistant_find(&assistant, err) < 0 ||
		bridge_config_find(assistant.project.root, name, &config, err) < 0)
		return -1;
	if (!config.login[0])
		return error_set(err, ERROR_INVALID,
			"the bridge '%s' has no login: its settings are in '.env'", name);
	while (config.login[count])
		count++;
	argv = xcalloc(count + args->count, sizeof(*argv));
	for (size_t i = 0; i < count + args->count - 1; i++)
		argv[i] = xstrdup(i < count ? config.login[i] : args->words[i - count + 1]);
	env = bridge_environment(&config, login_setting, &assistant.settings);
	fflush(stdout);
	if (fchdir(assistant.project.root) == 0)
		execvpe(argv[0], argv, env);
	return error_set(
		err, ERROR_FAILED, "cannot run '%s': %s", config.login[0], strerror(errno));
}

static const struct example examples[] = {
	{"nanoclaw channel login whatsapp", "shows a QR code for the phone"},
	{"nanoclaw channel login whatsapp -- --phone +4915112345678",
		"shows a code to type on the phone"},
	{0},
};

COMMAND(channel_login) = {
	.name = "channel login",
	.summary = "log in to a chat platform on this terminal",
	.usage = "<name> [-- <argument>...]",
	.description =
		"Runs the program that 'login' in bridges/NAME.json names, with the settings of\n"
		"the bridge and the arguments after '--', and ends with its exit code. The host may\n"
		"run meanwhile.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = {COMPLETE_CHANNELS},
	.run = run_channel_login,
};

static void complete_channels(struct completion *completion)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(bridge_configs_release) struct bridge_configs configs = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (project_open(&project, &ignored) < 0)
		return;
	bridge_configs_read(project.root, &configs, &ignored);
	for (size_t i = 0; i < configs.count; i++)
		completion_add(completion, configs.list[i].name,
			configs.list[i].argv ? configs.list[i].argv[0] : NULL);
}

COMPLETER(COMPLETE_CHANNELS, complete_channels);
