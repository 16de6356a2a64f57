/* Facts from the kernel about any process (/proc/PID/stat). */
#ifndef PROC_PROCESS_STAT_H
#define PROC_PROCESS_STAT_H

#include <stdint.h>
#include <sys/types.h>

/* 0 if there is no such process. */
pid_t process_parent(pid_t pid);

/*
 * In clock ticks since the machine started; 0 if there is no such process. execve() does not
 * change it, so together with the pid it identifies a process forever.
 */
uint64_t process_start_time(pid_t pid);

#endif
