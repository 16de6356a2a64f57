#include <string.h>
#include <strings.h>

#include "agent/offline/host_call.h"
#include "agent/offline/offline.h"
#include "format/json.h"

#define TERMINAL "local:" /* every group has such a chat */

static void new_line(const struct turn_request *turn)
{
	if (turn->out->len)
		buf_append_char(turn->out, '\n');
}

int answer_groups(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *group;
	size_t i;

	if (host_call(json_build("op:s", "list_groups"), &reply, err) < 0)
		return -1;
	json_array_foreach(json_object_get(reply, "groups"), i, group) {
		new_line(turn);
		buf_appendf(turn->out, "%s: %s (%s)", json_member(group, "folder"),
			json_member(group, "name"), json_member(group, "jid"));
	}
	return 0;
}

static void print_chat(const struct turn_request *turn, const json_t *chat)
{
	new_line(turn);
	buf_appendf(turn->out, "%s  %s%s", json_member(chat, "jid"), json_member(chat, "name"),
		json_is_true(json_object_get(chat, "registered")) ? "  (a group already)" : "");
}

static int find_chats(const char *text, json_t **ret_reply, struct error *err)
{
	return host_call(json_build("op:s text:s", "find_chats", text), ret_reply, err);
}

int answer_chats(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *chat;
	size_t i;

	if (find_chats(turn->request->what, &reply, err) < 0)
		return -1;
	json_array_foreach(json_object_get(reply, "chats"), i, chat)
		print_chat(turn, chat);
	if (!turn->out->len)
		buf_append_str(turn->out, "I do not know that chat. I learn of a chat when "
					  "someone writes in it.");
	return 0;
}

/* --- adding ------------------------------------------------------------------ */

static struct view name_unquote(struct view text)
{
	text = view_trim(text);
	if (text.len >= 2 && strchr("\"'", text.data[0]) &&
		text.data[text.len - 1] == text.data[0])
		text = view_slice(text, 1, text.len - 1);
	return view_trim(text);
}

static int add_group(
	const struct turn_request *turn, const char *jid, struct view name, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *group;

	if (host_call(json_build("op:s jid:s name:v", "register_group", jid, name), &reply,
		    err) < 0)
		return -1;
	group = json_object_get(reply, "group");
	buf_appendf(turn->out, "'%s' is a group %s; its folder is '%s'. ",
		json_member(group, "name"),
		json_is_true(json_object_get(reply, "takenBack")) ? "again" : "now",
		json_member(group, "folder"));
	if (json_is_true(json_object_get(group, "requiresTrigger")))
		buf_appendf(turn->out, "I answer there when a message begins with '%s'.",
			json_member(group, "trigger"));
	else
		buf_append_str(turn->out, "I answer there.");
	return 0;
}

/* The chat that the person means: the only one, or the only one with exactly this name. */
static const json_t *choose_chat(const json_t *chats, const char *name)
{
	const json_t *same = NULL;
	const json_t *chat;
	size_t count = 0;
	size_t i;

	json_array_foreach(chats, i, chat)
		if (!strcasecmp(json_member(chat, "name"), name)) {
			same = chat;
			count++;
		}
	if (count == 1)
		return same;
	return json_array_size(chats) == 1 ? json_array_get(chats, 0) : NULL;
}

static int add_by_name(const struct turn_request *turn, const char *name, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *chats;
	const json_t *chat;
	size_t i;

	if (find_chats(name, &reply, err) < 0)
		return -1;
	chats = json_object_get(reply, "chats");
	chat = choose_chat(chats, name);
	if (chat && json_is_true(json_object_get(chat, "registered"))) {
		buf_appendf(turn->out, "'%s' is a group already. 'groups' lists them.",
			json_member(chat, "name"));
		return 0;
	}
	if (chat)
		return add_group(turn, json_member(chat, "jid"),
			view_of(json_member(chat, "name")), err);
	if (!json_array_size(chats)) {
		buf_append_str(turn->out,
			"I do not know a chat with that name. I learn of a chat when someone "
			"writes in it; or say 'add group', its JID, and a name.");
		return 0;
	}
	buf_append_str(turn->out, "There are several. Say 'add group', the JID, and a name:");
	json_array_foreach(chats, i, chat)
		print_chat(turn, chat);
	return 0;
}

int answer_add_group(const struct turn_request *turn, struct error *err)
{
	struct view what = name_unquote(view_of(turn->request->what));
	CLEANUP(freep) char *name = xmemdupz(what.data, what.len);
	struct view rest = what;
	struct view jid = {"", 0};

	if (!what.len) {
		buf_append_str(turn->out,
			"Which one? Say 'add group' and the name of the chat; "
			"'chats' lists the chats that I know.");
		return 0;
	}
	/* A JID has a colon or an at sign in its first word: 'slack:C1', '12036@g.us'. */
	view_next(&rest, ' ', &jid);
	if (strcspn(name + 1, ":@") + 1 >= jid.len)
		return add_by_name(turn, name, err);
	rest = name_unquote(rest);
	name[jid.len] = '\0';
	return add_group(turn, name, rest.len ? rest : jid, err);
}

/* --- removing ---------------------------------------------------------------- */

int answer_remove_group(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	struct view what = name_unquote(view_of(turn->request->what));
	CLEANUP(freep) char *name = xmemdupz(what.data, what.len);

	if (!what.len) {
		buf_append_str(turn->out,
			"Which one? Say 'remove group' and its name; 'groups' "
			"lists them.");
		return 0;
	}
	if (!turn->request->confirmed) {
		CLEANUP(freep) char *command = xasprintf("remove group %s", name);

		buf_appendf(turn->out,
			"That removes everything of the group '%s': its messages, its memory "
			"and its tasks. ",
			name);
		offline_ask(turn, command);
		return 0;
	}
	if (host_call(json_build("op:s group:v", "remove_group", what), &reply, err) < 0)
		return -1;
	buf_appendf(turn->out, "The group '%s' is removed.", json_member(reply, "folder"));
	return 0;
}
