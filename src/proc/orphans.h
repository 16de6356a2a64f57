/*
 * Ends the processes that a program leaves behind, in any process group.
 *
 *	orphans_adopt();
 *	... process_run() ...
 *	orphans_end();		kills all processes that came from it
 *
 * For a process that has no other children.
 */
#ifndef PROC_ORPHANS_H
#define PROC_ORPHANS_H

void orphans_adopt(void);
void orphans_end(void);

#endif
