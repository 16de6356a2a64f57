#include "agent/offline/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/similar.h"
#include "time/phrase/when.h"
#include "time/phrase/word_list.h"

bool request_split(char *what, const char *word, char **ret_rest)
{
	char *found = NULL;

	for (char *p = what; (p = strcasestr(p, word)); p++)
		found = p;
	if (!found)
		return false;
	*found = '\0';
	*ret_rest = found + strlen(word);
	return true;
}

void request_release(struct request *request)
{
	free(request->text);
	free(request->what);
	request->text = request->what = NULL;
}

enum rest {
	REST_ANY,
	REST_NONE, /* it is this only if nothing follows */
	REST_SOME, /* it is this only if something follows */
};

struct form {
	const char *words; /* '|' between several */
	enum request_kind kind;
	enum rest rest;
};

/* The one with the most words counts; among these the first. */
static const struct form forms[] = {
	{"remember that|remember to|remember|note that|note down that|note down|note to self|note|"
	 "make a note that|make a note of|make a note to|make a note|take a note that|"
	 "take a note|take note that|take note of|take note|keep in mind that|keep in mind|"
	 "write down that|write down|don't forget that|don't forget to|don't forget|"
	 "do not forget that|do not forget to|do not forget|memorize|memorise|merk dir dass|"
	 "merke dir dass|merk dir|merke dir|notiere|recuerda que|apunta que|apunta",
		REQUEST_REMEMBER, REST_SOME},
	{"notes about|list notes about|show notes about|show me notes about|find notes about|"
	 "what do you remember about|what do you know about|what did i say about|"
	 "what did i tell you about|do you remember|search notes for|recall",
		REQUEST_NOTES, REST_SOME},
	{"notes|note|my notes|the notes|all notes|list notes|list my notes|list the notes|"
	 "list all notes|show notes|show my notes|show the notes|show all notes|show me notes|"
	 "show me my notes|show me the notes|show me all notes|read my notes|read notes|"
	 "read me my notes|what do you remember|what do you know|what did i tell you|"
	 "what have i told you|what have you noted|what are my notes|remember|memory|recall|"
	 "notizen|meine notizen|zeig meine notizen|was weißt du|notas|mis notas",
		REQUEST_NOTES, REST_NONE},
	{"forget about|forget that|forget the note about|forget the note|forget note number|"
	 "forget note|forget notes|forget number|forget|delete note number|delete note|"
	 "delete the note about|delete the note|delete notes|delete my notes|remove note number|"
	 "remove note|remove the note about|remove the note|erase note",
		REQUEST_FORGET, REST_ANY},
	{"delete all notes|delete all my notes|remove all notes|remove all my notes|"
	 "delete everything",
		REQUEST_FORGET, REST_NONE},
	{"never mind|nevermind|forget it|no|nope|nein|no thanks|no thank you|rather not|better not",
		REQUEST_NO, REST_NONE},
	{"tasks|reminders|task|my tasks|my reminders|the tasks|the reminders|list tasks|"
	 "list my tasks|list the tasks|list reminders|list my reminders|list all tasks|"
	 "list all reminders|show tasks|show my tasks|show reminders|show my reminders|"
	 "show the reminders|show the tasks|show all tasks|show all reminders|show me my tasks|"
	 "show me my reminders|show me the reminders|show me the tasks|what is scheduled|"
	 "what's scheduled|scheduled tasks|schedule|schedules|what are my reminders|"
	 "what are my tasks|what reminders do i have|what reminders are there|"
	 "what tasks are there|which reminders are set|upcoming|agenda|"
	 "erinnerungen|meine erinnerungen|aufgaben|meine aufgaben|recordatorios|"
	 "mis recordatorios|tareas|mis tareas",
		REQUEST_TASKS, REST_NONE},
	{"what's on|what is on|what's on for|what do i have|what's planned for|what is planned for|"
	 "what's scheduled for|what is scheduled for|agenda for|reminders for|tasks for",
		REQUEST_AGENDA, REST_SOME},
	{"what's on the|what is on the|show the list|show list", REQUEST_LIST, REST_SOME},
	{"add|put", REQUEST_ADD_ITEM, REST_SOME},
	{"take|remove|delete|cross", REQUEST_REMOVE_ITEM, REST_SOME},
	{"move task number|move task|move the task|move reminder number|move reminder|"
	 "move the reminder|move number|move|reschedule|postpone|delay|change task|"
	 "change reminder|change the reminder",
		REQUEST_MOVE, REST_SOME},
	{"snooze|snooze it|snooze that|snooze for|snooze it for|remind me again",
		REQUEST_SNOOZE, REST_ANY},
	{"remind the group|remind group|remind the|remind", REQUEST_REMIND_GROUP, REST_SOME},
	{"pause task number|pause task|pause the task|pause reminder number|pause reminder|"
	 "pause the reminder|pause my reminder|pause number|pause|suspend",
		REQUEST_PAUSE, REST_ANY},
	{"resume task number|resume task|resume the task|resume reminder number|resume reminder|"
	 "resume the reminder|resume my reminder|resume number|resume|unpause task|"
	 "unpause reminder|unpause|continue task|continue reminder|continue with",
		REQUEST_RESUME, REST_ANY},
	{"cancel task number|cancel task|cancel the task|cancel reminder number|cancel reminder|"
	 "cancel the reminder|cancel my reminder|cancel number|cancel|stop task|stop reminder|"
	 "stop the reminder|stop reminding me|stop|delete task number|delete task|"
	 "delete the task|delete reminder number|delete reminder|delete the reminder|"
	 "remove task|remove the task|remove reminder|remove the reminder",
		REQUEST_CANCEL, REST_ANY},
	{"groups|list groups|list all groups|list the groups|show groups|show all groups|"
	 "show the groups|show me the groups|show me all groups|my groups|the groups|"
	 "which groups are there|what groups are there",
		REQUEST_GROUPS, REST_NONE},
	{"chats|list chats|list all chats|show chats|show all chats|show me the chats|"
	 "which chats are there|what chats are there",
		REQUEST_CHATS, REST_NONE},
	{"find chats|find chat|find the chat|search chats", REQUEST_CHATS, REST_SOME},
	{"add group|add the group|add a group|add new group|register group|register the group|"
	 "register a group",
		REQUEST_ADD_GROUP, REST_ANY},
	{"remove group|remove the group|delete group|delete the group|unregister group|"
	 "unregister the group",
		REQUEST_REMOVE_GROUP, REST_ANY},
	{"time zone|timezone|time zone is|my time zone|my timezone|set time zone to|"
	 "set timezone to|set time zone|set timezone|set my time zone to|set my timezone to|"
	 "set the time zone to|set the timezone to|change time zone to|change my time zone to|"
	 "change timezone to|change my timezone to|my time zone is|my timezone is|"
	 "use time zone|use the time zone|use timezone|what is my time zone|"
	 "what's my time zone|what time zone do you use|which time zone do you use",
		REQUEST_ZONE, REST_ANY},
	{"what time is it|what's the time|what is the time|the time|time|what time is it now|"
	 "what day is it|what day is today|what day is it today|what's the date|"
	 "what is the date|what is today's date|the date|date|what date is it|today|"
	 "wie spät ist es|wie viel uhr ist es|wieviel uhr ist es|qué hora es|que hora es",
		REQUEST_TIME, REST_NONE},
	{"help|help me|what can you do|what can you do for me|what can i say|what can i do|"
	 "what can i ask|what can i ask you|commands|list commands|show commands|"
	 "how does this work|how do you work|what do you do|who are you|what are you|usage|"
	 "menu|options|start|hilfe|ayuda",
		REQUEST_HELP, REST_NONE},
	{"hello|hi|hey|hello there|hi there|good morning|good afternoon|good evening|good day|"
	 "how are you|are you there|hallo|guten morgen|guten tag|guten abend|moin|servus|hola|"
	 "buenos días|buenos dias|buenas tardes|buenas noches",
		REQUEST_HELLO, REST_NONE},
	{"thanks|thank you|thx|thanks a lot|many thanks|thank you very much|thank you so much|"
	 "great|cool|nice|perfect|very good|good|well done|ok|okay|ok thanks|okay thanks|"
	 "great thanks|bye|goodbye|good night|see you|danke|"
	 "danke schön|dankeschön|vielen dank|tschüss|gracias|muchas gracias|adiós|adios",
		REQUEST_THANKS, REST_NONE},
};

/* --- who it is for ----------------------------------------------------------- */

static bool in_word(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x80 || isalnum(byte) || c == '_';
}

/* The text without a leading `word` and the punctuation after it. */
static struct view without(struct view text, const char *word)
{
	size_t len = strlen(word);

	if (!len || text.len < len || strncasecmp(text.data, word, len) != 0 ||
		(text.len > len && in_word(word[len - 1]) && in_word(text.data[len])))
		return text;
	text = view_slice(text, len, text.len);
	while (text.len && strchr(" \t\r\n,:;.!-", text.data[0]))
		text = view_slice(text, 1, text.len);
	return text;
}

static struct view without_call(struct view text, const char *name, const char *trigger)
{
	CLEANUP(freep) char *mention = xasprintf("@%s", name);
	CLEANUP(freep) char *hey = xasprintf("hey %s", name);

	text = view_trim(text);
	text = view_trim(without(text, trigger));
	text = view_trim(without(text, mention));
	text = view_trim(without(text, hey));
	return view_trim(without(text, name));
}

/* How many words here are only polite. */
static size_t polite(const struct word_list *words, size_t at)
{
	static const char *const phrases[] = {"can you", "could you", "would you", "will you",
		"can i", "could i", "may i", "i want you to", "i want to", "i'd like you to",
		"i would like you to", "i'd like to", "i would like to", "let us", "let's"};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		size_t len = word_list_are(words, at, phrases[i]);

		if (len)
			return len;
	}
	return word_list_is(words, at,
		       "please|pls|kindly|hey|hi|hello|ok|okay|so|and|then|now|just|also|well")
		       ? 1
		       : 0;
}

static size_t skip_polite(const struct word_list *words, size_t at)
{
	size_t len;

	while (at < words->count && (len = polite(words, at)))
		at += len;
	return at;
}

/* --- recognizing requests ---------------------------------------------------- */

/* The most words of `form` that match here. */
static size_t length_of(const struct form *form, const struct word_list *words, size_t at)
{
	struct view rest = view_of(form->words);
	struct view one;
	size_t longest = 0;

	while (view_next(&rest, '|', &one)) {
		CLEANUP(freep) char *several = xmemdupz(one.data, one.len);
		size_t len = word_list_are(words, at, several);

		if (len > longest)
			longest = len;
	}
	return longest;
}

static size_t end_of(const struct word_list *words, size_t at, const char *name)
{
	size_t end = words->count;

	while (end > at && (word_list_is(words, end - 1, "please|pls|now|again|thanks|thx") ||
				   !strcasecmp(word_list_at(words, end - 1), name)))
		end--;
	return end;
}

static const struct form *find_form(
	const struct word_list *words, size_t at, const char *name, size_t *ret_len)
{
	const struct form *best = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t len = length_of(&forms[i], words, at);
		size_t rest = at + len < end_of(words, at + len, name);

		if (len <= longest || (forms[i].rest == REST_NONE && rest) ||
			(forms[i].rest == REST_SOME && !rest))
			continue;
		best = &forms[i];
		longest = len;
	}
	*ret_len = longest;
	return best;
}

/* Is the first character only between the request and its rest? "-5" has a sign. */
static bool begins_with_separator(struct view text)
{
	if (!text.len || !strchr(",:;- ", text.data[0]))
		return false;
	return text.data[0] != '-' || text.len == 1 || isspace((unsigned char)text.data[1]);
}

static char *rest_of(struct view text, const struct word_list *words, size_t at, bool trimmed)
{
	struct view rest = {"", 0};
	size_t end = words->count;

	while (trimmed && end > at && word_list_is(words, end - 1, "please|pls"))
		end--;
	if (at < end)
		rest = view_slice(text, words->list[at].start, words->list[end - 1].end);
	while (trimmed && rest.len && strchr(".!?,;", rest.data[rest.len - 1]))
		rest.len--;
	while (begins_with_separator(rest))
		rest = view_slice(rest, 1, rest.len);
	return xmemdupz(rest.data, rest.len);
}

static const char *most_like(const struct word_list *words, size_t at)
{
	static const char *const verbs[] = {
		"cancel", "forget", "pause", "remember", "remind", "resume"};
	static const char *const alone[] = {"groups", "help", "notes", "tasks", "reminders"};
	struct similar best = similar_to(word_list_at(words, at));

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		similar_consider(&best, verbs[i]);
	/* "tell me a joke" is not a mistyped "help". */
	for (size_t i = 0; i < ARRAY_SIZE(alone) && words->count - at <= 2; i++)
		similar_consider(&best, alone[i]);
	return best.found;
}

static void read_words(struct view text, const struct word_list *words, size_t at,
	const char *name, struct request *request)
{
	size_t len;
	const struct form *form = find_form(words, at, name, &len);
	struct view behind = {"", 0};

	if (at < words->count)
		behind = view_slice(text, words->list[at].start, text.len);
	if (form && form->kind != REQUEST_REMEMBER && form->rest == REST_NONE) {
		request->kind = form->kind;
		request->what = xstrdup(form->kind == REQUEST_FORGET ? "everything" : "");
	} else if (when_is_wish(behind) && !(form && form->kind == REQUEST_SNOOZE)) {
		request->kind = REQUEST_REMIND;
		request->what = xmemdupz(behind.data, behind.len);
	} else if (form) {
		request->kind = form->kind;
		request->what = rest_of(text, words, at + len, form->kind != REQUEST_REMEMBER);
		request->like = form->kind == REQUEST_REMIND_GROUP ? "remind" : NULL;
	} else {
		request->what = xmemdupz(behind.data, behind.len);
		request->like = most_like(words, at);
	}
}

void request_read(
	struct view text, const char *name, const char *trigger, struct request *ret_request)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	struct request request = {0};
	size_t at;
	size_t yes = 0;

	text = without_call(text, name, trigger);
	if (view_starts_with(text, "¿") || view_starts_with(text, "¡"))
		text = view_slice(text, strlen("¿"), text.len);
	word_list_split(text, &words);
	if (word_list_is(&words, 0, "yes|yep|yeah|sure|confirm|ja|sí|si"))
		yes = 1;
	at = skip_polite(&words, yes);
	/* All of it was polite: a greeting. */
	if (at == end_of(&words, at, name) && !yes)
		at = 0;
	request.confirmed = yes;
	request.text = xmemdupz(text.data, text.len);
	if (!words.count || view_equal_str(text, "?")) {
		request.kind = REQUEST_HELP;
		request.what = xstrdup("");
	} else if (yes && at == end_of(&words, at, name)) {
		request.kind = REQUEST_YES;
		request.what = xstrdup("");
	} else {
		read_words(text, &words, at, name, &request);
	}
	*ret_request = request;
}
