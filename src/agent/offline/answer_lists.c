/*
 * Lists, such as one for shopping. Each thing on a list is a note that begins with the name
 * of the list, "shopping: milk", so that people and other agents can read and edit it. A list
 * without things is the note "shopping: (empty)".
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/offline/memory.h"
#include "agent/offline/offline.h"
#include "base/similar.h"

#define MAX_NAME 40 /* a longer one is a note with a colon */
#define EMPTY    "(empty)"

/* --- names ------------------------------------------------------------------- */

/* "my shopping list", "la lista de la compra": without the words around the name, in place. */
static char *list_name(char *text)
{
	static const char around[] =
		"the|my|our|on|in|a|auf|der|die|den|das|dem|meine|meiner|meinen|unsere|"
		"unserer|la|el|mi|en|nuestra|lista|list|liste|for|für|para|de|del|everything on|"
		"everything from|all of|all|alles auf|todo";
	size_t len;

	while ((len = request_leading(text, around)))
		text += len;
	len = strlen(text);
	if (len > 5 && !strcasecmp(text + len - 5, " list"))
		text[len - 5] = '\0';
	return text;
}

/* The name of the list that this note is a thing on, as its length; 0: it is none. */
static size_t list_of(const char *note)
{
	const char *colon = strstr(note, ": ");

	return colon && colon - note <= MAX_NAME && !memchr(note, '\n', (size_t)(colon - note))
		       ? (size_t)(colon - note)
		       : 0;
}

static bool is_on(const char *note, const char *list)
{
	return *list && list_of(note) == strlen(list) && !strncasecmp(note, list, strlen(list));
}

static const char *thing_of(const char *note)
{
	return note + list_of(note) + 2;
}

/* The only list that there is; NULL if there are none or several. */
static char *only_list(const struct string_array *notes)
{
	const char *first = NULL;

	for (size_t i = 0; i < notes->count; i++) {
		if (!list_of(notes->list[i]))
			continue;
		if (first && (list_of(first) != list_of(notes->list[i]) ||
				     strncasecmp(first, notes->list[i], list_of(first)) != 0))
			return NULL;
		first = notes->list[i];
	}
	return first ? xmemdupz(first, list_of(first)) : NULL;
}

/* --- several things ---------------------------------------------------------- */

/* Between "milk, eggs and bread"; "1,5 l" is one thing. */
static size_t separator(const char *at)
{
	static const char *const words[] = {" and ", " und ", " y ", " e ", ", and ", ", und "};

	for (size_t i = ARRAY_SIZE(words); i-- > 0;)
		if (!strncasecmp(at, words[i], strlen(words[i])))
			return strlen(words[i]);
	return *at == '\n' || *at == ';' || (*at == ',' && !isdigit((unsigned char)at[1]));
}

static void split_things(const char *what, struct string_array *ret_things)
{
	static const char few[] =
		"some|please|bitte|noch|ein paar|mal|the|my|die|das|den|el|la|los|las";
	const char *start = what;
	bool quoted = false;

	for (const char *at = what;; at++) {
		size_t len = quoted ? 0 : separator(at);
		struct view thing = view_trim((struct view){start, (size_t)(at - start)});

		quoted ^= *at == '"';
		if (*at && !len)
			continue;
		thing = view_slice(thing, request_leading(thing.data, few), thing.len);
		if (thing.len >= 2 && thing.data[0] == '"')
			thing = view_slice(thing, 1, thing.len - 1);
		if (thing.len)
			string_array_addf(ret_things, "%.*s", VIEW_ARGS(thing));
		if (!*at)
			return;
		start = at + len;
		at += len - 1;
	}
}

static void append_thing(struct buf *out, const char *thing)
{
	buf_appendf(out, "%s'%s'", out->len ? ", " : "", thing);
}

/* "'milk', 'eggs' are now on the list 'shopping'." */
static void say_things(const struct turn_request *turn, const struct buf *things,
	const char *where, const char *list)
{
	if (things->len)
		buf_appendf(turn->out, "%s%s %s %s the list '%s'.", turn->out->len ? "\n" : "",
			things->data, strstr(things->data, "', '") ? "are" : "is", where, list);
}

/* --- requests ---------------------------------------------------------------- */

/* Are there things on this list, or is it known as empty? */
static bool is_known(const struct string_array *notes, const char *list)
{
	for (size_t i = 0; i < notes->count; i++)
		if (is_on(notes->list[i], list))
			return true;
	return false;
}

/* "Milk on the shopping list and eggs": another list is named, and then more things. */
static bool names_list(const struct string_array *notes, const char *things,
	const struct form *form, const char *preposition)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(freep) char *what = xstrdup(things);
	char *rest = NULL;

	if (!request_split(what, form->prepositions, &rest))
		return false;
	split_things(rest, &parts);
	return parts.count > 1 &&
	       (!strncasecmp(what + strlen(what) + 1, preposition, strcspn(preposition, " ")) ||
		       strcasestr(parts.list[0], "list") ||
		       is_known(notes, list_name(parts.list[0])) ||
		       !strcasecmp(list_name(parts.list[0]), form->list));
}

int answer_add_item(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(string_array_release) struct string_array things = {0};
	CLEANUP(string_array_release) struct string_array lists = {0};
	CLEANUP(buf_release) struct buf added = BUF_INIT;
	CLEANUP(buf_release) struct buf known = BUF_INIT;
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *only = NULL;
	CLEANUP(freep) char *empty = NULL;
	const struct form *form = turn->request->form;
	char *rest = NULL;
	const char *list;
	bool is_new;

	if (!request_split(what, form->prepositions, &rest)) {
		/* "Add to shopping: milk" has no thing to show. */
		const char *shown = request_leading(what, form->prepositions) ? "milk" : what;

		buf_appendf(turn->out,
			"On which list? Say for example 'add %s to shopping', or 'remember %s'.",
			shown, shown);
		return 0;
	}
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	split_things(rest, &lists);
	if (names_list(&notes, what, form, what + strlen(what) + 1) ||
		(lists.count > 1 && !is_known(&notes, list_name(rest)))) {
		buf_append_str(turn->out,
			"That sounds like several lists, so I did nothing. Please say them one "
			"at a time, such as 'add milk to shopping'.");
		return 0;
	}
	split_things(what, &things);
	list = list_name(rest);
	only = *list ? NULL : only_list(&notes);
	list = *list ? list : only ? only : form->list;
	if (!things.count || strchr(list, ':') || strlen(list) > MAX_NAME)
		return answer_unknown(turn, err);
	for (size_t i = 0; i < notes.count; i++)
		if (is_on(notes.list[i], list)) { /* as it is written there */
			free(only);
			list = only = xmemdupz(notes.list[i], list_of(notes.list[i]));
			break;
		}
	for (size_t i = 0; i < things.count; i++) {
		CLEANUP(freep) char *note = xasprintf("%s: %s", list, things.list[i]);

		if (memory_add_note(turn->offline->folder, view_of(note), &is_new, err) < 0)
			return -1;
		append_thing(is_new ? &added : &known, things.list[i]);
	}
	empty = xasprintf("%s: " EMPTY, list);
	if (memory_remove_note(turn->offline->folder, empty, &is_new, err) < 0)
		return -1;
	say_things(turn, &added, "now on", list);
	say_things(turn, &known, "already on", list);
	return 0;
}

/* The list stays when the last thing is taken off. */
static int keep_list(const struct turn_request *turn, const char *list, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(freep) char *empty = xasprintf("%s: " EMPTY, list);
	bool is_new;

	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	return is_known(&notes, list)
		       ? 0
		       : memory_add_note(turn->offline->folder, view_of(empty), &is_new, err);
}

/* Removes the things on the list, or (NULL) on any list, that are called so; NULL: all of them. */
static int remove_things(const struct turn_request *turn, const struct string_array *notes,
	const char *list, const char *thing, struct buf *removed, char **ret_list,
	struct error *err)
{
	bool found;

	for (size_t i = 0; i < notes->count; i++) {
		const char *note = notes->list[i];

		if (!list_of(note) || (list && !is_on(note, list)) ||
			(thing && strcasecmp(thing_of(note), thing) != 0))
			continue;
		if (memory_remove_note(turn->offline->folder, note, &found, err) < 0)
			return -1;
		if (strcmp(thing_of(note), EMPTY) != 0)
			append_thing(removed, thing_of(note));
		free(*ret_list);
		*ret_list = xmemdupz(note, list_of(note));
	}
	return 0;
}

int answer_remove_item(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(string_array_release) struct string_array things = {0};
	CLEANUP(buf_release) struct buf removed = BUF_INIT;
	CLEANUP(buf_release) struct buf unknown = BUF_INIT;
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *found = NULL;
	char *rest = NULL;
	const char *list = NULL;

	if (*what && !what[strspn(what, "0123456789")]) {
		buf_appendf(turn->out,
			"Say 'cancel %s' for a reminder or task, or 'forget %s' for a note.",
			what, what);
		return 0;
	}
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	if (request_split(what, turn->request->form->prepositions, &rest) && *list_name(rest))
		list = list_name(rest);
	if (list && (request_leading(what, "everything|all|alles|todo") || !*list_name(what)))
		return answer_clear_list(turn, err);
	split_things(what, &things);
	for (size_t i = 0; i < things.count; i++) {
		size_t before = removed.len;

		if (remove_things(turn, &notes, list, things.list[i], &removed, &found, err) <
			0)
			return -1;
		if (removed.len == before)
			append_thing(&unknown, things.list[i]);
	}
	if (!removed.len && !list) /* "delete the shopping list" */
		return answer_clear_list(turn, err);
	if (found && keep_list(turn, found, err) < 0)
		return -1;
	say_things(turn, &removed, "off", found);
	say_things(turn, &unknown, "not on", list ? list : found);
	return 0;
}

/* The list whose name is most like this one, in quotes; or NULL. */
static char *near_list(const struct string_array *notes, const char *list)
{
	struct similar best = similar_to(list);
	char *found = NULL;

	for (size_t i = 0; i < notes->count; i++) {
		CLEANUP(freep) char *name = xmemdupz(notes->list[i], list_of(notes->list[i]));
		size_t before = best.distance;

		similar_consider(&best, name);
		if (best.distance == before)
			continue;
		free(found);
		found = xasprintf("'%s'", name);
	}
	return found;
}

int answer_clear_list(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(buf_release) struct buf removed = BUF_INIT;
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *found = NULL;
	CLEANUP(freep) char *near = NULL;
	const char *prepositions = turn->request->form->prepositions;
	CLEANUP(freep) char *only = NULL;
	char *list = what;
	/* "Delete the shopping list", and not "everything from it". */
	bool gone = prepositions &&
		    (!request_split(what, prepositions, &list) || strcasestr(what, "list"));

	list = list_name(list);
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	if (!*list)
		list = only = only_list(&notes);
	if (!list)
		return answer_lists(turn, err);
	if (remove_things(turn, &notes, list, NULL, &removed, &found, err) < 0)
		return -1;
	near = found ? NULL : near_list(&notes, list);
	if (found && !gone && keep_list(turn, found, err) < 0)
		return -1;
	if (found)
		buf_appendf(turn->out, "The list '%s' is %s.%s%s%s", found,
			gone          ? "gone"
			: removed.len ? "empty now"
				      : "empty",
			removed.len ? " This was on it: " : "", removed.data,
			removed.len ? "." : "");
	else
		buf_appendf(turn->out,
			prepositions ? "'%s' is on no list%s%s. 'lists' shows all."
				     : "I have no list '%s'%s%s. 'lists' shows all.",
			list, near ? "; there is " : "", near ? near : "");
	return 0;
}

int answer_list(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *only = NULL;
	const char *list = list_name(what);
	bool named = strcasestr(turn->request->text, "list") != NULL; /* "lista", "Liste" */
	size_t count = 0;

	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	if (!*list)
		list = only = only_list(&notes);
	if (!list)
		return answer_lists(turn, err);
	for (size_t i = 0; i < notes.count; i++)
		if (!is_on(notes.list[i], list))
			continue;
		else if (strcmp(thing_of(notes.list[i]), EMPTY) != 0)
			buf_appendf(turn->out, "%s- %s", count++ ? "\n" : "",
				thing_of(notes.list[i]));
		else if (!count++)
			buf_appendf(turn->out, "The list '%s' is empty.", list);
	/* "Make a list of all countries" asks for none. */
	named = named && (turn->request->form || !strchr(list, ' '));
	if (!count && !named && turn->request->kind != REQUEST_LIST)
		return answer_ask(turn, err);
	if (!count)
		buf_appendf(turn->out,
			"There is nothing on a list '%s'. Say for example 'add milk to "
			"%s'.",
			list, list);
	return 0;
}

int answer_lists(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(string_array_release) struct string_array shown = {0};

	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	for (size_t i = 0; i < notes.count; i++) {
		size_t len = list_of(notes.list[i]);
		CLEANUP(freep) char *list = xmemdupz(notes.list[i], len);

		if (!len || string_array_has(&shown, list))
			continue;
		string_array_addf(&shown, "%s", list);
		buf_appendf(turn->out, "%s%s: ", turn->out->len ? "\n" : "", list);
		for (size_t more = i, count = 0; more < notes.count; more++)
			if (is_on(notes.list[more], list))
				buf_appendf(turn->out, "%s%s", count++ ? ", " : "",
					thing_of(notes.list[more]));
	}
	if (!shown.count)
		buf_append_str(turn->out,
			"There are no lists yet. Say for example 'add milk to shopping'.");
	return 0;
}
