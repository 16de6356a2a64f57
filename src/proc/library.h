/*
 * A shared library that is loaded when it is first needed, not at start.
 *
 * For a large library that only some commands use: the others start faster, and
 * run where it is not installed. The caller keeps one pointer per function and
 * names both in a table that ends in an empty entry:
 *
 *	static CURLcode (*init)(long);
 *	static const struct library_symbol symbols[] = {
 *		{"curl_global_init", &init},
 *		{0},
 *	};
 *
 *	if (library_load("libcurl.so.4", symbols, err) < 0)
 *		return -1;
 *
 * All pointers are set, or none. The library stays loaded until the process ends.
 */
#ifndef PROC_LIBRARY_H
#define PROC_LIBRARY_H

#include "base/error.h"

struct library_symbol {
	const char *name;
	void *pointer; /* the address of a pointer to a function */
};

/* The error names the library, and its hint the Debian package that has it. */
int library_load(const char *soname, const struct library_symbol *symbols, struct error *err);

#endif
