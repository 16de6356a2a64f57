#include "cli/apply_options.h"

#include <stdlib.h>
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
