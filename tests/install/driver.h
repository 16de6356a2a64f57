/*
 * A project with one applied skill, and an operation that changes its dependencies.
 *
 * In the temporary folder, `project` is the project, and `bin` comes first in PATH, for
 * scripts that stand in for package managers. The test of the skill fails if there is a
 * file `test-fails` beside them.
 */
#ifndef INSTALL_DRIVER_H
#define INSTALL_DRIVER_H

#include "engine/session/session.h"
#include "tempdir.h"

#define MANIFEST_BEFORE "{\n  \"name\": \"sample\",\n  \"dependencies\": {}\n}\n"
#define MANIFEST_AFTER                                                                         \
	"{\n  \"name\": \"sample\",\n  \"dependencies\": {\n    \"is-number\": "               \
	"\"^7.0.0\"\n  }\n}\n"

struct driver {
	const struct tempdir *temp;
	struct project project;
	struct operation_options options;
	struct operation_result result; /* of the last operation */
};

/* Files are put into the project by driver_put() before driver_begin(). */
struct driver driver_new(const struct tempdir *temp);
void driver_put(const struct driver *driver, const char *name, const char *content);
char *driver_get(const struct driver *driver, const char *name);
bool driver_has(const struct driver *driver, const char *name);

/* A script of this name in `bin`. */
void driver_script(const struct driver *driver, const char *name, const char *text);

/* Apply the skill. */
void driver_begin(struct driver *driver);

/* The operation: a dependency on is-number ^7.0.0 in package.json. */
int driver_change(struct driver *driver, struct error *err);

/* Does a warning of the last operation have this text in it? */
bool driver_warned(const struct driver *driver, const char *text);

/* How many files are not as the state says. */
size_t driver_drift(const struct driver *driver);

void driver_release(struct driver *driver);

#endif
