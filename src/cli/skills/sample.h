/*
 * The sample project, examples/postbox, as it was when the program was built.
 * tools/embed makes the table.
 */
#ifndef CLI_SKILLS_SAMPLE_H
#define CLI_SKILLS_SAMPLE_H

#include <stddef.h>
#include <sys/types.h>

struct sample_file {
	const char *path; /* relative */
	mode_t mode;
	const unsigned char *content;
	size_t len;
};

/* Ends with an empty one. */
extern const struct sample_file sample_files[];

#endif
