/*
 * Lists, such as one for shopping. Each thing on a list is a note that begins with the name
 * of the list, "shopping: milk", so that people and other agents can read and edit it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/offline/memory.h"
#include "agent/offline/offline.h"

/* "milk to the shopping list": the thing, and the name of the list; false without one. */
static bool split_item(char *what, const char *word, char **ret_list)
{
	size_t len;

	if (!request_split(what, word, ret_list))
		return false;
	if (!strncasecmp(*ret_list, "the ", 4) || !strncasecmp(*ret_list, "our ", 4))
		*ret_list += 4;
	if (!strncasecmp(*ret_list, "my ", 3))
		*ret_list += 3;
	len = strlen(*ret_list);
	if (len > 5 && !strcasecmp(*ret_list + len - 5, " list"))
		(*ret_list)[len - 5] = '\0';
	return *what && **ret_list && !strchr(*ret_list, ':');
}

int answer_add_item(const struct turn_request *turn, struct error *err)
{
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *note = NULL;
	char *list;
	bool is_new;

	if (!split_item(what, " to ", &list))
		return answer_unknown(turn, err);
	note = xasprintf("%s: %s", list, what);
	if (memory_add_note(turn->offline->folder, view_of(note), &is_new, err) < 0)
		return -1;
	buf_appendf(turn->out, "'%s' is %s the list '%s'.", what,
		is_new ? "now on" : "already on", list);
	return 0;
}

int answer_remove_item(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *note = NULL;
	char *list;
	bool found;

	if (!split_item(what, " from ", &list)) {
		if (!*what || what[strspn(what, "0123456789")])
			return answer_unknown(turn, err);
		buf_appendf(turn->out,
			"Say 'cancel %s' for a reminder or task, or 'forget %s' for a note.",
			what, what);
		return 0;
	}
	note = xasprintf("%s: %s", list, what);
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	for (size_t i = 0; i < notes.count; i++)
		if (!strcasecmp(notes.list[i], note)) {
			if (memory_remove_note(
				    turn->offline->folder, notes.list[i], &found, err) < 0)
				return -1;
			buf_appendf(turn->out, "'%s' is off the list '%s'.", what, list);
			return 0;
		}
	buf_appendf(turn->out, "'%s' is not on the list '%s'.", what, list);
	return 0;
}

int answer_list(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(freep) char *what = xasprintf("x on %s", turn->request->what);
	char *list;
	size_t count = 0;

	if (!split_item(what, " on ", &list))
		return answer_unknown(turn, err);
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	for (size_t i = 0; i < notes.count; i++) {
		size_t len = strlen(list);

		if (strncasecmp(notes.list[i], list, len) != 0 ||
			strncmp(notes.list[i] + len, ": ", 2) != 0)
			continue;
		buf_appendf(turn->out, "%s- %s", count++ ? "\n" : "", notes.list[i] + len + 2);
	}
	if (!count)
		buf_appendf(turn->out,
			"There is nothing on a list '%s'. Say for example 'add milk to "
			"%s'.",
			list, list);
	return 0;
}
