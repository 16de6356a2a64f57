#include "net/retry_after.h"

#include <ctype.h>
#include <string.h>

#include "time/civil.h"

static int64_t at_most_a_day(int64_t ms)
{
	return ms < RETRY_AFTER_MAX_MS ? ms : RETRY_AFTER_MAX_MS;
}

/* Rounded up to a millisecond: too early is refused again. */
static int64_t seconds_to_ms(struct view value)
{
	int64_t scale = 1000;
	int64_t ms = 0;
	bool fraction = false;
	bool digits = false;
	bool more = false;

	for (size_t i = 0; i < value.len; i++) {
		char c = value.data[i];

		if (c == '.' && digits && !fraction) {
			fraction = true;
			continue;
		}
		if (!isdigit((unsigned char)c))
			return -1;
		digits = true;
		if (!fraction && ms <= RETRY_AFTER_MAX_MS)
			ms = ms * 10 + (c - '0') * 1000;
		else if (fraction && (scale /= 10))
			ms += (c - '0') * scale;
		else
			more |= c != '0';
	}
	return digits ? at_most_a_day(ms + more) : -1;
}

static int number_at(struct view text, size_t at, size_t len)
{
	int number = 0;

	for (size_t i = at; i < at + len; i++)
		number = number * 10 + (text.data[i] - '0');
	return number;
}

static int64_t date_to_seconds(struct view date)
{
	static const char shape[] = "aaa, 00 aaa 0000 00:00:00 GMT";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const char *month;
	struct civil civil;

	if (date.len != strlen(shape))
		return -1;
	for (size_t i = 0; i < date.len; i++) {
		unsigned char c = (unsigned char)date.data[i];

		if (shape[i] == '0'       ? !isdigit(c)
			: shape[i] == 'a' ? !isalpha(c)
					  : c != shape[i])
			return -1;
	}
	month = memmem(months, strlen(months), date.data + 8, 3);
	if (!month || (month - months) % 3)
		return -1;
	civil = (struct civil){
		.year = number_at(date, 12, 4),
		.month = (int)(month - months) / 3 + 1,
		.day = number_at(date, 5, 2),
		.hour = number_at(date, 17, 2),
		.minute = number_at(date, 20, 2),
		.second = number_at(date, 23, 2),
	};
	return civil_is_valid(&civil) ? civil_seconds(&civil) : -1;
}

int64_t retry_after_ms(struct view value, int64_t clock_ms)
{
	struct view text = view_trim(value);
	int64_t wait = seconds_to_ms(text);
	int64_t date;

	if (wait >= 0)
		return wait;
	date = date_to_seconds(text);
	if (date < 0)
		return -1;
	return date * 1000 > clock_ms ? at_most_a_day(date * 1000 - clock_ms) : 0;
}
