/*
 * package.json as text and as JSON, and its four sections of dependencies.
 *
 *	struct npm_package package = NPM_PACKAGE_INIT;
 *
 *	if (npm_package_read("package.json", text, &package, err) < 0)
 *		return -1;
 *	… npm_spec_of(package.json, NPM_DEV, "vitest") …
 *	npm_package_write(package.json, &package.style, &out);
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_PACKAGE_H
#define ENGINE_STRUCTURED_NPM_NPM_PACKAGE_H

#include "util/json.h"

/* In npm's order: sections that it makes are put in this one. */
enum npm_section {
	NPM_DEPENDENCIES,
	NPM_OPTIONAL,
	NPM_DEV,
	NPM_PEER,
	NPM_SECTION_COUNT,
};

extern const char *const npm_section_names[NPM_SECTION_COUNT];

struct npm_package {
	json_t *json;            /* an object */
	struct json_style style; /* points into the text */
};

#define NPM_PACKAGE_INIT ((struct npm_package){0})

/*
 * No text is an empty object. ERROR_INVALID, with a hint, if it is not JSON, is no object,
 * or its `dependencies` are none. Another section that is no object is left alone.
 */
int npm_package_read(
	const char *name, struct view text, struct npm_package *ret_package, struct error *err);
void npm_package_release(struct npm_package *package);

/* Report something about the value that `keys` lead to (json_place.h); returns -1. */
int npm_package_error(const char *name, struct view text, const char *const *keys,
	struct error *err, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A section, or NULL if it is not there or no object. */
json_t *npm_section(json_t *package, enum npm_section section);

/* The specifier of a dependency in a section; NULL if it is not there or no plain string. */
const char *npm_spec_of(json_t *package, enum npm_section section, const char *name);

/* Whether `name` is in one of the sections from which npm installs: all but the peers. */
bool npm_installs(json_t *package, const char *name);

/* Set a specifier, in place or behind the others; the section is made if need be. */
void npm_set_spec(
	json_t *package, enum npm_section section, const char *name, const char *spec);
void npm_remove_spec(json_t *package, enum npm_section section, const char *name);

/* Put a member behind that of the key `after`: "" is the front; unknown is the end. */
void npm_insert_after(json_t **package, const char *after, const char *key, json_t *value);

/*
 * As npm writes it, but in any case so that json_style_detect() finds this style again,
 * which npm does not care about: "{\n}" would become "{}" and then "{\n  …".
 */
void npm_package_write(json_t *package, const struct json_style *style, struct buf *out);

bool npm_same_style(const struct json_style *a, const struct json_style *b);

#endif
