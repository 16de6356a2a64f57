/*
 * Functions that have no safe use here. Including this header turns a call into a compile
 * error. The build includes it in every file (see meson.build).
 *
 * Calls that change the file system are not listed: tests/layers/check.sh allows them in sys.c
 * only.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

/* The headers that declare the banned functions must come first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name) banned_##name##_see_src_base_banned_h

#undef strcpy
#define strcpy(d, s) BANNED(strcpy)
#undef strcat
#define strcat(d, s) BANNED(strcat)
#undef strncpy
#define strncpy(d, s, n) BANNED(strncpy)
#undef strncat
#define strncat(d, s, n) BANNED(strncat)
#undef strtok
#define strtok(s, d) BANNED(strtok)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef gets
#define gets(s) BANNED(gets)
#undef atoi
#define atoi(s) BANNED(atoi)
#undef atol
#define atol(s) BANNED(atol)
#undef gmtime
#define gmtime(t) BANNED(gmtime)
#undef localtime
#define localtime(t) BANNED(localtime)
#undef ctime
#define ctime(t) BANNED(ctime)
#undef asctime
#define asctime(t) BANNED(asctime)
#undef mktemp
#define mktemp(t) BANNED(mktemp)
#undef tmpnam
#define tmpnam(t) BANNED(tmpnam)
#undef system
#define system(c) BANNED(system)
#undef popen
#define popen(c, m) BANNED(popen)

#endif
