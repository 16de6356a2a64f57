/*
 * A process without one system call, as in containers whose filter forbids it.
 * Cannot be undone: call it in a child.
 */
#ifndef HARNESS_FORBID_H
#define HARNESS_FORBID_H

/* From here on `number` (SYS_openat2) fails with `errnum`. */
void forbid_call(unsigned number, unsigned errnum);

#endif
