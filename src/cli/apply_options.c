#include "cli/apply_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/prompt.h"

#define MAX_SECONDS 86400

int apply_options_read(const struct cli *cli, const char *timeout,
	struct apply_options *ret_options, struct error *err)
{
	unsigned long seconds = DEFAULT_TEST_SECONDS;
	char *end;

	if (!timeout)
		timeout = getenv("NANOCLAW_TEST_TIMEOUT");
	if (timeout && *timeout) {
		seconds = strtoul(timeout, &end, 10);
		if (*end || !seconds || seconds > MAX_SECONDS)
			return error_set(err, ERROR_INVALID,
				"a test may take from 1 to %d seconds, not '%s'", MAX_SECONDS,
				timeout);
	}
	*ret_options = (struct apply_options){
		.live = isatty(STDOUT_FILENO) && !cli->json && !cli->quiet,
		.test_seconds = (unsigned)seconds,
		.ask = prompt_for(cli),
	};
	return 0;
}

void apply_options_resolver(const char *value, struct apply_options *options)
{
	if (!value)
		value = getenv("NANOCLAW_RESOLVER");
	options->resolver = value && *value ? value : NULL;
}

int apply_options_on_drift(const char *value, struct apply_options *options, struct error *err)
{
	static const struct {
		const char *word;
		enum on_drift meaning;
	} words[] = {
		{"abort", ON_DRIFT_ABORT},
		{"continue", ON_DRIFT_CONTINUE},
		{"record", ON_DRIFT_RECORD},
	};

	for (size_t i = 0; value && i < ARRAY_SIZE(words); i++)
		if (!strcmp(value, words[i].word)) {
			options->on_drift = words[i].meaning;
			return 0;
		}
	if (!value)
		return 0;
	return error_set(err, ERROR_INVALID,
		"'--on-drift' can be 'record', 'continue' or 'abort', not '%s'", value);
}
