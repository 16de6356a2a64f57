/*
 * Names in npm's order, for comparison with node: reads any number of JSON arrays of
 * names as "LENGTH\nBYTES", and answers each in the same form, sorted.
 */
#include <stdio.h>

#include "engine/structured/npm/npm.h"
#include "format/json.h"

static void answer(struct view text, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *names = NULL;
	CLEANUP(json_decrefp) json_t *object = json_object();
	CLEANUP(json_decrefp) json_t *sorted = NULL;
	CLEANUP(json_decrefp) json_t *keys = json_array();
	const char *key;
	json_t *value;

	if (json_read(text, "input", JSON_MAX_SIZE, &names, &err) < 0) {
		buf_append_str(out, err.message);
		return;
	}
	for (size_t i = 0; i < json_array_size(names); i++)
		json_object_set_new(
			object, json_string_value(json_array_get(names, i)), json_null());
	sorted = npm_sorted(object);
	json_object_foreach(sorted, key, value)
		json_array_append_new(keys, json_string(key));
	json_write_ours(keys, false, out);
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
