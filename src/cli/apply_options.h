/*
 * What all operations on skills have in common on the command line.
 */
#ifndef CLI_APPLY_OPTIONS_H
#define CLI_APPLY_OPTIONS_H

#include "cli/command.h"
#include "engine/session/session.h"

#define APPLY_OPTION_ON_DRIFT                                                                  \
	{                                                                                      \
		0, "on-drift", "record|continue|abort",                                        \
			"what to do about changes of yours that are not recorded"              \
	}

#define APPLY_OPTION_RESOLVER                                                                  \
	{                                                                                      \
		0, "resolver", "COMMAND",                                                      \
			"ask this command about conflicts first; 'claude' is Claude Code"      \
	}

/* `timeout` is the value of --test-timeout, or NULL: then NANOCLAW_TEST_TIMEOUT. */
int apply_options_read(const struct cli *cli, const char *timeout,
	struct apply_options *ret_options, struct error *err);

/* `value` is that of --resolver, or NULL: then NANOCLAW_RESOLVER, if it is set. */
void apply_options_resolver(const char *value, struct apply_options *options);

/* `value` is that of --on-drift, or NULL: then the person is asked. */
int apply_options_on_drift(const char *value, struct apply_options *options, struct error *err);

#endif
