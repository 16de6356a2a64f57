/*
 * The facts about structured files (structured.h) in state.yaml: contributions, entries,
 * decisions, outcomes.
 */
#ifndef ENGINE_STRUCTURED_STRUCTURED_STATE_H
#define ENGINE_STRUCTURED_STRUCTURED_STATE_H

#include "engine/package/structured_format.h"
#include "engine/state/state.h"

struct contributions {
	struct contribution *list; /* sorted by skill; they belong to the state */
	size_t count;
	size_t cap;
};

/* The contributions of the first `skill_count` applied skills. */
void contributions_collect(const struct state *state, size_t skill_count,
	const struct structured_format *format, struct contributions *ret_contributions);
void contributions_add(struct contributions *contributions, const char *skill,
	const struct yaml_node *declared);
bool contributions_have(const struct contributions *contributions, const char *skill);
void contributions_release(struct contributions *contributions);

/* All entries, by path, or NULL. */
struct yaml_node *structured_files(const struct state *state);

/* The entry of a file of this format, with its path, or NULL. */
struct yaml_node *structured_entry(const struct state *state,
	const struct structured_format *format, const char **ret_path);
struct yaml_node *structured_entry_make(
	struct state *state, const struct structured_format *format, const char *path);
void structured_entry_remove(struct state *state, const struct structured_format *format);

/* Was the file rendered with exactly these contributions? */
bool structured_entry_fits(
	const struct yaml_node *entry, const struct contributions *contributions);
void structured_entry_set_skills(
	struct yaml_node *entry, const struct contributions *contributions);

/* Is the file in the tree without its contributions at the moment? */
bool structured_is_unfolded(const struct yaml_node *entry);

/* A hash in an entry; false without one. */
bool structured_get_hash(const struct yaml_node *entry, const char *key, struct hash *ret_hash);
void structured_set_hash(struct yaml_node *entry, const char *key, struct view content);

/* While a clash waits to be resolved. */
bool structured_has_clashes(const struct yaml_node *entry);
void structured_set_clashes(struct yaml_node *entry, const struct clash_list *clashes);
void structured_get_clashes(const struct yaml_node *entry, struct clash_list *ret_clashes);

/* The decisions of a format, or NULL; `value` NULL is "left out". */
const struct yaml_node *structured_decisions(
	const struct state *state, const struct structured_format *format);
void structured_decide(struct state *state, const struct structured_format *format,
	const struct clash *clash, struct yaml_node *value);

/*
 * Problems in the meaning of such a file, as sentences for people. None for another file, for
 * an unreadable one, and for one that is in the tree without its contributions.
 */
void structured_find_problems(const struct state *state, const char *path, struct view text,
	struct string_array *ret_problems);

/* Drop decisions about clashes that one of the skills was part of. */
void structured_drop_decisions(struct state *state, const struct string_array *skills);

/* The outcome of a format, or NULL. */
const struct yaml_node *structured_outcome(
	const struct state *state, const struct structured_format *format);

/*
 * Replace the outcome of a format; NULL removes it. Installed versions are kept. Returns
 * whether it has changed.
 */
bool structured_set_outcome(
	struct state *state, const struct structured_format *format, struct yaml_node *outcome);

#endif
