#include "tap.h"

#include <stdio.h>

#include "base/view.h"

void tap_result(struct tap *tap, bool ok, const char *name)
{
	tap->count++;
	if (!ok)
		tap->failed++;
	printf("%sok %u - %s\n", ok ? "" : "not ", tap->count, name);
	fflush(stdout);
}

void tap_skip(struct tap *tap, const char *name, const char *why)
{
	tap->count++;
	printf("ok %u - %s # SKIP %s\n", tap->count, name, why);
	fflush(stdout);
}

void tap_note(const char *text)
{
	struct view rest = view_of(text);
	struct view line;

	while (view_next(&rest, '\n', &line))
		printf("# %.*s\n", VIEW_ARGS(line));
	fflush(stdout);
}

int tap_end(const struct tap *tap)
{
	printf("1..%u%s\n", tap->count, tap->count ? "" : " # SKIP there is nothing to run");
	return tap->failed ? 1 : 0;
}
