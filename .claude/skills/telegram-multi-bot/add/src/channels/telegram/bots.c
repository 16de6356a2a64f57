#include "channels/telegram/bots.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/view.h"
#include "proc/log.h"

#define MAX_NAME 32

static bool is_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

	return len && len <= MAX_NAME && !text[len];
}

void telegram_bots_each(const char *bots,
	void (*each)(const char *name, const char *token_setting, void *data), void *data)
{
	struct view rest = view_of(bots ? bots : "");
	struct view word;

	while (view_next(&rest, ',', &word)) {
		struct view trimmed = view_trim(word);
		CLEANUP(freep) char *name = xmemdupz(trimmed.data, trimmed.len);
		CLEANUP(freep) char *setting = xasprintf("TELEGRAM_BOT_TOKEN_%s", name);

		for (char *c = setting; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		if (is_name(name))
			each(name, setting, data);
		else
			log_warning("TELEGRAM_BOTS: a name has small letters and digits only");
	}
}
