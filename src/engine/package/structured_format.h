/*
 * Files to which skills contribute entries instead of text to be merged: package.json,
 * .env.example, the compose file, the list of system packages.
 *
 * Such a file has its own content, from the core and the person, and the contributions of each
 * applied skill. A format has two pure functions on text:
 *
 *	render	own content and contributions → the file
 *	strip	the file → its own content
 *
 *  S1. render() depends on the set of contributions, not on their order: they come
 *	sorted by skill.
 *  S2. render() without contributions is the own content, to the byte.
 *  S3. strip() of the output of render(), with its record, and render() again, gives the
 *	same file. The own content may differ in some bytes (an indentation may be lost);
 *	if nobody has edited the file, the caller has kept the bytes.
 *  S4. strip() removes only entries that are still as render() wrote them. An entry that
 *	a person has edited is theirs, and one that they removed is recorded as unwanted:
 *	render() leaves it out and warns.
 *  S5. Layout, comments, order and line ends of the own content are kept.
 *
 * structured.h explains who calls what.
 */
#ifndef ENGINE_PACKAGE_STRUCTURED_FORMAT_H
#define ENGINE_PACKAGE_STRUCTURED_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"
#include "engine/package/faults.h"
#include "format/yaml_build.h"

#define STRUCTURED_MAX_FILE ((size_t)4 * 1024 * 1024)

/* The contribution of one skill to the file. */
struct contribution {
	const char *skill;
	const struct yaml_node *declared; /* the member of `structured` in its manifest */
};

/*
 * Different claims about one entry that only a person can decide. `key` names the clash in
 * the decisions: short, stable, unique in the file ("grammy", "redis:6380/tcp").
 */
struct claim {
	char *who;  /* the skill; "" is the file's own content */
	char *what; /* "^1.39.3" */
};

struct clash {
	char *key;
	char *about; /* a sentence for people, with every who and what; NULL: another's */
	struct claim *claims; /* sorted by who; at least one */
	size_t claim_count;
	size_t claim_cap;
};

struct clash_list {
	struct clash *list; /* sorted by key */
	size_t count;
	size_t cap;
};

/* How render() writes a clash that no decision resolves. */
enum clash_side {
	CLASH_NEITHER, /* leave the entry out */
	CLASH_FIRST,   /* as in the file; else the first claim */
	CLASH_LAST,    /* the version of the asking skill, or the last one that differs */
};

struct structured_input {
	const char *name; /* of the file, for messages */
	struct view own;  /* "" if there is no file */
	const struct contribution *contributions;
	size_t contribution_count;
	/*
	 * Decisions: a mapping from the key of a clash to {claims: {who: what}, value}.
	 * A decision counts if its claims are those of the clash. May be NULL.
	 */
	const struct yaml_node *decisions;
	/* Unwanted entries, as strip() recorded them; or NULL. */
	const struct yaml_node *unwanted;
	/* For a clash: */
	enum clash_side side;
	struct view file;   /* the current file, with the entries of skills; may be empty */
	const char *asking; /* the skill that is being applied or updated; or NULL */
};

struct structured_output {
	struct buf text;
	struct yaml_node *record;  /* for strip(); never NULL */
	struct yaml_node *outcome; /* for people and programs: docs/structured.md */
	struct clash_list clashes; /* without a decision */
	struct buf says;           /* what this side of them means: " (queue on 6380)", or "" */
	struct string_array warnings;
};

#define STRUCTURED_OUTPUT_INIT ((struct structured_output){.text = BUF_INIT, .says = BUF_INIT})

struct structured_format {
	const char *member; /* "npm_dependencies" */

	/* The usual names of the file; the first that exists is used. */
	const char *const *names; /* ends in NULL */
	const char *made_as;      /* the name of a new file; NULL: the first of `names` */

	/* Check a skill's declaration. Faults go to `faults` with their place. */
	void (*check)(const struct yaml_node *declared, struct faults *faults);

	/*
	 * Nodes of the output are made in `doc`, which the caller releases, also after a
	 * failure. ERROR_INVALID with the place if the own content cannot be parsed.
	 */
	int (*render)(const struct structured_input *input, struct yaml_doc *doc,
		struct structured_output *ret_output, struct error *err);

	/*
	 * `record` is from the last render() of the file. If it is NULL, because v0.1 wrote
	 * the file, entries that are exactly as declared count as contributions.
	 * `*ret_unwanted` is a node in `doc`, or NULL.
	 */
	int (*strip)(const char *name, struct view text, const struct yaml_node *record,
		const struct contribution *contributions, size_t count, struct yaml_doc *doc,
		struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

	/*
	 * After a person or a resolver has resolved a clash in the file: the `value` of the
	 * decision, in `doc`; NULL if they left the entry out. The function is NULL if the
	 * format has no clashes.
	 */
	int (*resolved)(const char *name, struct view text, const struct clash *clash,
		struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err);

	/*
	 * Find contradictions in the file, each as a sentence for people. May be NULL.
	 */
	void (*find_problems)(const char *name, struct view text,
		const struct contribution *contributions, size_t count,
		struct string_array *ret_problems);
};

extern const struct structured_format structured_compose;
extern const struct structured_format structured_env;
extern const struct structured_format structured_npm;
extern const struct structured_format structured_system;

/* All of them; a NULL ends the list. */
extern const struct structured_format *const structured_formats[];

/* The format of a file by its name; NULL if it is an ordinary file. */
const struct structured_format *structured_format_of(const char *path);

void structured_output_release(struct structured_output *output);
void structured_warn(struct structured_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Find or add the clash with this key, and add a claim to it. Both lists stay sorted. */
struct clash *clash_list_add(struct clash_list *clashes, const char *key);
void clash_add_claim(struct clash *clash, const char *who, const char *what);
void clash_list_release(struct clash_list *clashes);

/*
 * A format collects the claims of a clash in its own list. If a decision resolves the clash,
 * `*ret_value` is its text, or NULL for "leave the entry out". Otherwise the format writes the
 * side that the input asks for, and reports the clash:
 *
 *	CLEANUP(clash_list_release) struct clash_list own = {0};
 *	struct clash *clash = clash_list_add(&own, key);
 *
 *	clash_add_claim(clash, skill, wanted); …
 *	if (!clash_is_decided(clash, input, &value)) {
 *		value = clash_side_text(clash, input, there);
 *		clash_report(clash, output);
 *	}
 */
bool clash_is_decided(const struct clash *clash, const struct structured_input *input,
	const char **ret_value);

/* Move the claims to the output; the texts stay where they are in memory. */
void clash_report(struct clash *clash, struct structured_output *output);

/*
 * The text of a side, for formats whose claims are texts to write; NULL: leave the entry out.
 * `there` is the text in the file, or NULL. The sides differ if any claims do.
 */
const char *clash_side_text(
	const struct clash *clash, const struct structured_input *input, const char *there);

/*
 * An earlier decision about other claims, or NULL. A person chose it, so it is the first side
 * if the file has no such entry.
 */
const char *clash_former_decision(
	const struct clash *clash, const struct structured_input *input);

#endif
