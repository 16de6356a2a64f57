/*
 * `npm_dependencies`: dependencies in package.json.
 *
 *	npm_spec.c	names and specifiers of dependencies
 *	npm_order.c	the order in which npm writes names
 *	npm_package.c	the file
 *	npm_declared.c	declarations of skills
 *	npm_verdict.c	the specifier to write for one dependency
 *	npm_render.c	own content and declarations → the file
 *	npm_strip.c	the file → its own content
 *	semver_*.c	ranges of versions (semver_range.h)
 *
 * The file is written as npm would write it: its layout, its order of names, no empty sections,
 * nothing twice that is optional. As with `npm install --save-prod`, a dependency that was one
 * for development or an optional one moves to `dependencies`, with a range that suits both; it
 * moves back when the skill goes. Not as npm:
 *  - An entry in `peerDependencies` stays there, and the dependency comes beside it: a skill
 *    does not change what other packages must provide.
 *  - One that is in both from the start keeps its range in `dependencies`; npm would write
 *    that of the peers there.
 *  - A file in which nothing has to change keeps its bytes.
 * `bundleDependencies`, `peerDependenciesMeta` and all else are left as they are.
 *
 * The record:
 *
 *	entries:	# each dependency of a skill
 *	  grammy: {written: ^1.39.3, own: {devDependencies: ^1.39.0}}
 *	repeated: {fsevents: ^2.3.0}	# was in `dependencies`, and is optional
 *	unwanted: [left-pad]
 *	made: true			# there was no member `dependencies`
 *	created: true			# there was no file
 *	sections:			# that are gone because they are empty
 *	- {name: devDependencies, after: scripts, empty: false}
 *	order: {dependencies: [b, a]}	# where it was not npm's
 *	style: {indent: "", newline: "\n"}	# where the file does not show it
 *
 * `written` is missing where a decision left the entry out; `own` is what the package had,
 * and where. Members that would be empty or false are left out.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_H
#define ENGINE_STRUCTURED_NPM_NPM_H

#include "engine/package/structured_format.h"
#include "format/json.h"

/* --- names and specifiers ---------------------------------------------------------------- */

/* Names by the rules of npm's validate-npm-package-name: "grammy", "@scope/name". */
enum npm_name_kind {
	NPM_NAME_GOOD,
	NPM_NAME_OLD,   /* allowed for existing packages, not for new ones */
	NPM_NAME_WRONG, /* npm refuses it */
};

/* `*ret_why` explains a bad name, as in "the name 'x' …"; NULL if it is good. */
enum npm_name_kind npm_name_check(const char *name, const char **ret_why);

/*
 * The specifier of a dependency. Only ranges can be combined: the versions that the other kinds
 * stand for are unknown before they are fetched, so two of these agree if they are the same
 * text. "*" agrees with everything.
 */
enum npm_spec_kind {
	NPM_SPEC_ANY,     /* "*", "", "x" */
	NPM_SPEC_RANGE,   /* "^1.2.0" */
	NPM_SPEC_TAG,     /* "latest" */
	NPM_SPEC_ADDRESS, /* "file:../a", "user/repo", "git+ssh://…", "npm:other@1" … */
	NPM_SPEC_WRONG,   /* npm refuses it */
};

enum npm_spec_kind npm_spec_kind(struct view spec);

/*
 * Append a specifier that satisfies all of them; their order does not matter. False, with
 * nothing appended, if there is none. It is "*" if `count` is 0.
 */
bool npm_specs_combine(const char *const *specs, size_t count, struct buf *ret_text);

/* Whether each version that `spec` allows is one that `other` allows. */
bool npm_spec_is_within(const char *spec, const char *other);

/* --- the order of names ------------------------------------------------------------------ */

/*
 * localeCompare(…, 'en'), which is ICU's collation. Punctuation comes first, then digits, then
 * letters; A comes after a, but only between names that are otherwise equal:
 *
 *	_ - ! . ' ( ) @ * / ~ 0 9 a A b B z
 *
 * All of ASCII is in the right order. npm accepts no other characters in names; they sort after
 * Z, by their bytes. Names that differ only in control characters are equal.
 */
int npm_compare(const char *a, const char *b);

/* As npm writes an object: sorted, but names that are indexes of an array ("7") come first. */
bool npm_is_sorted(json_t *object);
json_t *npm_sorted(json_t *object);

/* A new object with one more member: before the first that npm would put after it. */
json_t *npm_inserted(json_t *object, const char *key, json_t *value);

/* --- the file ---------------------------------------------------------------------------- */

/* Sections of dependencies, in the order in which npm adds them. */
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
 * Empty text is an empty object. ERROR_INVALID, with a hint, if it is not JSON, or if the file
 * or its `dependencies` are not an object. Another section that is not an object is ignored.
 */
int npm_package_parse(
	const char *name, struct view text, struct npm_package *ret_package, struct error *err);
void npm_package_release(struct npm_package *package);

/* Report something about the value that `keys` lead to (json_place.h); returns -1. */
int npm_package_error(const char *name, struct view text, const char *const *keys,
	struct error *err, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A section, or NULL if it is missing or not an object. */
json_t *npm_section(json_t *package, enum npm_section section);

/* The specifier of a dependency in a section; NULL if it is missing or not a plain string. */
const char *npm_spec_of(json_t *package, enum npm_section section, const char *name);

/* The specifier with which npm installs a dependency, or NULL. */
const char *npm_installed_spec(json_t *package, const char *name);

/* Whether `name` is in one of the sections from which npm installs: all but the peers. */
bool npm_installs(json_t *package, const char *name);

/* Set a specifier, in place or after the others; the section is made if need be. */
void npm_set_spec(
	json_t *package, enum npm_section section, const char *name, const char *spec);
void npm_remove_spec(json_t *package, enum npm_section section, const char *name);

/* As json_object_set(), and out of memory is the end. */
void npm_set_member(json_t *object, const char *key, json_t *value);

/*
 * As npm writes it, but in any case so that json_style_detect() finds this style again,
 * which npm does not care about: "{\n}" would become "{}" and then "{\n  …".
 */
void npm_package_write(json_t *package, const struct json_style *style, struct buf *out);

bool npm_same_style(const struct json_style *a, const struct json_style *b);

/* --- declarations ------------------------------------------------------------------------ */

/*
 * A manifest declares a mapping of names and ranges, or, as old packages do, a list of names,
 * of "name@range", or of mappings. A name without a range has "*".
 *
 *	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
 *	struct npm_wish wish = {0};
 *
 *	npm_claims_read(contributions, count, &claims);
 *	while (npm_claims_next(&claims, &wish))
 *		… the claims of all skills on one dependency
 */
struct npm_claim {
	char *name;
	const char *skill;
	const char *spec;              /* NULL, for the check: not a string */
	const struct yaml_node *value; /* the place of the specifier, */
	struct yaml_place at;          /* and the place of the name */
};

/* Sorted by name, then by skill; of each pair there is one. */
struct npm_claims {
	struct npm_claim *list;
	size_t count;
	size_t cap;
};

#define NPM_CLAIMS_INIT ((struct npm_claims){0})

/* A specifier that is not a string is left out: npm_check() reports it. */
void npm_claims_read(
	const struct contribution *contributions, size_t count, struct npm_claims *ret_claims);
void npm_claims_release(struct npm_claims *claims);

/* All claims on one name. */
struct npm_wish {
	const char *name;
	const struct npm_claim *claims;
	size_t count;
};

/* The first wish, or the one after `wish`; false at the end. */
bool npm_claims_next(const struct npm_claims *claims, struct npm_wish *wish);

/* Combine the claims, and `own` unless it is NULL, as npm_specs_combine() does. */
bool npm_wish_combine(const struct npm_wish *wish, const char *own, struct buf *ret_text);

/* --- the format -------------------------------------------------------------------------- */

/*
 * The specifier to write for one dependency: the package's own and those of skills combined, or
 * else a clash, and perhaps a decision about it.
 *
 *  - The package's own is its entry in `optionalDependencies`, `dependencies` or
 *    `devDependencies` (of several npm takes the first of these), narrowed by the one in
 *    `peerDependencies` unless the two contradict each other already.
 *  - Where the package pins a version for the whole tree, in `overrides` of npm and bun,
 *    `pnpm.overrides` or `resolutions` of yarn, the pin counts as the package's own:
 *    npm refuses a direct dependency with another specifier, and the other managers take the
 *    pinned one in any case. Where skills agree with it, the entry of the package stays as it
 *    is, and a new one gets the pinned text.
 *  - A skill that wants "*" has no part in a clash.
 */
struct npm_verdict {
	bool unwanted;         /* a person removed it */
	char *spec;            /* for `dependencies`; NULL: only the peers keep it */
	const char *own;       /* the package's own specifier, or NULL */
	const char *pinned_by; /* "overrides", or NULL */
};

#define NPM_VERDICT_INIT ((struct npm_verdict){0})

/* `package` is the own content. A clash that no decision resolves is added to the output. */
int npm_verdict(const struct structured_input *input, json_t *package,
	const struct npm_wish *wish, struct structured_output *output,
	struct npm_verdict *ret_verdict, struct error *err);
void npm_verdict_release(struct npm_verdict *verdict);

/*
 * A dependency may contradict a skill, if a person decided so. But it must not allow more than
 * the skills that it agrees with: npm could install a version that one of them cannot use.
 */
void npm_find_problems(const char *name, struct view text,
	const struct contribution *contributions, size_t count,
	struct string_array *ret_problems);

void npm_check(const struct yaml_node *declared, struct faults *faults);
int npm_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

#endif
