/*
 * Clean up before a signal ends the program.
 *
 *	interrupt_catch();
 *	while (!interrupt_pending())
 *		...
 *	remove what was made;
 *	interrupt_release();
 *
 * In between SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM only leave a note and
 * cut short what waits: fgets() gives NULL, a write into a closed pipe fails. What
 * was ignored before stays so. interrupt_release() puts everything back, and if a
 * signal came, the program ends of it there and then, as its parent expects.
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
