/*
 * How we judge names and specifiers of dependencies, for comparison with npm: reads texts
 * as "LENGTH\nBYTES", and answers each with what it is as a name and as a specifier.
 */
#include <stdio.h>

#include "engine/structured/npm/npm.h"

static const char *const name_kinds[] = {
	[NPM_NAME_GOOD] = "good",
	[NPM_NAME_OLD] = "old",
	[NPM_NAME_WRONG] = "wrong",
};

static const char *const spec_kinds[] = {
	[NPM_SPEC_ANY] = "range",
	[NPM_SPEC_RANGE] = "range",
	[NPM_SPEC_TAG] = "tag",
	[NPM_SPEC_ADDRESS] = "address",
	[NPM_SPEC_WRONG] = "wrong",
};

int main(void)
{
	size_t len;

	while (scanf("%zu%*c", &len) == 1) {
		CLEANUP(freep) char *text = xcalloc(len + 1, 1);
		CLEANUP(buf_release) struct buf out = BUF_INIT;
		const char *why;

		if (fread(text, 1, len, stdin) != len)
			return 1;
		buf_appendf(&out, "%s %s", name_kinds[npm_name_check(text, &why)],
			spec_kinds[npm_spec_kind((struct view){text, len})]);
		printf("%zu\n%s", out.len, out.data);
	}
	return 0;
}
