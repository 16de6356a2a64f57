/*
 * `docker_compose_services`: services of skills in the compose file of the project.
 *
 *	compose_file.c		where things are in the text of such a file
 *	compose_service.c	what a service declares and uses
 *	compose_ports.c		its ports (compose_ports.h)
 *	compose_plan.c		the entries of the file, and their clashes
 *	compose_plan_ports.c	which service has which port of the host
 *	compose_write.c		the text of an entry
 *	compose_render.c	own content and plan → the file
 *	compose_strip.c		the file → its own content
 *
 * The record:
 *
 *	services:		and volumes, networks, by name
 *	  redis:
 *	    text: |		as it was written, lines ending in LF
 *	    was: |		the own text that had to make room for it, if any
 *	    own: true		a volume or network that own services use, too
 *	made:			sections that were missing, with the text written for them
 *	  volumes: "\nvolumes:\n"
 *	instead:		sections that had an empty value, and how that was spelled
 *	  services: " {}"
 *	newline: true		the last line had no line end
 *	unwanted:		entries that a person removed or edited
 *	  services: [redis]
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_H

#include "engine/package/structured_format.h"

/* --- the file ---------------------------------------------------------------------------- */

enum compose_kind {
	COMPOSE_SERVICES,
	COMPOSE_VOLUMES,
	COMPOSE_NETWORKS,
	COMPOSE_KINDS,
};

extern const char *const compose_kind_names[COMPOSE_KINDS]; /* "services", … */

enum section_style {
	SECTION_MISSING,
	SECTION_EMPTY, /* a key without a value, or with a null */
	SECTION_BLOCK,
	SECTION_FLOW,  /* in braces */
	SECTION_ALIAS, /* nothing can be put there */
};

struct compose_section {
	const char *name; /* "services" */
	enum section_style style;
	const struct yaml_entry *entry; /* in the root; NULL if it is missing */
	const struct yaml_node *value;  /* a mapping, or NULL */
};

struct compose_edit {
	size_t at;
	size_t len;       /* of the text that is taken out */
	const char *text; /* that is put in its place */
};

/* The file points into its text. */
struct compose_file {
	struct view text;
	struct yaml_doc *doc;
	const struct yaml_node *root; /* a mapping, or NULL in a file without content */
	size_t indent;                /* of its keys */
	size_t step;                  /* of each level in the file */
	const char *newline;
	struct compose_section sections[COMPOSE_KINDS];
	struct compose_edit *edits; /* sorted by place */
	size_t edit_count;
	size_t edit_cap;
};

#define COMPOSE_FILE_INIT ((struct compose_file){0})

/* ERROR_INVALID, with the place, if it is not YAML or not a compose file. */
int compose_file_parse(
	struct view text, const char *name, struct compose_file *ret_file, struct error *err);
void compose_file_release(struct compose_file *file);

/* The entry of that name in a section, or NULL. */
const struct yaml_entry *compose_find(
	const struct compose_file *file, enum compose_kind kind, struct view name);

/* Where a line starts that could follow the last entry, of block style or none. */
size_t compose_section_end(
	const struct compose_file *file, const struct compose_section *section);

/* The indentation of a section's entries, existing or new. */
size_t compose_section_indent(
	const struct compose_file *file, const struct compose_section *section);

/* Where in a mapping in braces one more entry goes, and the separator before it. */
size_t compose_flow_end(const struct compose_file *file, const struct yaml_node *mapping,
	struct buf *separator);

/* The lines of an entry of block style, or the text of one in braces. */
void compose_entry_span(const struct compose_file *file, const struct compose_section *section,
	const struct yaml_entry *entry, size_t *ret_start, size_t *ret_end);

/*
 * Does the text before `end` equal `written`, ignoring line endings? `*ret_start` is where it
 * starts.
 */
bool compose_ends_with(struct view text, size_t end, struct view written, size_t *ret_start);

/* Where the line of an offset starts, and where the one after it does. */
size_t compose_line_start(struct view text, size_t at);
size_t compose_next_line(struct view text, size_t at);

/*
 * Entries are put in and taken out by edits, so that the rest keeps its bytes. Edits at the
 * same place keep their order. ERROR_INVALID if two take out the same text.
 */
void compose_edit(struct compose_file *file, size_t at, size_t len, const char *text);
int compose_file_write(const struct compose_file *file, struct buf *out, struct error *err);

/* --- services ---------------------------------------------------------------------------- */

/* What a skill declares: can it be written into a compose file? */
void compose_check(const struct yaml_node *declared, struct faults *faults);

/*
 * Add the volumes and networks of the file that a service uses by their names to `needs`, a
 * mapping {volumes: {name: …}, networks: {name: …}}. Left out are the ones that compose makes
 * by itself (the network `default`, volumes without a name), folders of the host, and names
 * with a variable in them.
 */
void compose_add_needs(const struct yaml_node *service, struct yaml_node *needs);
bool compose_has_need(const struct yaml_node *needs, enum compose_kind kind, struct view name);

/* --- the plan ---------------------------------------------------------------------------- */

/*
 * The contributions of all skills combined: services with their ports, and the volumes and
 * networks that the services need.
 *
 * A service that several declare alike is written once. If it is declared differently,
 * or binds a port of the host that another service has, that is a clash:
 *
 *	service redis		two definitions of one name
 *	redis:6380:6379/tcp	a port that another service wants, too
 */
struct compose_item {
	struct view name;
	struct yaml_node *skills;           /* names of the skills that want it: a sequence */
	const struct yaml_node *definition; /* NULL: it is left out */
	const struct yaml_entry *own;       /* of that name in the own content, or NULL */
	bool stays;                         /* the own one is the one that is wanted */
	bool used_by_own;                   /* a volume or network that own services use */
};

struct compose_items {
	struct compose_item *list; /* sorted by name */
	size_t count;
	size_t cap;
};

struct compose_plan {
	struct compose_items kinds[COMPOSE_KINDS];
};

/* The plan lives in `doc`; clashes, warnings and unwanted entries go to `output`. */
int compose_plan_make(const struct structured_input *input, struct compose_file *own,
	struct yaml_doc *doc, struct compose_plan *ret_plan, struct structured_output *output,
	struct error *err);

/* The step of it that gives ports to the services; it may move one of the own content. */
void compose_plan_ports(const struct structured_input *input, struct compose_file *own,
	struct yaml_doc *doc, struct compose_items *services, struct structured_output *output);

/* The definition that the file has of a service now, in `doc`; NULL if it has none. */
const struct yaml_node *compose_find_there(
	const struct structured_input *input, struct view service, struct yaml_doc *doc);

/* Two services that bind one port of the host, if one of them is a skill's. */
void compose_find_problems(const char *name, struct view text,
	const struct contribution *contributions, size_t count,
	struct string_array *ret_problems);

/* How a clash was resolved: the `resolved` function of the format, and the one for ports. */
int compose_resolved(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err);
int compose_resolved_port(const struct compose_file *file, const char *name,
	const struct clash *clash, struct yaml_doc *doc, struct yaml_node **ret_value,
	struct error *err);

/* --- the text of an entry ---------------------------------------------------------------- */

/*
 * In block style, keys sorted, indented as the file is:
 *
 *	  # skill: telegram
 *	  telegram-redis:
 *	    image: redis:alpine
 *	    ports:
 *	      - "6380:6379"
 *
 * and in flow style, for a file that has its services in braces, on one line. Strings
 * are written so that every reader takes them for strings; strings in `ports` always have
 * quotes, because `22:22` is the number 1342 to some.
 */

/* For this section of the file. Lines end in LF. `skills` are named in the comment. */
int compose_write_block(const struct compose_file *file, const struct compose_section *section,
	const struct compose_item *item, struct buf *out, struct error *err);

/* `"key": {…}`, and the value alone. A definition that is NULL is written as null. */
int compose_write_flow(const struct compose_item *item, struct buf *out, struct error *err);
int compose_write_flow_value(const struct yaml_node *value, struct buf *out, struct error *err);

/* --- the format -------------------------------------------------------------------------- */

int compose_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

#endif
