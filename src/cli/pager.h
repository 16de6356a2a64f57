/*
 * Long output on a terminal goes through a pager: $PAGER, or less, which leaves text alone
 * that fits on the screen. Without a terminal, or with PAGER=cat, nothing changes.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include "cli/command.h"

/* Before the first output. */
void pager_start(const struct cli *cli);
bool pager_is_running(void);

/* After the last output: wait until the person has left the pager. */
void pager_wait(void);

#endif
