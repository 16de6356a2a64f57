/*
 * Groups: conversations in which the assistant answers.
 *
 * A group has a JID, which determines its channel, and a folder below groups/, which is its
 * name everywhere else in the store. One group is main; only `is_main` in this table gives it
 * its rights.
 */
#ifndef LEDGER_GROUPS_H
#define LEDGER_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

struct store;

#define GROUP_MAIN       "main"
#define GROUP_FOLDER_MAX 64
#define GROUP_NAME_MAX   200
#define GROUP_JID_MAX    256

struct group {
	char *jid;
	char *name;
	char *folder;
	char *trigger;
	char *added_at;
	char *agent;      /* the command of its agent, or NULL for the usual one */
	char *removed_at; /* in the bin since then; NULL: not there */
	bool requires_trigger;
	bool is_main;
};

#define GROUP_INIT ((struct group){0})

/* Their turns and tasks wait: in the SQL of all that looks for work. */
#define GROUPS_IN_BIN "(SELECT folder FROM registered_groups WHERE removed_at IS NOT NULL)"

struct group_list {
	struct group *list;
	size_t count;
	size_t cap;
};

void group_release(struct group *group);
void group_list_release(struct group_list *groups);

/*
 * A folder has 1 to 64 of A-Z a-z 0-9 _ -, begins with a letter or digit, and is not "global",
 * which is reserved. ERROR_INVALID otherwise.
 */
int group_check_folder(const char *folder, struct error *err);

/* A JID is 3 to 256 printable characters of UTF-8 without spaces. */
int group_check_jid(const char *jid, struct error *err);

/* The folder for a group of this name: "Family Chat!" gives "family-chat". */
char *group_folder_for(const char *name);

/* ERROR_INVALID if the JID or the folder is taken. */
int store_group_add(struct store *store, const struct group *group, struct error *err);

/* Change the JID of a group, and its agent if one is given. */
int store_group_rebind(struct store *store, const char *folder, const char *jid,
	const char *name, const char *agent, struct error *err);

/*
 * Change the chat, the name and the trigger of the group in this folder to those of `group`. Its
 * tasks that answer in the old chat then answer in the new one. ERROR_INVALID if the JID is
 * taken.
 */
int store_group_update(struct store *store, const struct group *group, struct error *err);

/* Replace the trigger `old` by `trigger` in every group. */
int store_group_replace_trigger(
	struct store *store, const char *old, const char *trigger, struct error *err);

/* `*ret_group` is empty if there is no such group; see `folder`. */
int store_group_by_jid(
	struct store *store, const char *jid, struct group *ret_group, struct error *err);
int store_group_by_folder(
	struct store *store, const char *folder, struct group *ret_group, struct error *err);

/*
 * Whose chat is this? Also one in the bin, which is found by its folder, too: its `removed_at` is
 * set. The others do not find those.
 */
int store_group_owner(
	struct store *store, const char *jid, struct group *ret_group, struct error *err);

/* ERROR_INVALID: the chat or the folder belongs to this group, which is in the bin. */
int group_refuse_binned(const struct group *group, struct error *err);

/* By folder, JID or name, in this order; two of the same name are ERROR_INVALID. */
int store_group_find(
	struct store *store, const char *word, struct group *ret_group, struct error *err);

int store_group_list(struct store *store, struct group_list *ret_groups, struct error *err);

/*
 * Delete a group and all of its rows. The same transaction records its folders as removals, so
 * that a crash cannot leave them behind.
 */
int store_group_remove(struct store *store, const struct group *group, struct error *err);
/*
 * Put a group into the bin: it is not found any more, what it would send is dropped, and its turns
 * and tasks wait. All else of it stays. In the caller's transaction.
 */
int store_group_bin(
	struct store *store, const struct group *group, int64_t now, struct error *err);
int store_group_unbin(struct store *store, const char *folder, struct error *err);
/* Those that went there before this time; 0: all. */
int store_group_binned(
	struct store *store, int64_t before, struct group_list *ret_groups, struct error *err);

/* The first removal after the folder `after`, in order of the folders, or NULL. */
int store_removal_next(
	struct store *store, const char *after, char **ret_folder, struct error *err);
int store_removal_is_left(
	struct store *store, const char *folder, bool *ret_is_left, struct error *err);
int store_removal_done(struct store *store, const char *folder, struct error *err);

/* --- who may speak ----------------------------------------------------------- */

int store_sender_allow(
	struct store *store, const char *folder, const char *sender, struct error *err);

/* From now on for everybody. */
int store_sender_allow_all(struct store *store, const char *folder, struct error *err);

/* True for everybody in a group without a list. */
int store_sender_allowed(struct store *store, const char *folder, const char *sender,
	bool *ret_allowed, struct error *err);

/* The senders, each followed by a newline; "" if there is no list. */
int store_sender_list(
	struct store *store, const char *folder, struct buf *ret_senders, struct error *err);

/* --- the session of its agent -------------------------------------------------- */

/* The conversation that a group's agent goes on with: the id that the agent gave. */
struct agent_session {
	char *id; /* NULL: no session */
	int64_t used_at;
	int turns;
};

void agent_session_release(struct agent_session *session);

int store_session_get(struct store *store, const char *folder,
	struct agent_session *ret_session, struct error *err);

/* One more turn in it. Another id than before is a new session. */
int store_session_used(struct store *store, const char *folder, const char *id, int64_t now,
	struct error *err);
int store_session_forget(struct store *store, const char *folder, struct error *err);

#endif
