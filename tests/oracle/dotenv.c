/*
 * What .env.example becomes with some skills, for comparison with what a reader of such
 * files finds in it.
 *
 * Reads any number of "LENGTH\nBYTES" from standard input, each a document
 * {own: text, skills: {name: env_additions}}, and answers each in the same form with the
 * file, or with "refused" if a declaration is wrong.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/package/structured_format.h"

static void answer(struct view text, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	const struct yaml_node *skills;
	struct structured_input input = {.name = ".env.example"};
	CLEANUP(freep) struct contribution *list = NULL;

	if (yaml_parse(text, "input", &doc, &err) < 0) {
		buf_append_str(out, err.message);
		return;
	}
	skills = yaml_get(doc->root, "skills");
	list = xcalloc(skills->count + 1, sizeof(*list));
	for (size_t i = 0; i < skills->count; i++) {
		const struct yaml_entry *entry = &skills->entries[skills->order[i]];

		structured_env.check(entry->value, &faults);
		list[i] = (struct contribution){entry->key.data, entry->value};
	}
	input.own = yaml_get(doc->root, "own")->text;
	input.contributions = list;
	input.contribution_count = skills->count;
	if (faults.count)
		buf_append_str(out, "refused");
	else if (structured_env.render(&input, doc, &output, &err) < 0)
		buf_append_str(out, err.message);
	else
		buf_append(out, output.text.data, output.text.len);
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
