#include "host/chat/pairing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "channels/local/local.h"
#include "ledger/chats.h"
#include "ledger/groups.h"

#define HALF 4 /* digits on each side of the dash */

void pairing_end(struct pairing *pairing)
{
	free(pairing->channel);
	free(pairing->folder);
	*pairing = (struct pairing){0};
}

int pairing_begin(struct pairing *pairing, const char *channel, const char *folder, int64_t now,
	struct error *err)
{
	uint32_t random;

	pairing_end(pairing);
	/* Without random bytes, the code could be guessed. */
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return error_errno(err, "cannot choose a code");
	*pairing = (struct pairing){
		.channel = xstrdup(channel),
		.folder = xstrdup(folder),
		.until = now + PAIRING_MS,
		.tries = PAIRING_TRIES,
	};
	snprintf(pairing->code, sizeof(pairing->code), "%04u-%04u", random % 10000,
		random / 10000 % 10000);
	return 0;
}

/* "1234-5678" of a text whose last word is that, or "12345678"; false for another text. */
static bool code_find(struct view text, char ret_code[sizeof("1234-5678")])
{
	struct view word = view_trim(text);
	size_t digits = 0;

	for (size_t i = word.len; i > 0; i--)
		if (isspace((unsigned char)word.data[i - 1])) {
			word = view_slice(word, i, word.len);
			break;
		}
	if (word.len != 2 * HALF && (word.len != 2 * HALF + 1 || word.data[HALF] != '-'))
		return false;
	for (size_t i = 0; i < word.len; i++) {
		if (i == HALF && word.data[i] == '-')
			continue;
		if (!isdigit((unsigned char)word.data[i]))
			return false;
		ret_code[digits + (digits >= HALF)] = word.data[i];
		digits++;
	}
	ret_code[HALF] = '-';
	ret_code[2 * HALF + 1] = '\0';
	return true;
}

enum pairing_outcome pairing_try(
	struct pairing *pairing, const char *channel, struct view text, int64_t now)
{
	char code[sizeof(pairing->code)];

	if (!*pairing->code)
		return PAIRING_NOTHING;
	if (now > pairing->until) {
		pairing_end(pairing);
		return PAIRING_NOTHING;
	}
	if (strcmp(channel, pairing->channel) != 0 || !code_find(text, code))
		return PAIRING_NOTHING;
	if (!strcmp(code, pairing->code))
		return PAIRING_RIGHT;
	if (--pairing->tries)
		return PAIRING_WRONG;
	pairing_end(pairing);
	return PAIRING_GIVEN_UP;
}

int pairing_command(
	struct store *store, const char *channel, char **ret_command, struct error *err)
{
	CLEANUP(group_release) struct group main = GROUP_INIT;
	bool unpaired;

	*ret_command = NULL;
	if (!strcmp(channel, LOCAL_CHANNEL))
		return 0;
	if (store_chat_unpaired(store, channel, &unpaired, err) < 0 ||
		(unpaired && store_group_by_folder(store, GROUP_MAIN, &main, err) < 0))
		return -1;
	/* Main's chat is the terminal until a person gives it another one. */
	if (unpaired)
		*ret_command = xasprintf("nanoclaw channel pair %s%s", channel,
			main.folder && !local_group(main.jid) ? " --folder NAME" : "");
	return 0;
}
