/*
 * The memory of the group: CLAUDE.local.md in its folder, which people and other agents
 * edit, too. Only lines that are ours are touched; every other byte stays.
 *
 * Notes are a list below the heading "Notes", which may have any level:
 *
 *	## Notes
 *
 *	- milk
 *	- the first line of a longer one
 *	  and the second
 *
 * Items that other people add to that list are notes like ours ("*", "+" and "1." are fine); text
 * between them is left alone. The zone is a line "Time zone: …" that is not a note.
 *
 * The file is replaced in one step. It is read again for each change, so that a change
 * that somebody made in an editor in the meantime is not lost.
 */
#ifndef AGENT_OFFLINE_MEMORY_H
#define AGENT_OFFLINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"

#define MEMORY_FILE     "CLAUDE.local.md"
#define MEMORY_MAX_SIZE ((size_t)1024 * 1024)
#define MEMORY_MAX_NOTE ((size_t)8 * 1024)

/* `folder` is the open folder of the group. */
int memory_notes(int folder, struct string_array *ret_notes, struct error *err);

/* `*ret_new` is false if the note already exists; the memory is then unchanged. */
int memory_add_note(int folder, struct view text, bool *ret_new, struct error *err);

/* The first note with this text; NULL: all notes. `*ret_found`: whether there was one. */
int memory_remove_note(int folder, const char *note, bool *ret_found, struct error *err);

/* The name in the line "Time zone: …", to be freed, or NULL. */
int memory_zone(int folder, char **ret_zone, struct error *err);
int memory_set_zone(int folder, const char *zone, struct error *err);

/* For tests: the same on texts. */
void memory_parse_notes(struct view text, struct string_array *ret_notes);
void memory_insert_note(struct view text, struct view note, struct buf *out);
/* NULL: all notes. */
bool memory_delete_note(struct view text, const char *note, struct buf *out);
void memory_replace_zone(struct view text, const char *zone, struct buf *out);

#endif
