/*
 * What all operations on skills have in common on the command line.
 */
#ifndef CLI_APPLY_OPTIONS_H
#define CLI_APPLY_OPTIONS_H

#include "cli/command.h"
#include "engine/session.h"

/* `timeout` is the value of --test-timeout, or NULL: then NANOCLAW_TEST_TIMEOUT. */
int apply_options_read(const struct cli *cli, const char *timeout,
	struct apply_options *ret_options, struct error *err);

#endif
