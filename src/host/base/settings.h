/*
 * Settings: from the environment, else from the file .env in the project.
 *
 *	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
 *
 *	if (settings_read(root, &settings, err) < 0)
 *		return -1;
 *	name = settings_get(&settings, "ASSISTANT_NAME");
 *
 * .env has lines NAME=value. A value in single or double quotes can have several lines; `#`
 * begins a comment; `export ` before a name is accepted. The file is read once and never
 * exported to the environment: each program gets only the settings that it needs.
 */
#ifndef HOST_BASE_SETTINGS_H
#define HOST_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define SETTINGS_MAX ((size_t)256 * 1024) /* of the file */

struct setting {
	char *name;
	char *value;
};

struct settings {
	struct setting *list;
	size_t count;
	size_t cap;
};

#define SETTINGS_INIT ((struct settings){0})

/* Without the file there are no settings. */
int settings_read(int root, struct settings *ret_settings, struct error *err);
void settings_release(struct settings *settings);

/* For tests, and settings_read(): `name` is for the message. */
int settings_parse(
	struct view text, const char *name, struct settings *ret_settings, struct error *err);

/* NULL if it is not set, or empty. */
const char *settings_get(const struct settings *settings, const char *name);

/* The line that counts for this name, even if it is empty; or NULL. */
const struct setting *settings_find(const struct settings *settings, const char *name);

/*
 * Is it no secret, and harmless for another installation? Only what is known to be: names and words
 * of ours, and numbers with a unit. A command line, an address or a setting of a skill may hold a key.
 * Those that choose the model are so only together: without a withheld address, prompts would go to
 * somebody else.
 */
bool settings_is_plain(const struct settings *settings, const struct setting *setting);

/* The same, but only from the file. */
const char *settings_in_file(const struct settings *settings, const char *name);

/* Remove the values of credentials (gate/credentials.h), which only few parts may see.
 */
void settings_forget_credentials(struct settings *settings);

/*
 * For a host that starts. A .env that others may write is ERROR_INVALID; one with a key in it
 * that others may read gives a warning.
 */
int settings_check_file(int root, const struct settings *settings, struct error *err);

/* A line of .env; false if the value has both kinds of quotes. */
bool settings_write(struct buf *out, const char *name, const char *value);

struct new_setting {
	const char *name;
	const char *value; /* NULL: it has none */
};

/*
 * Set NAME=value in .env, in the existing line or in a new one at the end; the other lines stay.
 * All of them are written at once. Only the owner can read the file afterwards. ERROR_INVALID if any
 * other setting would change, as after quotes that are not closed.
 */
int settings_set(int root, const struct new_setting *settings, size_t count, struct error *err);

/*
 * Add the plain settings in the .env of the folder `from` whose names ours does not have; those that
 * choose the model only if ours has none of these.
 */
int settings_add_missing(int root, int from, struct error *err);

/* A whole number within these bounds; ERROR_INVALID if the setting is anything else. */
int settings_number(const struct settings *settings, const char *name, int64_t least,
	int64_t most, int64_t otherwise, int64_t *ret_number, struct error *err);

/* ASSISTANT_NAME, or "Andy". */
const char *settings_assistant(const struct settings *settings);

/* Certificates to trust: NANOCLAW_CA_FILE, else SSL_CERT_FILE of the environment, or NULL. */
const char *settings_ca_file(const struct settings *settings);

#endif
