/* The files in src/web/pages, each compressed with gzip: tools/embed. */
#ifndef WEB_PAGES_H
#define WEB_PAGES_H

#include <stddef.h>
#include <sys/types.h>

struct page_file {
	const char *path;
	mode_t mode;
	const unsigned char *content;
	size_t len;
};

/* Ends with an empty one. */
extern const struct page_file page_files[];

#endif
