#include "host/base/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/quote.h"
#include "base/similar.h"
#include "base/utf8.h"
#include "channels/local/local.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "group/container_file.h"
#include "host/base/trigger.h"
#include "ledger/attachments.h"
#include "ledger/chats.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

#define MEMORY_FILE      "CLAUDE.local.md"
#define MAX_INSTRUCTIONS ((size_t)64 * 1024)

#define TRIGGER_HINT                                                                           \
	"it is made from ASSISTANT_NAME; change that in '.env' or in the environment"

/* --- folders ----------------------------------------------------------------- */

static int make_folder(int dir, const char *name, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	if (sys.mkdir(dir, name, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create the folder '%s'", name);
	return beneath_open_dir(dir, &path, ret_fd, err);
}

int registry_open_folder(int root, const char *folder, int *ret_fd, struct error *err)
{
	CLEANUP(closep) int groups = -1;
	CLEANUP(closep) int group = -1;

	if (make_folder(root, "groups", &groups, err) < 0 ||
		make_folder(groups, folder, &group, err) < 0)
		return -1;
	/* Continue even if the agent has created something else there. */
	if (sys.mkdir(group, "logs", 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create the folder 'logs' of '%s'", folder);
	*ret_fd = TAKE_FD(group);
	return 0;
}

/* --- registering ------------------------------------------------------------- */

static int check_registration(
	const struct registration *r, const struct group *group, struct error *err)
{
	const char *terminal;

	if (group_check_jid(group->jid, err) < 0)
		return -1;
	if (strlen(group->name) > GROUP_NAME_MAX || !utf8_valid(view_of(group->name)) ||
		strpbrk(group->name, "\n\r\t") || !view_trim(view_of(group->name)).len)
		return error_set(err, ERROR_INVALID,
			"the name of a group is one line of at most %d bytes", GROUP_NAME_MAX);
	if (!*group->folder) {
		error_set(err, ERROR_INVALID, "the name has no letter for a folder");
		return error_hint(err, "give one with '--folder'");
	}
	if (group_check_folder(group->folder, err) < 0)
		return -1;
	if (trigger_check(group->trigger, err) < 0)
		return r->trigger ? -1 : error_hint(err, TRIGGER_HINT);
	if (r->instructions && (strlen(r->instructions) > MAX_INSTRUCTIONS ||
				       !utf8_valid(view_of(r->instructions))))
		return error_set(err, ERROR_INVALID, "the instructions are too long");
	terminal = local_group(group->jid);
	if (terminal && strcmp(terminal, group->folder) != 0)
		return error_set(err, ERROR_INVALID,
			"a chat at the terminal is called 'local:' and the folder, here "
			"'local:%s'",
			group->folder);
	return 0;
}

static struct group group_for(const struct registry *registry, const struct registration *r)
{
	char time[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), time);
	return (struct group){
		.jid = xstrdup(r->jid),
		.name = xstrdup(r->name),
		.folder = r->folder ? xstrdup(r->folder) : group_folder_for(r->name),
		.trigger = r->trigger ? xstrdup(r->trigger)
				      : xasprintf("@%s", registry->assistant),
		.added_at = xstrdup(time),
		.agent = r->agent ? xstrdup(r->agent) : NULL,
		.requires_trigger = !r->no_trigger,
	};
}

static int rebind_main(const struct registry *registry, const struct registration *r,
	const struct group *group, bool *ret_done, struct error *err)
{
	CLEANUP(group_release) struct group there = GROUP_INIT;
	CLEANUP(group_release) struct group other = GROUP_INIT;

	*ret_done = false;
	if (strcmp(group->folder, GROUP_MAIN) != 0)
		return 0;
	if (store_group_by_folder(registry->store, GROUP_MAIN, &there, err) < 0 ||
		store_group_owner(registry->store, group->jid, &other, err) < 0)
		return -1;
	if (!there.folder || other.folder)
		return 0;
	if (!r->by_person) {
		error_set(err, ERROR_INVALID, "only a person gives main another chat");
		return error_hint(err, "'nanoclaw group add JID NAME --folder main' does");
	}
	/* Main answers every message, and already has a memory. */
	if (r->trigger)
		return error_set(err, ERROR_INVALID,
			"main has no trigger: every message is answered there");
	if (r->instructions) {
		error_set(err, ERROR_INVALID, "main has a memory already");
		return error_hint(err, "write it in 'groups/%s/%s'", GROUP_MAIN, MEMORY_FILE);
	}
	if (store_group_rebind(registry->store, GROUP_MAIN, group->jid, group->name,
		    group->agent, err) < 0)
		return -1;
	*ret_done = true;
	return 0;
}

/* The chat of the group, and the people who may use it (all if `allow` is NULL). */
static int store_chat(const struct registry *registry, const struct group *group,
	const char *const *allow, struct error *err)
{
	bool local = local_group(group->jid);

	if (store_chat_note(registry->store, group->jid, NULL, local ? "local" : "",
		    local ? CHAT_DIRECT : CHAT_UNKNOWN, 0, true, err) < 0)
		return -1;
	for (size_t i = 0; allow && allow[i]; i++)
		if (store_sender_allow(registry->store, group->folder, allow[i], err) < 0)
			return -1;
	return 0;
}

/* The remains of a removed group must not become part of the new one. */
static int clear_folder(const struct registry *registry, const char *folder, struct error *err);

/* Add the rows first, so that a group that is refused leaves no folder. */
static int add_group(const struct registry *registry, const struct registration *r,
	struct group *group, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(error_release) struct error exists = ERROR_INIT;
	CLEANUP(freep)
	char *memory = r->instructions ? xasprintf("%s\n", r->instructions) : xstrdup("");
	CLEANUP(closep) int folder = -1;
	bool rebound;

	if (check_registration(r, group, err) < 0 ||
		txn_begin(&txn, registry->store, err) < 0 ||
		rebind_main(registry, r, group, &rebound, err) < 0)
		return -1;
	if (rebound)
		group->is_main = true;
	else if (store_group_add(registry->store, group, err) < 0)
		return -1;
	if (store_chat(registry, group, r->allow, err) < 0 ||
		clear_folder(registry, group->folder, err) < 0 ||
		registry_open_folder(registry->root, group->folder, &folder, err) < 0)
		return -1;
	/* Existing files are the group's own and stay. */
	if (replace_file(folder, MEMORY_FILE, view_of(memory), 0600, NULL, REPLACE_NEW,
		    &exists) < 0 &&
		exists.errnum != EEXIST)
		return error_set(err, ERROR_FAILED, "%s", exists.message);
	if (container_create(registry->root, group->folder, err) < 0)
		return -1;
	return txn_commit(&txn, "register", err);
}

/* As it was: a person who typed something else is not silently ignored. */
static int take_back(const struct registry *registry, const struct registration *r,
	const struct group *binned, struct error *err)
{
	bool other_folder = r->folder && strcmp(r->folder, binned->folder) != 0;

	if (r->by_person && (other_folder || r->trigger || r->no_trigger || r->instructions ||
				    r->agent || (r->allow && r->allow[0])))
		return group_refuse_binned(binned, err);
	return store_group_unbin(registry->store, binned->folder, err);
}

int registry_add(const struct registry *registry, const struct registration *registration,
	struct group *ret_group, struct error *err)
{
	CLEANUP(group_release) struct group group = group_for(registry, registration);
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(group_list_release) struct group_list binned = {0};
	CLEANUP(group_release) struct group owner = GROUP_INIT;

	if (store_group_owner(registry->store, registration->jid, &owner, err) < 0)
		return -1;
	if (owner.removed_at) {
		if (take_back(registry, registration, &owner, err) < 0)
			return -1;
		*ret_group = owner;
		owner = GROUP_INIT;
		return 0;
	}
	if (registration->by_person && !strpbrk(registration->jid, ":@")) {
		CLEANUP(freep) char *shown = quote(view_of(registration->jid));

		error_set(err, ERROR_INVALID, "%s is not the JID of a chat", shown);
		return error_hint(err,
			"a JID is like 'slack:C1234567890' or '12036@g.us'; 'nanoclaw channel "
			"pair CHANNEL' registers a chat without one");
	}
	if (!registration->by_person &&
		(store_group_list(registry->store, &groups, err) < 0 ||
			store_group_binned(registry->store, 0, &binned, err) < 0))
		return -1;
	/* Each group has a folder, and limits and budgets of its own. */
	if (groups.count + binned.count >= REGISTRY_MAX_BY_AGENTS) {
		error_set(err, ERROR_INVALID,
			"there are %zu groups; an agent can add groups only up to %d",
			groups.count + binned.count, REGISTRY_MAX_BY_AGENTS);
		return error_hint(err, "a person can add one: 'nanoclaw group add JID NAME'");
	}
	if (add_group(registry, registration, &group, err) < 0)
		return -1;
	*ret_group = group;
	group = GROUP_INIT;
	return 0;
}

static void replace_text(char **text, const char *by)
{
	if (!by)
		return;
	free(*text);
	*text = xstrdup(by);
}

int registry_set(const struct registry *registry, struct group *group,
	const struct registry_change *change, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (group->is_main && (change->trigger || change->requires_trigger))
		return error_set(err, ERROR_INVALID,
			"main has no trigger: every message is answered there");
	replace_text(&group->jid, change->jid);
	replace_text(&group->name, change->name);
	replace_text(&group->trigger, change->trigger);
	if (change->requires_trigger)
		group->requires_trigger = *change->requires_trigger;
	if (check_registration(&(struct registration){.trigger = group->trigger}, group, err) <
			0 ||
		txn_begin(&txn, registry->store, err) < 0 ||
		store_group_update(registry->store, group, err) < 0 ||
		(change->allow &&
			store_sender_allow_all(registry->store, group->folder, err) < 0) ||
		store_chat(registry, group, change->allow, err) < 0)
		return -1;
	return txn_commit(&txn, "register", err);
}

int registry_ensure_main(const struct registry *registry, struct error *err)
{
	CLEANUP(group_release) struct group there = GROUP_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *trigger = xasprintf("@%s", registry->assistant);
	struct registration r = {
		.jid = LOCAL_PREFIX GROUP_MAIN, .name = "Main", .no_trigger = true};

	if (store_group_by_folder(registry->store, GROUP_MAIN, &there, err) < 0)
		return -1;
	if (there.folder && !strcmp(there.trigger, trigger))
		return 0;
	if (there.folder) {
		if (trigger_check(trigger, err) < 0)
			return error_hint(err, TRIGGER_HINT);
		return store_group_replace_trigger(
			registry->store, there.trigger, trigger, err);
	}
	r.folder = GROUP_MAIN;
	group = group_for(registry, &r);
	group.is_main = true;
	return add_group(registry, &r, &group, err);
}

/* --- removing ---------------------------------------------------------------- */

static int remove_below(int root, const char *parent, const char *name, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int dir = -1;

	if (relpath_parse(view_of(parent), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, &dir, &missing) < 0)
		return missing.errnum == ENOENT
			       ? 0
			       : error_set(err, ERROR_FAILED, "%s", missing.message);
	return tree_remove(dir, name, err);
}

static int finish_removal(
	const struct registry *registry, const char *folder, struct error *err)
{
	if (group_check_folder(folder, err) < 0 ||
		remove_below(registry->root, "groups", folder, err) < 0 ||
		remove_below(registry->root, "data/sessions", folder, err) < 0 ||
		remove_below(registry->root, ATTACHMENT_FOLDER, folder, err) < 0)
		return error_prefix(
			err, "cannot delete the files of the removed group '%s'", folder);
	return store_removal_done(registry->store, folder, err);
}

int registry_bin(const struct registry *registry, const struct group *group, struct error *err)
{
	if (group->is_main)
		return error_set(err, ERROR_INVALID, "the main group cannot be removed");
	return store_group_bin(registry->store, group, timestamp_clock(), err);
}

int registry_finish_removals(const struct registry *registry, struct error *err)
{
	CLEANUP(group_list_release) struct group_list old = {0};
	CLEANUP(freep) char *last = xstrdup("");

	if (store_group_binned(registry->store, timestamp_clock() - REGISTRY_BIN_DAYS * DAY_MS,
		    &old, err) < 0)
		return -1;
	for (size_t i = 0; i < old.count; i++)
		if (store_group_remove(registry->store, &old.list[i], err) < 0)
			return -1;
	if (old.count)
		store_empty_log(registry->store); /* as registry_remove() does */
	for (;;) {
		CLEANUP(error_release) struct error left = ERROR_INIT;
		char *folder;

		if (store_removal_next(registry->store, last, &folder, err) < 0)
			return -1;
		if (!folder)
			return 0;
		free(last);
		last = folder;
		if (finish_removal(registry, folder, &left) < 0)
			log_warning("%s; the next start tries again", left.message);
	}
}

static int clear_folder(const struct registry *registry, const char *folder, struct error *err)
{
	bool is_left;

	if (store_removal_is_left(registry->store, folder, &is_left, err) < 0)
		return -1;
	return is_left ? finish_removal(registry, folder, err) : 0;
}

int registry_remove(
	const struct registry *registry, const struct group *group, struct error *err)
{
	if (group->is_main)
		return error_set(err, ERROR_INVALID, "the main group cannot be removed");
	if (store_group_remove(registry->store, group, err) < 0)
		return -1;
	store_empty_log(registry->store); /* it also contains the conversations of the group */
	return finish_removal(registry, group->folder, err);
}

int registry_unknown(const struct registry *registry, const char *word, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(group_release) struct group binned = GROUP_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *shown = quote(view_of(word));
	struct similar best = similar_to(word);

	if (store_group_owner(registry->store, word, &binned, &ignored) == 0 &&
		binned.removed_at)
		return group_refuse_binned(&binned, err);
	error_set(err, ERROR_INVALID, "there is no group %s", shown);
	store_group_list(registry->store, &groups, &ignored);
	for (size_t i = 0; i < groups.count; i++)
		similar_consider(&best, groups.list[i].folder);
	if (best.found)
		return error_hint(err, "did you mean '%s'?", best.found);
	return error_hint(err, "'nanoclaw group list' lists them");
}
