#include "host/ops/rights.h"

#include <assert.h>

#include "ledger/groups.h"

static const struct {
	const char *name;
	bool main;
	bool group;
	const char *what;
} table[RIGHT_COUNT] = {
	[RIGHT_NONE] = {NULL, true, true, NULL},
	[RIGHT_LIST_GROUPS] = {"list_groups", true, false, "see other groups"},
	[RIGHT_FIND_CHATS] = {"find_chats", true, false, "look for chats"},
	[RIGHT_REGISTER_GROUP] = {"register_group", true, false, "register groups"},
	[RIGHT_REMOVE_GROUP] = {"remove_group", true, false, "remove groups"},
	[RIGHT_SEND_ELSEWHERE] = {"send_elsewhere", true, false,
		"send messages to other groups"},
	[RIGHT_SEND] = {"send", true, true, "send messages"},
	[RIGHT_WRITE_GLOBAL_MEMORY] = {"write_global_memory", true, false,
		"write the global memory"},
	[RIGHT_COMPOSE] = {"compose", false, false, "compose the files of groups"},
	[RIGHT_LIST_CHANNELS] = {"list_channels", true, false, "see the channels"},
	[RIGHT_HOST_STATUS] = {"host_status", false, false, "see the state of the host"},
	[RIGHT_CHOOSE_AGENT] = {"choose_agent", false, false, "choose the program of an agent"},
	[RIGHT_SET_BOUNDS] = {"set_bounds", false, false, "change what bounds an agent"},
	[RIGHT_CONFIGURE_GROUPS] = {"configure_groups", true, false,
		"see or change the settings of groups"},
	[RIGHT_TASKS] = {"tasks", true, true, "have tasks"},
	[RIGHT_TASKS_ELSEWHERE] = {"tasks_elsewhere", true, false,
		"manage the tasks of other groups"},
	[RIGHT_WRITE_AUDIT] = {"write_audit", false, false, "write the audit log"},
	[RIGHT_ASSIGN_SKILLS] = {"assign_skills", true, false, "assign user skills"},
	[RIGHT_MANAGE_SKILLS] = {"manage_skills", false, false, "manage user skills"},
	[RIGHT_STOP_TURNS] = {"stop_turns", false, false, "stop turns"},
	[RIGHT_SCHEDULE_BACKUPS] = {"schedule_backups", false, false, "schedule backups"},
};

const char *rights_name(enum right right)
{
	return table[right].name;
}

bool rights_of_main(enum right right)
{
	return table[right].main;
}

bool rights_of_groups(enum right right)
{
	return table[right].group;
}

int rights_all(struct store *store, const struct actor *actor, bool ret_rights[RIGHT_COUNT],
	struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	bool person = actor->kind == ACTOR_PERSON;

	if (!person && store_group_by_folder(store, actor->folder, &group, err) < 0)
		return -1;
	for (enum right right = 0; right < RIGHT_COUNT; right++)
		ret_rights[right] =
			person || (group.folder && (group.is_main ? table[right].main
								  : table[right].group));
	return 0;
}

int rights_allow(struct store *store, const struct actor *actor, enum right right,
	bool *ret_allowed, struct error *err)
{
	bool rights[RIGHT_COUNT];

	assert(right < RIGHT_COUNT);
	if (rights_all(store, actor, rights, err) < 0)
		return -1;
	*ret_allowed = rights[right];
	return 0;
}

int rights_require(
	struct store *store, const struct actor *actor, enum right right, struct error *err)
{
	bool allowed;

	if (rights_allow(store, actor, right, &allowed, err) < 0)
		return -1;
	if (allowed)
		return 0;
	return error_set(err, ERROR_INVALID, "the group '%s' may not %s", actor->folder,
		table[right].what);
}
