/* The filters of system calls, as make_filter.c has made them when this was built. */
#ifndef SANDBOX_LAUNCHER_FILTER_H
#define SANDBOX_LAUNCHER_FILTER_H

#include <linux/filter.h>

extern const struct sock_filter filter_usual[];
extern const unsigned short filter_usual_len;

extern const struct sock_filter filter_strict[];
extern const unsigned short filter_strict_len;

#endif
