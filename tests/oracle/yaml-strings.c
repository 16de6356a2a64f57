/*
 * Strings as we write them in YAML, for comparison with what others read.
 *
 * Reads any number of "LENGTH\nBYTES" from standard input, and writes them as the
 * sequence "values", and once more as the keys of the mapping "keys".
 */
#include <stdio.h>

#include "format/yaml_write.h"

int main(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("strings");
	struct yaml_node *keys = yaml_new_mapping(doc);
	struct yaml_node *values = yaml_new_sequence(doc);
	size_t len;

	while (scanf("%zu%*c", &len) == 1) {
		CLEANUP(freep) char *data = xmalloc(len);
		struct view text = {data, len};

		if (fread(data, 1, len, stdin) != len)
			return 1;
		yaml_set_view(keys, text, yaml_new_null(doc));
		yaml_append(values, yaml_new_string_view(doc, text));
	}
	doc->root = yaml_new_mapping(doc);
	yaml_set(doc->root, "keys", keys);
	yaml_set(doc->root, "values", values);
	if (yaml_write(doc->root, &out, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	fwrite(out.data, 1, out.len, stdout);
	return 0;
}
