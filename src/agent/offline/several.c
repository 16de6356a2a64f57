/* Several requests in one message: "add milk to shopping and remind me tomorrow to buy it". */
#include <string.h>

#include "agent/offline/request.h"
#include "base/alloc.h"
#include "time/phrase/when.h"
#include "time/phrase/word_list.h"

/* A longer message is a text that somebody pasted. */
#define MAX_LENGTH ((size_t)1000)

static const char connectors[] =
	"and|then|also|und|dann|danach|außerdem|y|luego|después|además";

/* The thing and its list: "milk to shopping". */
static bool has_list(const struct request *request)
{
	CLEANUP(freep) char *what = xstrdup(request->what);
	char *list = NULL;

	return request_split(what, request->form->prepositions, &list) && *list;
}

/* "Call mum tomorrow at 5pm": a time at the end finishes it. */
static bool ends_in_time(struct view text)
{
	CLEANUP(when_release) struct when when = {0};

	when_read(text, &(struct when_context){0}, &when);
	return when.kind != WHEN_NONE && *when.what && !view_ends_with(text, when.what);
}

/*
 * Could the person have stopped there? "Remember to take the bins out" may go on with "and put". A
 * reminder is finished by a time, or by a full stop.
 */
static bool is_complete(const struct request *request, struct view text)
{
	static const enum request_kind others[] = {REQUEST_AGENDA, REQUEST_CANCEL,
		REQUEST_CLEAR_LIST, REQUEST_FORGET, REQUEST_MOVE, REQUEST_PAUSE, REQUEST_RESUME,
		REQUEST_SNOOZE, REQUEST_TASKS, REQUEST_TIME};

	if (request->kind == REQUEST_REMIND)
		return ends_in_time(text);
	if (request->kind == REQUEST_ADD_ITEM || request->kind == REQUEST_REMOVE_ITEM)
		return has_list(request);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (request->kind == others[i])
			return true;
	return false;
}

/* `perhaps`: also where the first, a reminder, may go on. */
static bool are_two(struct view first, struct view second, const char *name,
	const char *trigger, bool perhaps)
{
	CLEANUP(request_release) struct request a = {0}, b = {0};
	CLEANUP(word_list_release) struct word_list words = {0};

	request_read(first, name, trigger, &a);
	if (a.kind != REQUEST_REMIND && a.kind != REQUEST_REMEMBER &&
		a.kind != REQUEST_ADD_ITEM && a.kind != REQUEST_REMOVE_ITEM &&
		!is_complete(&a, first))
		return false;
	request_read(second, "", "", &b);
	word_list_split(second, &words);
	/* A timer can be a thing to buy. */
	if (b.kind == REQUEST_REMIND)
		return !word_list_is(&words, 0,
			"timer|alarm|reminder|countdown|wecker|erinnerung|eieruhr|alarma|"
			"recordatorio|temporizador");
	/* "Forget 1 and forget 2": the numbers are those before. */
	return (is_complete(&a, first) || a.kind == REQUEST_REMOVE_ITEM ||
		       (perhaps && a.kind == REQUEST_REMIND)) &&
	       (b.kind == REQUEST_REMEMBER || (*b.what && is_complete(&b, second))) &&
	       /* "Call Ann at 5pm and cancel the flight" is no wish to cancel a task. */
	       (a.kind != REQUEST_REMIND || perhaps || b.kind == REQUEST_REMEMBER ||
		       b.form->prepositions) &&
	       (a.kind != REQUEST_FORGET || b.kind != REQUEST_FORGET);
}

size_t request_second(
	struct view text, const char *name, const char *trigger, bool perhaps, size_t *ret_end)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	bool quoted = false;

	if (text.len > MAX_LENGTH)
		return 0;
	word_list_split(text, &words);
	for (size_t i = 1; i < words.count; i++) {
		size_t end = words.list[i - 1].end;
		size_t next = i;

		for (size_t c = words.list[i - 1].start; c < end; c++)
			quoted ^= text.data[c] == '"';
		while (next < words.count && word_list_is(&words, next, connectors))
			next++;
		if (quoted || next == words.count ||
			(next == i && !strchr(",;.!", text.data[end - 1]) &&
				!memchr(text.data + end, '\n', words.list[i].start - end)))
			continue;
		while (end && strchr(",;", text.data[end - 1]))
			end--;
		if (!are_two(view_slice(text, 0, end),
			    view_slice(text, words.list[next].start, text.len), name, trigger,
			    perhaps))
			continue;
		*ret_end = end;
		return words.list[next].start;
	}
	return 0;
}
