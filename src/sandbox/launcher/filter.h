/* The filters of system calls, which make_filter.c generates during the build. */
#ifndef SANDBOX_LAUNCHER_FILTER_H
#define SANDBOX_LAUNCHER_FILTER_H

#include <linux/filter.h>

extern const struct sock_filter filter_usual[];
extern const unsigned short filter_usual_len;

extern const struct sock_filter filter_strict[];
extern const unsigned short filter_strict_len;

#endif
