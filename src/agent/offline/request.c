#include "agent/offline/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/similar.h"
#include "time/phrase/when.h"
#include "time/phrase/word_list.h"

static bool in_word(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x80 || isalnum(byte) || c == '_';
}

bool request_split(char *what, const char *words, char **ret_rest)
{
	struct view rest = view_of(words);
	struct view word;

	while (view_next(&rest, '|', &word)) {
		CLEANUP(freep) char *looked_for = xmemdupz(word.data, word.len);
		char *found = NULL;

		for (char *p = what; (p = strcasestr(p, looked_for)); p++)
			if (p > what && p[-1] == ' ' && !in_word(p[word.len]))
				found = p;
		if (!found)
			continue;
		found[-1] = '\0';
		*ret_rest = found + word.len + (found[word.len] == ' ');
		return true;
	}
	return false;
}

size_t request_leading(const char *text, const char *words)
{
	struct view rest = view_of(words);
	struct view word;

	while (view_next(&rest, '|', &word))
		if (!strncasecmp(text, word.data, word.len) &&
			(!text[word.len] || text[word.len] == ' '))
			return word.len + (text[word.len] == ' ');
	return 0;
}

void request_release(struct request *request)
{
	free(request->text);
	free(request->what);
	request->text = request->what = NULL;
}

/* The one with the most words counts; among these the first. */
static const struct form forms[] = {
	/* clang-format off */
	{"remember for everyone that|remember for everyone|remember for everybody|"
	 "remember for all groups that|remember for all groups|remember for all of us|"
	 "note for everyone|tell every group that|merk dir für alle dass|merk dir für alle|"
	 "merke dir für alle|recuerda para todos que|recuerda para todos",
		REQUEST_REMEMBER_ALL, REST_SOME},
	{"remember that|remember to|remember|note that|note down that|note down|note to self|note|save|save this|save that|"
	 "make a note that|make a note of|make a note to|make a note|take a note that|"
	 "take a note|take note that|take note of|take note|keep in mind that|keep in mind|"
	 "write down that|write down|don't forget that|don't forget to|don't forget|"
	 "do not forget that|do not forget to|do not forget|memorize|memorise|merk dir dass|"
	 "merke dir dass|merk dir|merke dir|notiere|schreib auf|vergiss nicht|recuerda que|"
	 "recuerda|apunta que|apunta|anota que|anota|no olvides que|no olvides",
		REQUEST_REMEMBER, REST_SOME},
	{"notes about|notes on|find notes about|what do you remember about|"
	 "what do you know about|what did i say about|what did i tell you about|"
	 "do you remember|search notes for|recall|notizen über|notizen zu|was weißt du über|"
	 "notas sobre|qué sabes de|qué sabes sobre",
		REQUEST_NOTES, REST_SOME, .shown = true},
	{"notes|note|what do you remember|what do you know|what did i tell you|"
	 "what have i told you|what have you noted|remember|memory|recall|"
	 "notizen|was weißt du|notas|apuntes|qué sabes",
		REQUEST_NOTES, REST_NONE, .shown = true},
	{"forget about|forget that|forget the note about|forget the note|forget note number|"
	 "forget note|forget notes|forget number|forget|delete note number|delete note|"
	 "delete the note about|delete the note|delete notes|delete my notes|remove note number|"
	 "remove note|remove the note about|remove the note|erase note|vergiss|olvida",
		REQUEST_FORGET, REST_ANY},
	{"delete all notes|delete all my notes|remove all notes|remove all my notes|"
	 "delete everything|clear notes|clear my notes|clear all notes|clear all my notes|"
	 "vergiss alles|olvida todo",
		REQUEST_FORGET, REST_NONE},
	{"tasks|reminders|task|schedule|schedules|scheduled tasks|upcoming|agenda|"
	 "what is scheduled|what's scheduled|what reminders do i have|what reminders are there|"
	 "what tasks are there|which reminders are set|what's coming up|what is coming up|"
	 "erinnerungen|aufgaben|termine|recordatorios|tareas",
		REQUEST_TASKS, REST_NONE, .shown = true},
	{"what's on|what is on|what's on for|what do i have|what do i have on|"
	 "what have i got|what's happening|what's planned for|what is planned for|"
	 "what's scheduled for|what is scheduled for|agenda for|reminders for|tasks for|"
	 "show me|show|list|was steht|was habe ich|was hab ich|was liegt|was gibt es|"
	 "termine für|zeig mir|zeig|zeige mir|zeige|qué tengo|que tengo|qué hay|que hay|"
	 "muéstrame|muestrame|muestra|enséñame|ver",
		REQUEST_AGENDA, REST_SOME, .tail = "an|vor"},
	{"what's on the|what is on the|what's on my|what's on our|what's in the|"
	 "show the list|show list|was steht auf|was ist auf|qué hay en|que hay en",
		REQUEST_LIST, REST_SOME},
	{"what do i need to buy|what should i buy|what do i have to buy|was muss ich kaufen|"
	 "was muss ich einkaufen|was brauche ich|qué tengo que comprar|que tengo que comprar",
		REQUEST_LIST, REST_NONE},
	{"lists|what lists are there|which lists are there|what lists do i have|listen|"
	 "welche listen gibt es|listas|qué listas hay|que listas hay",
		REQUEST_LISTS, REST_NONE, .shown = true},
	{"add|put|write",
		REQUEST_ADD_ITEM, REST_SOME, .list = "shopping",
		.prepositions = "to the|to my|to our|on the|on my|on our|onto|into|to|on|in"},
	{"füge|fuege|setz|setze|schreib|schreibe|pack|packe|tu",
		REQUEST_ADD_ITEM, REST_SOME, .list = "Einkauf",
		.prepositions = "auf|zur|zum|zu|in", .tail = "hinzu|dazu|drauf|noch"},
	{"añade|anade|agrega|pon|mete|apunta",
		REQUEST_ADD_ITEM, REST_SOME, .list = "compra",
		.prepositions = "a la lista|en la lista|a mi lista|en mi lista|al|a|en"},
	{"take off|take|remove|delete|cross off|cross out|cross|tick off|check off|strike|drop",
		REQUEST_REMOVE_ITEM, REST_SOME, .prepositions = "from|off of|off the|off my|off our|off|out of|of the|of my",
		.tail = "off|out"},
	{"streich|streiche|nimm|lösche|lösch|loesche|entferne",
		REQUEST_REMOVE_ITEM, REST_SOME, .prepositions = "von|vom|aus",
		.tail = "runter|herunter|raus|weg"},
	{"quita|borra|tacha|elimina|saca",
		REQUEST_REMOVE_ITEM, REST_SOME,
		.prepositions = "de la lista|de mi lista|del|de"},
	{"clear|clear out|empty|wipe|leere|leer|vacía|vacia|limpia",
		REQUEST_CLEAR_LIST, REST_SOME},
	{"i bought|we bought|bought|compré|he comprado|hemos comprado|ich habe|wir haben",
		REQUEST_REMOVE_ITEM, REST_SOME, .prepositions = "from|von|de",
		.tail = "gekauft|besorgt"},
	{"move task number|move task|move the task|move reminder number|move reminder|"
	 "move the reminder|move number|move|reschedule|postpone|delay|change|change task|"
	 "change reminder|change the reminder|verschiebe|verschieb",
		REQUEST_MOVE, REST_SOME},
	{"make it|make that|move it to|move that to|change it to|change that to",
		REQUEST_MOVE, REST_SOME, .list = "it"},
	{"snooze|snooze it|snooze that|snooze for|snooze it for|remind me again",
		REQUEST_SNOOZE, REST_ANY},
	{"done|all done|it's done|i did it|did it|finished|erledigt|fertig|hecho|ya está|listo",
		REQUEST_DONE, REST_NONE},
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
	 "remove task|remove the task|remove reminder|remove the reminder|cancela|"
	 "lösche erinnerung|lösche die erinnerung|lösche meine erinnerung|lösche aufgabe|"
	 "lösche die aufgabe|lösche den termin|storniere|borra el recordatorio|borra la tarea|"
	 "quita el recordatorio|cancela el recordatorio",
		REQUEST_CANCEL, REST_ANY},
	{"delete all reminders|delete all tasks|delete all my reminders|delete my reminders|"
	 "remove all reminders|remove all tasks|clear all reminders|clear reminders|"
	 "clear my reminders|clear tasks|clear all tasks|lösche alle erinnerungen|"
	 "borra todos los recordatorios",
		REQUEST_CANCEL, REST_NONE},
	{"groups|which groups are there|what groups are there|gruppen|grupos",
		REQUEST_GROUPS, REST_NONE, .shown = true},
	{"chats|which chats are there|what chats are there", REQUEST_CHATS, REST_NONE,
		.shown = true},
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
	 "what's my time zone|what time zone do you use|which time zone do you use|zeitzone|"
	 "meine zeitzone ist|zona horaria|mi zona horaria es",
		REQUEST_ZONE, REST_ANY},
	{"what time is it|what's the time|what is the time|the time|time|what time is it now|"
	 "what day is it|what day is today|what day is it today|what's the date|"
	 "what is the date|what is today's date|the date|date|what date is it|today|"
	 "wie spät ist es|wie viel uhr ist es|wieviel uhr ist es|welcher tag ist heute|"
	 "qué hora es|que hora es|qué día es|qué día es hoy|que dia es hoy",
		REQUEST_TIME, REST_NONE},
	{"help|help me|what can you do|what can you do for me|what can i say|what can i do|"
	 "what can i ask|what can i ask you|commands|list commands|show commands|"
	 "how does this work|how do you work|what do you do|what are you|usage|"
	 "menu|options|start",
		REQUEST_HELP, REST_NONE},
	{"hilfe|hilf mir|was kannst du|was kannst du alles", REQUEST_HELP, REST_NONE,
		.say = "Zum Beispiel: 'merk dir, der Schlüssel liegt im Keller', 'wo ist der Schlüssel?', "
		       "'erinnere mich morgen um 9 an Oma', 'zeig mir meine Aufgaben', 'setz Milch "
		       "auf die Einkaufsliste', 'was steht auf der Einkaufsliste?'.\n\n"},
	{"ayuda|qué puedes hacer|que puedes hacer|qué sabes hacer", REQUEST_HELP, REST_NONE,
		.say = "Por ejemplo: 'recuerda que la llave está en el cajón', '¿dónde está la llave?', "
		       "'recuérdame mañana a las 9 llamar a Ana', 'muéstrame mis tareas', 'añade "
		       "leche a la compra', '¿qué hay en la compra?'.\n\n"},
	{"who|who's|what|what's|when|when's|where|where's|which|why|how|how's|wer|was|wann|wo|"
	 "wie|welche|welcher|welches|welchen|warum|wem|quién|quien|qué|que|cuándo|cuando|"
	 "dónde|donde|cuál|cual|cuáles|cuánto|cuánta|cuántos|cómo|como|por qué",
		REQUEST_ASK, REST_SOME},

	{"my|our|mein|meine|unser|unsere|mi|mis|nuestro|nuestra", REQUEST_STATE, REST_SOME},

	/* What is only answered. '@' is the assistant's name. */
	{"hello|hi|hey|hello there|hi there|hey there|good day|hi again|hello again|howdy|👋",
		REQUEST_SAY, REST_NONE,
		.say = "Hello, I am @. I keep notes and remind you of things; 'help' says how."},
	{"hallo|guten tag|moin|servus|grüß gott|hallo zusammen", REQUEST_SAY, REST_NONE,
		.say = "Hallo, ich bin @. Ich verstehe Deutsch, aber ich antworte meist auf "
		       "Englisch; 'hilfe' zeigt, was ich kann."},
	{"hola|buenas|buenos días|buenos dias|buenas tardes|qué tal|que tal", REQUEST_SAY,
		REST_NONE,
		.say = "Hola, soy @. Entiendo español, pero casi siempre respondo en inglés; "
		       "'ayuda' dice lo que sé hacer."},
	{"good morning|morning|guten morgen", REQUEST_SAY, REST_NONE,
		.say = "Good morning! 'what's on today' says what is coming up."},
	{"good afternoon|good evening|guten abend", REQUEST_SAY, REST_NONE,
		.say = "Hello! 'help' says what I can do."},
	{"how are you|how are you doing|how's it going|how do you do|what's up|sup|"
	 "wie geht's|wie geht es dir|cómo estás|como estas",
		REQUEST_SAY, REST_NONE, .say = "I am fine, thank you. What can I do for you?"},
	{"are you there|you there|still there|anybody there|ping|test|testing|bist du da|"
	 "estás ahí",
		REQUEST_SAY, REST_NONE, .say = "Yes, I am here."},
	{"who are you|tell me about yourself|what's your name|what is your name|wer bist du|wie heißt du|"
	 "quién eres|cómo te llamas",
		REQUEST_SAY, REST_NONE, .say = "I am @, your assistant. 'help' says what I can do."},
	{"are you human|are you a robot|are you a bot|are you an ai|are you real", REQUEST_SAY,
		REST_NONE, .say = "I am a program, and without a model a simple one."},
	{"thanks|thank you|thx|ty|thanks a lot|many thanks|thank you very much|"
	 "thank you so much|thanks so much|ok thanks|okay thanks|ok thank you|great thanks|"
	 "thanks for your help|thank you for your help|thanks for that|cheers|🙏|❤️",
		REQUEST_SAY, REST_NONE, .say = "You are welcome."},
	{"danke|danke schön|dankeschön|danke dir|vielen dank|tausend dank", REQUEST_SAY,
		REST_NONE, .say = "Gern geschehen."},
	{"gracias|muchas gracias|mil gracias", REQUEST_SAY, REST_NONE, .say = "De nada."},
	{"great|cool|nice|perfect|very good|good|well done|good job|good bot|awesome|"
	 "wonderful|super|prima|toll|genial|perfecto|😊|😀|🙂",
		REQUEST_SAY, REST_NONE, .say = "I am glad."},
	{"ok|okay|k|alright|all right|got it|i see|fine|aha|alles klar|gut|vale|de acuerdo|👍",
		REQUEST_SAY, REST_NONE, .say = "OK."},
	{"sorry|i am sorry|i'm sorry|my bad|oops|entschuldigung|perdón|lo siento", REQUEST_SAY,
		REST_NONE, .say = "No problem."},
	{"bye|bye bye|goodbye|good bye|see you|see you later|see you tomorrow|see ya|cya|"
	 "talk to you later|have a nice day",
		REQUEST_SAY, REST_NONE, .say = "Goodbye. Your reminders come all the same."},
	{"good night|goodnight|night|night night|sleep well", REQUEST_SAY, REST_NONE,
		.say = "Good night."},
	{"tschüss|tschüß|tschau|bis bald|bis morgen|bis später|auf wiedersehen", REQUEST_SAY,
		REST_NONE, .say = "Tschüss!"},
	{"gute nacht|schlaf gut", REQUEST_SAY, REST_NONE, .say = "Gute Nacht."},
	{"adiós|adios|hasta luego|hasta mañana|hasta pronto|chao", REQUEST_SAY, REST_NONE,
		.say = "¡Hasta luego!"},
	{"buenas noches", REQUEST_SAY, REST_NONE, .say = "Buenas noches."},
	{"never mind|nevermind|forget it|no|nope|nein|no thanks|no thank you|rather not|"
	 "better not|nee|no gracias|nein danke|vergiss es|olvídalo",
		REQUEST_NO, REST_NONE, .say = "OK, I changed nothing."},
	/* clang-format on */
};

/* --- who it is for ----------------------------------------------------------- */

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
	/* "Hey Andy" alone is a greeting. */
	if (view_trim(without(text, hey)).len)
		text = view_trim(without(text, hey));
	return view_trim(without(text, name));
}

/* The most words of one of `phrases`, with '|' between them, that are here. */
static size_t longest_of(const char *phrases, const struct word_list *words, size_t at)
{
	struct view rest = view_of(phrases);
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

static size_t skip_polite(const struct word_list *words, size_t at)
{
	static const char phrases[] =
		"can you|could you|would you|will you|can i|could i|may i|i want you to|"
		"i want to|i'd like you to|i would like you to|i'd like to|i would like to|let us|"
		"let's|please|pls|plz|kindly|hey|hi|hello|ok|okay|so|and|then|now|just|also|well|"
		"bitte|kannst du|könntest du|hallo|und|por favor|puedes|podrías|hola|oye|y";
	size_t len;

	while (at < words->count && (len = longest_of(phrases, words, at)))
		at += len;
	return at;
}

/* --- recognizing requests ---------------------------------------------------- */

/* "show me all my": before the name of what is to be shown. */
static size_t skip_show(const struct word_list *words, size_t at)
{
	at += longest_of(
		"show|show me|list|read|read me|give me|tell me|what are|see|view|get|"
		"zeig|zeig mir|zeige|zeige mir|liste|lies|was sind|muéstrame|muestrame|"
		"muestra|enséñame|dime|lee|ver|cuáles son",
		words, at);
	return at + longest_of("my|the|our|all|all my|all the|all of my|me my|meine|die|alle|"
			       "alle meine|unsere|mis|los|las|todas mis|todos mis|todas las|"
			       "todos los|nuestras",
			    words, at);
}

static size_t end_of(const struct word_list *words, size_t at, const char *name)
{
	size_t end = words->count;

	while (end > at && (word_list_is(words, end - 1,
				    "please|pls|plz|now|again|thanks|thx|bitte|mal|danke") ||
				   !strcasecmp(word_list_at(words, end - 1), name)))
		end--;
	if (end >= at + 2 && word_list_are(words, end - 2, "por favor"))
		end -= 2;
	return end;
}

static const struct form *find_form(
	const struct word_list *words, size_t at, const char *name, size_t *ret_len)
{
	const struct form *best = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t first = forms[i].shown ? skip_show(words, at) : at;
		size_t len = longest_of(forms[i].words, words, first);
		size_t rest;

		len += len ? first - at : 0;
		rest = at + len < end_of(words, at + len, name);
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

static char *rest_of(
	struct view text, const struct word_list *words, size_t at, const struct form *form)
{
	struct view rest = {"", 0};
	size_t end = words->count;
	bool trimmed = form->kind != REQUEST_REMEMBER && form->kind != REQUEST_REMEMBER_ALL;

	while (trimmed && end > at &&
		(word_list_is(words, end - 1,
			 "please|pls|plz|thanks|thx|bitte|danke|por|favor|gracias") ||
			(form->tail && word_list_is(words, end - 1, form->tail))))
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
	static const char *const alone[] = {
		"groups", "help", "lists", "notes", "tasks", "reminders"};
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
	bool wish;

	if (at < words->count)
		behind = view_slice(text, words->list[at].start, text.len);
	wish = !(form && (form->rest == REST_NONE || form->kind == REQUEST_SNOOZE)) &&
	       when_is_wish(behind);
	if (wish || !form) {
		request->kind = wish ? REQUEST_REMIND : REQUEST_UNKNOWN;
		request->like = wish ? NULL : most_like(words, at);
		request->what = xmemdupz(behind.data, behind.len);
		return;
	}
	request->form = form;
	request->kind = form->kind;
	request->like = form->kind == REQUEST_REMIND_GROUP ? "remind" : NULL;
	if (form->rest == REST_NONE)
		request->what = xstrdup(form->kind == REQUEST_FORGET   ? "everything"
					: form->kind == REQUEST_CANCEL ? "all"
								       : "");
	else
		request->what = rest_of(text, words, at + len, form);
}

void request_read(
	struct view text, const char *name, const char *trigger, struct request *ret_request)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	struct request request = {0};
	const struct form *whole;
	size_t at;
	size_t yes = 0;
	size_t len;

	text = without_call(text, name, trigger);
	if (view_starts_with(text, "¿") || view_starts_with(text, "¡"))
		text = view_slice(text, strlen("¿"), text.len);
	word_list_split(text, &words);
	if (word_list_is(&words, 0, "yes|yep|yeah|sure|confirm|ja|sí|si"))
		yes = 1;
	at = skip_polite(&words, yes);
	/* "Hello there" is not polite words before "there". */
	whole = find_form(&words, yes, name, &len);
	if ((whole && whole->rest == REST_NONE) || (at == end_of(&words, at, name) && !yes))
		at = yes;
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
