/*
 * The files that `nanoclaw channel new` writes, a folder for each language. They are in
 * cli/channel/templates; tools/embed makes the table. "@NAME@" in them is the bridge's name.
 */
#ifndef CLI_CHANNEL_TEMPLATES_H
#define CLI_CHANNEL_TEMPLATES_H

#include <stddef.h>
#include <sys/types.h>

struct bridge_template {
	const char *path; /* "python/bridge.py" */
	mode_t mode;
	const unsigned char *content;
	size_t len;
};

/* Ends with an empty one. */
extern const struct bridge_template bridge_templates[];

#endif
