#include <string.h>

#include "agent/offline/forgotten.h"
#include "agent/offline/host_call.h"
#include "agent/offline/memory.h"
#include "agent/offline/offline.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "time/phrase/language.h"
#include "time/phrase/word_list.h"

int answer_remember(const struct turn_request *turn, struct error *err)
{
	struct view text = view_trim(view_of(turn->request->what));
	bool is_new;

	if (memory_add_note(turn->offline->folder, text, &is_new, err) < 0)
		return -1;
	buf_appendf(turn->out, "%s: %.*s", is_new ? "Noted" : "I have that already",
		VIEW_ARGS(text));
	return 0;
}

int answer_state(const struct turn_request *turn, struct error *err)
{
	CLEANUP(freep) char *padded = xasprintf("%s ", turn->request->text);

	if (!strcasestr(padded, " is ") && !strcasestr(padded, " are ") &&
		!strcasestr(padded, " ist ") && !strcasestr(padded, " es ") &&
		!strcasestr(padded, " sind ") && !strcasestr(padded, " son "))
		return answer_list(turn, err);
	buf_append_str(turn->out, "Shall I remember that? Say 'yes', or 'remember …'.");
	turn->offline->asked = xasprintf("yes, remember %s", turn->request->text);
	return 0;
}

int answer_remember_all(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const char *text = turn->request->what;

	if (host_call(json_build("op:s text:s", "remember_globally", text), &reply, err) < 0)
		return -1;
	buf_appendf(turn->out, "%s for every group: %s",
		json_is_true(json_object_get(reply, "added")) ? "Noted" : "I have that already",
		text);
	return 0;
}

/* --- looking ----------------------------------------------------------------- */

/* Words that say nothing about what a note is about. */
#define EMPTY_WORDS                                                                                \
	"the|a|an|my|our|your|about|that|this|to|of|i|is|are|was|were|did|do|does|on|in|at|for|"   \
	"me|you|we|it|its|be|have|has|had|there|s|tell|show|get|again|who|whos|what|whats|when|"   \
	"whens|where|wheres|which|why|how|hows|much|many|called|der|die|das|den|dem|des|ein|"      \
	"eine|mein|meine|meinen|meinem|unser|unsere|ist|sind|war|hat|heißt|lautet|von|vom|mit|"   \
	"wer|was|wann|wo|wie|welche|welcher|welches|viel|viele|el|la|los|las|un|una|mi|mis|tu|"    \
	"su|es|son|está|esta|están|de|del|al|quién|quien|qué|que|cuándo|cuando|dónde|donde|" \
	"cuál|cual|cuáles|cuánto|cómo|como|se|llama|zeig|mir|muéstrame|muestrame"

/* How many of the words are in the note, whatever their case, and of how many. */
static size_t count_words(const char *note, const struct word_list *wanted, size_t *ret_of)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	size_t found = 0;

	*ret_of = 0;
	word_list_split(view_of(note), &words);
	for (size_t i = 0; i < wanted->count; i++) {
		const char *word = word_list_at(wanted, i);
		size_t len = strlen(word);
		bool is_there = false;

		if (!*word || word_list_is(wanted, i, EMPTY_WORDS))
			continue;
		/* "the plumber's number", "keys": without the ending. */
		len -= len > 3 && word[len - 1] == 's' ? 1 : 0;
		for (size_t at = 0; at < words.count && !is_there; at++)
			is_there = memmem(words.list[at].text, strlen(words.list[at].text),
					   word, len) != NULL;
		found += is_there;
		++*ret_of;
	}
	return found;
}

static bool note_matches(const char *note, const char *what, const struct word_list *words)
{
	size_t of;

	return strcasestr(note, what) || (count_words(note, words, &of) == of && of);
}

static void print_note(
	const struct turn_request *turn, const struct string_array *notes, size_t i)
{
	struct view rest = view_of(notes->list[i]);
	struct view line;
	bool first = true;

	while (view_next(&rest, '\n', &line)) {
		if (turn->out->len && turn->out->data[turn->out->len - 1] != '\n')
			buf_append_char(turn->out, '\n');
		if (first)
			buf_appendf(turn->out, "%zu. %.*s", i + 1, VIEW_ARGS(line));
		else
			buf_appendf(turn->out, "   %.*s", VIEW_ARGS(line));
		first = false;
	}
}

static void say_none(const struct turn_request *turn)
{
	buf_append_str(turn->out, "There are no notes yet. Say 'remember …' to make one.");
}

int answer_notes(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(word_list_release) struct word_list words = {0};
	const char *what = turn->request->what;
	size_t shown = 0;

	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	word_list_split(view_of(what), &words);
	for (size_t i = 0; i < notes.count; i++)
		if (!*what || note_matches(notes.list[i], what, &words)) {
			print_note(turn, &notes, i);
			shown++;
		}
	if (!notes.count)
		say_none(turn);
	else if (!shown)
		buf_appendf(turn->out, "None of the %zu notes is about that.", notes.count);
	return 0;
}

/* Adds the lines of the memory of all groups, which its agents see in this file. */
static void add_global_notes(int folder, struct string_array *notes)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, line;

	if (beneath_path_read_if(
		    folder, ".claude-global-memory.md", MEMORY_MAX_SIZE, &text, &ignored) < 0)
		return;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (view_trim(line).len && !strchr("#<[", line.data[0]))
			/* What an agent has added is quoted. */
			string_array_addf(notes, "%.*s",
				VIEW_ARGS(view_slice(
					line, view_starts_with(line, "> ") ? 2 : 0, line.len)));
}

/* A question: the notes that have most of its words, and at least half of them. */
int answer_ask(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(word_list_release) struct word_list words = {0};
	size_t most = 0;
	size_t of = 0;
	size_t own;

	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	own = notes.count;
	add_global_notes(turn->offline->folder, &notes);
	word_list_split(view_of(turn->request->text), &words);
	for (size_t i = 0; i < notes.count; i++) {
		size_t found = count_words(notes.list[i], &words, &of);

		most = found > most ? found : most;
	}
	/* "Dentist" alone is about notes if one has it. */
	if (turn->request->kind == REQUEST_UNKNOWN || turn->request->kind == REQUEST_STATE) {
		if (!most || most < of)
			return turn->request->kind == REQUEST_UNKNOWN
				       ? answer_perhaps_remind(turn, err)
				       : answer_unknown(turn, err);
	} else if (!most || most * 2 < of) {
		buf_append_str(turn->out,
			"I have no note about that, and no model that could answer. 'help' lists "
			"what I can do, and says how to give me a model.");
		return 0;
	}
	for (size_t i = 0; i < notes.count; i++)
		if (count_words(notes.list[i], &words, &of) == most) {
			if (i < own)
				print_note(turn, &notes, i);
			else
				buf_appendf(turn->out, "%s%s", turn->out->len ? "\n" : "",
					notes.list[i]);
		}
	return 0;
}

/* --- forgetting -------------------------------------------------------------- */

static bool is_everything(const char *what)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	static const char *const forms[] = {"everything", "all", "all notes", "all my notes",
		"all the notes", "all of it", "all of them", "every note", "it all"};

	word_list_split(view_of(what), &words);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (word_list_are(&words, 0, forms[i]) == words.count && words.count)
			return true;
	return false;
}

static int forget_everything(
	const struct turn_request *turn, const struct string_array *notes, struct error *err)
{
	bool found;

	if (!turn->request->confirmed) {
		if (notes->count == 1)
			buf_append_str(turn->out, "That deletes the only note for good. ");
		else
			buf_appendf(turn->out, "That deletes all %zu notes for good. ",
				notes->count);
		offline_ask(turn, "forget everything");
		return 0;
	}
	if (memory_remove_note(turn->offline->folder, NULL, &found, err) < 0)
		return -1;
	buf_append_str(turn->out, "All notes are forgotten.");
	return 0;
}

/* `key` of the message, under which the note is written down first; NULL if it is already. */
static int forget_note(
	const struct turn_request *turn, const char *key, const char *note, struct error *err)
{
	bool found;

	if ((key && forgotten_keep(turn->offline->folder, key, note, err) < 0) ||
		memory_remove_note(turn->offline->folder, note, &found, err) < 0)
		return -1;
	buf_appendf(turn->out, "Forgotten: %s", note);
	return 0;
}

static int forget_by_words(const struct turn_request *turn, const char *key,
	const struct string_array *notes, struct error *err)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	const char *what = turn->request->what;
	size_t found = 0;
	size_t last = 0;

	word_list_split(view_of(what), &words);
	for (size_t i = 0; i < notes->count; i++)
		if (note_matches(notes->list[i], what, &words)) {
			last = i;
			found++;
		}
	if (found == 1)
		return forget_note(turn, key, notes->list[last], err);
	if (!found) {
		buf_append_str(turn->out, "I have no note about that. 'notes' lists all.");
		return 0;
	}
	buf_append_str(turn->out, "Which one? Say 'forget' and its number:");
	for (size_t i = 0; i < notes->count; i++)
		if (note_matches(notes->list[i], what, &words))
			print_note(turn, notes, i);
	return 0;
}

int answer_forget(const struct turn_request *turn, struct error *err)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(word_list_release) struct word_list words = {0};
	CLEANUP(freep) char *key = offline_message_key(turn);
	CLEANUP(freep) char *meant = NULL; /* if the turn is repeated */
	const char *what = turn->request->what;
	int number;

	if (!key)
		return error_set(err, ERROR_FAILED, "the host does not answer");
	meant = forgotten_find(turn->offline->folder, key);
	if (meant)
		return forget_note(turn, NULL, meant, err);
	if (memory_notes(turn->offline->folder, &notes, err) < 0)
		return -1;
	if (!notes.count) {
		say_none(turn);
		return 0;
	}
	if (!*what) {
		buf_append_str(turn->out, "Which note? Say 'forget' and its number; 'notes' "
					  "lists them.");
		return 0;
	}
	if (is_everything(what))
		return forget_everything(turn, &notes, err);
	word_list_split(view_of(what), &words);
	number = words.count == 1 ? language_number(word_list_at(&words, 0)) : -1;
	if (number < 0)
		return forget_by_words(turn, key, &notes, err);
	if (number >= 1 && (size_t)number <= notes.count)
		return forget_note(turn, key, notes.list[number - 1], err);
	buf_appendf(turn->out, "There is no note %d; there %s %zu. 'notes' lists them.", number,
		notes.count == 1 ? "is" : "are", notes.count);
	return 0;
}
