#include "format/json_number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS_MAX 17

/* `digits` without a point, times ten to the `exponent`. */
struct decimal {
	uint64_t digits;
	int exponent;
};

/* The decimal with that many digits which is nearest to the number. */
static struct decimal decimal_nearest(double number, int count)
{
	struct decimal d = {0};
	char text[64];
	char *at;

	snprintf(text, sizeof(text), "%.*e", count - 1, number);
	for (at = text; *at != 'e'; at++)
		if (*at >= '0' && *at <= '9') /* not the point, which may be a comma */
			d.digits = d.digits * 10 + (uint64_t)(*at - '0');
	d.exponent = (int)strtol(at + 1, NULL, 10) - (count - 1);
	return d;
}

static bool reads_back(struct decimal d, double number)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 "e%d", d.digits, d.exponent);
	return strtod(text, NULL) == number;
}

static struct decimal decimal_shortest(double number)
{
	int ignored;
	bool power_of_two = frexp(number, &ignored) == 0.5;

	for (int count = 1; count < DIGITS_MAX; count++) {
		struct decimal d = decimal_nearest(number, count);

		if (reads_back(d, number))
			return d;
		/*
		 * Doubles are twice as far apart above a power of two as below it, so the next
		 * one up may read back when the nearest, which is below, does not.
		 */
		d.digits++;
		if (power_of_two && reads_back(d, number))
			return d;
	}
	return decimal_nearest(number, DIGITS_MAX);
}

/* Number::toString of ECMAScript: the point comes after `point` digits. */
static void append_digits(struct buf *out, const char *digits, int count, int point)
{
	if (count <= point && point <= 21) {
		buf_append_str(out, digits);
		buf_append_repeated(out, '0', (size_t)(point - count));
	} else if (point > 0 && point <= 21) {
		buf_appendf(out, "%.*s.%s", point, digits, digits + point);
	} else if (point > -6 && point <= 0) {
		buf_append_str(out, "0.");
		buf_append_repeated(out, '0', (size_t)-point);
		buf_append_str(out, digits);
	} else {
		buf_append_char(out, digits[0]);
		if (count > 1)
			buf_appendf(out, ".%s", digits + 1);
		buf_appendf(out, "e%+d", point - 1);
	}
}

void json_number_append(struct buf *out, double number)
{
	struct decimal d;
	char digits[32];
	int count;

	assert(isfinite(number));
	if (number == 0) {
		buf_append_char(out, '0');
		return;
	}
	if (number < 0)
		buf_append_char(out, '-');
	d = decimal_shortest(fabs(number));
	while (d.digits % 10 == 0) {
		d.digits /= 10;
		d.exponent++;
	}
	count = snprintf(digits, sizeof(digits), "%" PRIu64, d.digits);
	append_digits(out, digits, count, count + d.exponent);
}
