#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "channels/telegram/telegram.h"

/* A number is the id of a person or chat; a word is a field that such messages have. */
static bool word_matches(struct view word, const json_t *message)
{
	static const char *const senders[] = {"chat", "from", "sender_chat"};
	char text[64];
	int64_t id;

	if (!word.len || word.len >= sizeof(text))
		return false;
	memcpy(text, word.data, word.len);
	text[word.len] = '\0';
	if (!isdigit((unsigned char)text[text[0] == '-']))
		return json_object_get(message, text) != NULL;
	id = strtoll(text, NULL, 10);
	for (size_t i = 0; i < ARRAY_SIZE(senders); i++)
		if (telegram_number(json_object_get(message, senders[i]), "id") == id)
			return true;
	return false;
}

bool telegram_filter_drops(const struct telegram *telegram, const json_t *message)
{
	struct view rest = view_of(telegram->ignore ? telegram->ignore : "");
	struct view word;

	while (view_next(&rest, ',', &word))
		if (word_matches(view_trim(word), message))
			return true;
	return false;
}
