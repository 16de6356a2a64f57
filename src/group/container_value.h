/*
 * A value of container.json with its place in the file, and the faults found so far. Only for
 * src/group.
 *
 * Each reader below adds a fault for a wrong value and goes on, so that a person sees all of
 * them at once.
 */
#ifndef GROUP_CONTAINER_VALUE_H
#define GROUP_CONTAINER_VALUE_H

#include "format/json.h"
#include "format/json_span.h"
#include "group/container.h"

#define CONTAINER_MAX_FAULTS 20

struct container_reading {
	struct view text;
	const char *shown;
	struct container *container;
	struct buf faults; /* one per line */
	size_t fault_count;
};

/* A value and its name in messages: "mounts[0].path"; NULL is the whole file. */
struct container_value {
	json_t *json;
	struct json_span span;
	const char *what;
};

void container_fault(struct container_reading *reading, struct json_span span,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a fault unless the value is of this kind. `kind` is for the message: "a list". */
bool container_is(struct container_reading *reading, const struct container_value *value,
	json_type type, const char *kind);

/* A text of 1 to `max` bytes without NUL; NULL, and a fault, if it is not one. */
char *container_text(
	struct container_reading *reading, const struct container_value *value, size_t max);

/* A whole number in these bounds; 0, and a fault, if it is not one. */
uint64_t container_number(struct container_reading *reading,
	const struct container_value *value, uint64_t least, uint64_t most);

/* Is there one of this name, and has it parts if it should: "limits.seconds"? */
bool container_has_setting(const char *name, bool parts);

/* "budget.dailyDollars" for "budget.dailyDolars" or "dailyDollars"; NULL if none is like it. */
char *container_setting_like(const char *what);

/* Adds a warning about an unknown key. */
void container_unknown(struct container_reading *reading, struct json_span_item item,
	const struct container_value *value);

/*
 * Each member of an object, or each element of a list, with its place and its name. `key` is
 * NULL for an element.
 */
typedef void container_visit(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data);

void container_each(struct container_reading *reading, const struct container_value *parent,
	container_visit *visit, void *data);

void container_read_servers(
	struct container_reading *reading, const struct container_value *value);
void container_read_mounts(
	struct container_reading *reading, const struct container_value *value);

#endif
