/*
 * Times for the person who reads: in the zone of the setting TZ, else on the clock of this machine, to
 * the millisecond.
 */
#ifndef CLI_ASSISTANT_LOCAL_TIME_H
#define CLI_ASSISTANT_LOCAL_TIME_H

#define LOCAL_TIME_SIZE sizeof("2026-11-17 09:30:00.123")
#define LOCAL_SECONDS   19 /* its length without the milliseconds */

/* Once the settings are read; `tz` may be NULL, or wrong. */
void local_time_use(const char *tz);
const char *local_time_zone(void);

/* `utc` is in the format of time/timestamp.h; any other text is only cut to the size. */
void local_time(const char *utc, char ret_text[static LOCAL_TIME_SIZE]);

#endif
