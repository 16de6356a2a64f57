/*
 * Clean up before a signal ends the program.
 *
 *	interrupt_catch();
 *	while (!interrupt_pending())
 *		...
 *	remove temporary files;
 *	interrupt_release();
 *
 * In between SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM only leave a note and
 * interrupt waiting calls: fgets() gives NULL, a write into a closed pipe fails. A
 * signal that was ignored stays ignored. interrupt_release() restores everything, and
 * if a signal came, it ends the program then, as the parent process expects.
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
