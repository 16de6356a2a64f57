#include "host/money/amounts.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

#define DOLLAR 1000000

char *amount_tokens(int64_t tokens)
{
	CLEANUP(freep) char *digits = xasprintf("%" PRId64, tokens);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const char *at = digits; *at; at++) {
		buf_append_char(&text, *at);
		if (at[1] && at[0] != '-' && strlen(at + 1) % 3 == 0)
			buf_append_char(&text, ',');
	}
	return buf_take(&text);
}

char *amount_dollars(int64_t micro_usd)
{
	if (!micro_usd)
		return xstrdup("$0.00");
	/* In whole numbers, so that no amount is shown as one that it is not. */
	if (micro_usd < DOLLAR)
		return xasprintf("$0.%04" PRId64, (micro_usd + 50) / 100 < 10000
							  ? (micro_usd + 50) / 100
							  : INT64_C(9999));
	return xasprintf("$%" PRId64 ".%02" PRId64, (micro_usd + 5000) / DOLLAR,
		(micro_usd + 5000) % DOLLAR / 10000);
}
