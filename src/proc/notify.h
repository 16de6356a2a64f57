/*
 * Tell the service manager how we are (sd_notify(3)): a datagram to the socket that
 * NOTIFY_SOCKET names, in the file system or, with '@', in the abstract namespace.
 *
 *	notify_tell("READY=1")
 *
 * Where there is no such variable nothing happens, and a manager that cannot be told is
 * no reason to fail. The protocol is this small, and stable, so no library is loaded.
 */
#ifndef PROC_NOTIFY_H
#define PROC_NOTIFY_H

#include <stdint.h>

void notify_tell(const char *state);

/* How often the manager wants to hear "WATCHDOG=1" from this process; 0: never. */
int64_t notify_watchdog_ms(void);

#endif
