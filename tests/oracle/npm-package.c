/*
 * What becomes of a package.json when a skill declares npm dependencies, for comparison
 * with npm.
 *
 * Reads pairs of "LENGTH\nBYTES" from standard input: what the skill declares (JSON, which
 * is YAML) and the package.json. Answers each pair with two of the same form: the file as
 * rendered, and what is left when the skill goes. Errors are answered as text.
 */
#include <stdio.h>

#include "engine/package/structured_format.h"
#include "format/yaml.h"

static int run(struct view declared, struct view own, struct buf *rendered,
	struct buf *stripped, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *state = yaml_doc_new("state.yaml");
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	struct contribution skill = {.skill = "skill"};
	struct structured_input input = {
		.name = "package.json",
		.own = own,
		.contributions = &skill,
		.contribution_count = 1,
	};
	struct yaml_node *unwanted;

	if (yaml_parse(declared, "declared", &doc, err) < 0)
		return -1;
	skill.declared = doc->root;
	if (structured_npm.render(&input, state, &output, err) < 0)
		return -1;
	buf_append(rendered, output.text.data, output.text.len);
	return structured_npm.strip("package.json", view_of_buf(rendered), output.record,
		&skill, 1, state, stripped, &unwanted, err);
}

static bool read_framed(struct buf *ret_text)
{
	size_t len;

	if (scanf("%zu%*c", &len) != 1)
		return false;
	buf_reserve(ret_text, len);
	if (fread(ret_text->data, 1, len, stdin) != len)
		return false;
	buf_set_len(ret_text, len);
	return true;
}

static void write_framed(const struct buf *text)
{
	printf("%zu\n", text->len);
	fwrite(text->data, 1, text->len, stdout);
}

int main(void)
{
	for (;;) {
		CLEANUP(buf_release) struct buf declared = BUF_INIT;
		CLEANUP(buf_release) struct buf own = BUF_INIT;
		CLEANUP(buf_release) struct buf rendered = BUF_INIT;
		CLEANUP(buf_release) struct buf stripped = BUF_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (!read_framed(&declared) || !read_framed(&own))
			return 0;
		if (run(view_of_buf(&declared), view_of_buf(&own), &rendered, &stripped, &err) <
			0)
			buf_append_str(&rendered, err.message);
		write_framed(&rendered);
		write_framed(&stripped);
	}
}
