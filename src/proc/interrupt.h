/*
 * Clean up before a signal ends the program.
 *
 *	interrupt_catch();
 *	while (!interrupt_pending())
 *		...
 *	remove temporary files;
 *	interrupt_release();
 *
 * In between, SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM only set a flag and interrupt
 * blocking calls: fgets() returns NULL, a write to a closed pipe fails. A signal that was
 * ignored stays ignored. interrupt_release() restores everything and, if a signal arrived, lets
 * it end the program, as the parent process expects.
 *
 * To be used from the only thread of a process, and not nested.
 */
#ifndef PROC_INTERRUPT_H
#define PROC_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupt_pending(void);
void interrupt_release(void);

#endif
