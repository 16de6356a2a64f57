/*
 * Report our state to the service manager (sd_notify(3)): a datagram to the socket that
 * NOTIFY_SOCKET names, in the file system or, with '@', in the abstract namespace.
 *
 *	notify_send("READY=1")
 *
 * Without this variable nothing happens, and a manager that cannot be reached is not an
 * error. The protocol is this small, and stable, so no library is loaded.
 */
#ifndef PROC_NOTIFY_H
#define PROC_NOTIFY_H

#include <stdint.h>

void notify_send(const char *state);

/* How often the manager expects "WATCHDOG=1" from this process; 0: never. */
int64_t notify_watchdog_ms(void);

#endif
