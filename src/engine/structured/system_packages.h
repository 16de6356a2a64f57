/*
 * system-packages.txt: the packages of the distribution that a project needs, one name
 * per line. Other lines, and text after a name, are for people.
 */
#ifndef ENGINE_STRUCTURED_SYSTEM_PACKAGES_H
#define ENGINE_STRUCTURED_SYSTEM_PACKAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

#define SYSTEM_PACKAGES_FILE "system-packages.txt"
#define SYSTEM_PACKAGES_TOOL                                                                   \
	"tools/install-packages" /* what installs them, in trees that have it */
#define SYSTEM_PACKAGES_MAX_SIZE ((size_t)1024 * 1024)

/* As Debian names packages: lower case letters, digits and "+.-"; two characters or more. */
bool system_package_is_valid(struct view name);

/* The name in a line, with or without its line end; "" if it has none. */
struct view system_package_of_line(struct view line);

/*
 * All names in a text, each once, sorted. They point into the text; the caller frees the list.
 */
size_t system_packages_read(struct view text, struct view **ret_names);

#endif
