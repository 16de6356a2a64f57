#include "cli/skills/apply.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/conflict/walk.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "cli/report/apply_output.h"
#include "engine/disk/command.h"
#include "veil/veil.h"

#define MAX_SECONDS 86400

static int read_on_drift(
	const struct arguments *args, enum on_drift *ret_meaning, struct error *err)
{
	static const struct {
		const char *word;
		enum on_drift meaning;
	} words[] = {
		{"abort", ON_DRIFT_ABORT},
		{"continue", ON_DRIFT_CONTINUE},
		{"record", ON_DRIFT_RECORD},
	};
	const char *value = arguments_value(args, "on-drift");

	if (!value)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(value, words[i].word)) {
			*ret_meaning = words[i].meaning;
			return 0;
		}
	return error_set(err, ERROR_INVALID,
		"'--on-drift' must be 'record', 'continue' or 'abort', not '%s'", value);
}

int operation_options_read(const struct cli *cli, const struct arguments *args,
	struct operation_options *ret_options, struct error *err)
{
	const char *ancestor = arguments_value(args, "ancestor");
	const char *test = arguments_value(args, "test");
	const char *allow = getenv("NANOCLAW_ALLOW_COMMANDS");
	const char *limit = arguments_value(args, "test-timeout");
	const char *resolver = arguments_value(args, "resolver");
	struct operation_options options = {
		.allow_commands = arguments_flag(args, "allow-commands") ||
				  (allow && !strcmp(allow, "1")),
		.allow_older_core = arguments_flag(args, "allow-older-core"),
		.allow_conflicts = arguments_flag(args, "allow-conflicts"),
		.ancestor_is_base = ancestor != NULL,
		.ask = prompt_for(cli),
		.dry_run = arguments_flag(args, "dry-run"),
		.flattened = arguments_flag(args, "flattened"),
		.live = isatty(STDOUT_FILENO) && !cli->json && !cli->quiet,
		.progress = cli->json || cli->quiet || cli->verbose ? NULL : output_progress,
		.no_install = arguments_flag(args, "no-install"),
		.no_test = arguments_flag(args, "no-test"),
		.test_seconds = DEFAULT_TEST_SECONDS,
		.test_new = test && !strcmp(test, "new"),
	};

	for (size_t i = 0; i < args->option_count; i++)
		if (args->options[i].option->name &&
			!strcmp(args->options[i].option->name, "pass-env") &&
			args->options[i].value &&
			veil_pass_env(args->options[i].value, err) < 0)
			return -1;
	if (!limit)
		limit = getenv("NANOCLAW_TEST_TIMEOUT");
	if (limit && *limit) {
		char *end;
		unsigned long seconds = strtoul(limit, &end, 10);

		if (*end || !seconds || seconds > MAX_SECONDS)
			return error_set(err, ERROR_INVALID,
				"the time limit for a test must be 1 to %d seconds, not '%s'",
				MAX_SECONDS, limit);
		options.test_seconds = (unsigned)seconds;
	}
	if (!resolver && arguments_takes(args, "resolver"))
		resolver = getenv("NANOCLAW_RESOLVER");
	options.resolver = resolver && *resolver ? resolver : NULL;
	if (read_on_drift(args, &options.on_drift, err) < 0)
		return -1;
	if (test && !options.test_new && strcmp(test, "all"))
		return error_set(
			err, ERROR_INVALID, "'--test' must be 'all' or 'new', not '%s'", test);
	if (ancestor && strcmp(ancestor, "base"))
		return error_set(err, ERROR_INVALID, "'--ancestor' must be 'base'");
	*ret_options = options;
	return 0;
}

int apply_end(const struct cli *cli, const struct project *project,
	const struct operation_options *options, const char *const *typed,
	const struct operation_result *result, struct error *err)
{
	int code = apply_output(cli, result, options->dry_run);

	if (code != EXIT_PAUSED)
		return code;
	return conflict_walk(
		&(struct conflict_walk){
			.cli = cli, .project = project, .options = options, .typed = typed},
		err);
}
