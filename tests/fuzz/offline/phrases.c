/*
 * Any text is a phrase at any time. A time that comes out lies in the future and in the
 * calendar, a proposal too; a cron expression has five fields; and what is to be
 * reminded of is a piece of the text.
 */
#include "agent/offline/phrases.h"

#include <assert.h>
#include <string.h>

#include "../fuzz.h"

static void check_moment(const struct civil *m, const struct civil *now)
{
	assert(m->month >= 1 && m->month <= 12 && m->day >= 1);
	assert(m->day <= civil_month_length(m->year, m->month));
	assert(m->hour >= 0 && m->hour < 24 && m->minute >= 0 && m->minute < 60);
	assert(moment_compare(m, now) > 0);
}

static void check_cron(const char *cron)
{
	int fields = 1;

	assert(strspn(cron, "0123456789*,- ") == strlen(cron));
	for (; *cron; cron++)
		fields += *cron == ' ';
	assert(fields == 5);
}

static void check(const struct phrase *phrase, struct view text, const struct civil *now)
{
	assert(phrase->what);
	assert(!*phrase->what ||
		memmem(text.data, text.len, phrase->what, strlen(phrase->what)));
	if (phrase->kind == PHRASE_AT)
		check_moment(&phrase->at, now);
	if (phrase->kind == PHRASE_PAST)
		check_moment(&phrase->proposal, now);
	if (phrase->kind == PHRASE_CRON)
		check_cron(phrase->cron);
	if (phrase->kind == PHRASE_IN)
		assert(phrase->seconds > 0);
	if (phrase->kind == PHRASE_INTERVAL)
		assert(phrase->seconds >= 60);
	if (phrase->kind == PHRASE_CANNOT)
		assert(phrase->why && *phrase->why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(phrase_release) struct phrase phrase = {0};
	struct civil now = {.year = 1970, .month = 1, .day = 1};
	struct view text;

	if (len < 4 || memchr(data, '\0', len))
		return 0;
	moment_add_days(&now, (data[0] << 8 | data[1]) * 2 / 3);
	now.hour = data[2] % 24;
	now.minute = data[3] % 60;
	text = (struct view){(const char *)data + 4, len - 4};
	phrase_read(text, &now, &phrase);
	check(&phrase, text, &now);
	return 0;
}
