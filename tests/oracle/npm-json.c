/*
 * What we would write for a package.json, for comparison with npm.
 *
 * Reads any number of "LENGTH\nBYTES" from standard input, and answers each in
 * the same form with the file written back, or with the error.
 */
#include <stdio.h>

#include "format/json.h"

static void answer(struct view text, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct json_style style = json_style_detect(text);

	if (json_read(text, "input", JSON_MAX_SIZE, &json, &err) < 0)
		buf_append_str(out, err.message);
	else
		json_write_npm(json, &style, out);
}

int main(void)
{
	size_t len;

	while (scanf("%zu%*c", &len) == 1) {
		CLEANUP(freep) char *data = xmalloc(len);
		CLEANUP(buf_release) struct buf out = BUF_INIT;

		if (fread(data, 1, len, stdin) != len)
			return 1;
		answer((struct view){data, len}, &out);
		printf("%zu\n", out.len);
		fwrite(out.data, 1, out.len, stdout);
	}
	return 0;
}
