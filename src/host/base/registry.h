/*
 * Registering and removing groups: the row in the store and the folder on the disk.
 *
 * The folder groups/FOLDER is created first, with its logs/ and its memory, and the row second: a
 * crash in between leaves a folder that the next attempt reuses. Removal works the other way round:
 * one transaction deletes the row and records the folders to delete (ledger/groups.h), and
 * registry_finish_removals() deletes them, now or at the next start.
 */
#ifndef HOST_BASE_REGISTRY_H
#define HOST_BASE_REGISTRY_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "ledger/groups.h"

struct registry {
	struct store *store;
	int root;
	const char *assistant; /* gives the trigger */
};

struct registration {
	const char *jid;
	const char *name;
	const char *folder;  /* NULL: made from the name */
	const char *trigger; /* NULL: '@' and the assistant's name */
	bool no_trigger;
	const char *instructions; /* NULL: none; the beginning of its memory */
	const char *agent;        /* NULL: the usual one */
	const char *const *allow; /* senders, ends with NULL; may be NULL: everybody */
	bool by_person;           /* and not by an agent */
};

/* Once there are this many groups, an agent cannot add another. */
#define REGISTRY_MAX_BY_AGENTS 100

/*
 * For the folder "main", which always exists, this changes its chat; "local:main" moves it back
 * to the terminal. Only the person may do that. A group in the bin is taken back: `removed_at` of
 * `*ret_group` is set then.
 */
int registry_add(const struct registry *registry, const struct registration *registration,
	struct group *ret_group, struct error *err);

/*
 * An agent removes a group: it is in the bin for REGISTRY_BIN_DAYS, and registry_finish_removals()
 * deletes it after that. registry_add() for its chat, or with its folder instead of a JID, takes it
 * back as it was, also by an agent: so nobody gets rid of its allowed senders and its trigger. A
 * person who names another folder, a trigger or senders is refused, and told of the two ways.
 */
#define REGISTRY_BIN_DAYS 30
int registry_bin(const struct registry *registry, const struct group *group, struct error *err);

/* Changes to a group; NULL: unchanged. */
struct registry_change {
	const char *jid;
	const char *name;
	const char *trigger;
	const bool *requires_trigger;
	const char *const *allow; /* replaces the allowed senders; empty: everybody */
};

/* The group's folder, memory, session and tasks stay. `group` becomes the changed one. */
int registry_set(const struct registry *registry, struct group *group,
	const struct registry_change *change, struct error *err);

/*
 * Create main, at the terminal, if it does not exist. If the assistant's name has changed since
 * main's trigger was made, triggers that were made from the old name change to the new one.
 */
int registry_ensure_main(const struct registry *registry, struct error *err);

/* Remove the group with all its data. Main cannot be removed (ERROR_INVALID). */
int registry_remove(
	const struct registry *registry, const struct group *group, struct error *err);
/*
 * At the start, and every hour. A folder that cannot be deleted is logged, and does not stop the
 * others.
 */
int registry_finish_removals(const struct registry *registry, struct error *err);

/* Opens a group's folder, and creates it again if it was removed. */
int registry_open_folder(int root, const char *folder, int *ret_fd, struct error *err);

/*
 * Sets the error "there is no group", with the most similar name as the hint, or says that it is in
 * the bin; returns -1.
 */
int registry_unknown(const struct registry *registry, const char *word, struct error *err);

#endif
