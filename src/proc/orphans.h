/*
 * What a program leaves behind, in whatever process group.
 *
 *	orphans_adopt();
 *	... process_run() ...
 *	orphans_end();		all processes that came from it are killed
 *
 * For a process that has no other children.
 */
#ifndef PROC_ORPHANS_H
#define PROC_ORPHANS_H

void orphans_adopt(void);
void orphans_end(void);

#endif
