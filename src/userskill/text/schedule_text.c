#include "userskill/text/schedule_text.h"

#include <string.h>

#include "time/phrase/when.h"

#define MAX_TEXT 200

/* A cron expression alone, or in `code` somewhere in the text. */
static bool find_cron(struct view text, char **ret_value)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *open = memchr(text.data, '`', text.len);
	struct cron cron;

	if (open) {
		size_t start = (size_t)(open - text.data) + 1;
		const char *close = memchr(open + 1, '`', text.len - start);

		if (!close)
			return false;
		text = view_slice(text, start, (size_t)(close - text.data));
	}
	text = view_trim(text);
	if (text.len > CRON_MAX || cron_parse(text, &cron, &ignored) < 0)
		return false;
	*ret_value = xmemdupz(text.data, text.len);
	return true;
}

bool schedule_text_parse(struct view text, enum schedule_type *ret_type, char **ret_value)
{
	CLEANUP(when_release) struct when when = {0};

	if (find_cron(text, ret_value)) {
		*ret_type = SCHEDULE_CRON;
		return true;
	}
	if (text.len > MAX_TEXT)
		return false;
	when_read(text, &(struct when_context){.whole = true}, &when);
	if (when.kind != WHEN_REPEAT || when.ask || *when.zone)
		return false;
	*ret_type = when.type;
	*ret_value = TAKE(when.value);
	return true;
}
