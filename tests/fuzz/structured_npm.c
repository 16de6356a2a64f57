/*
 * npm dependencies and a package.json, both from anybody: the first line is what a skill
 * declares. What is written can be read, the skill can be taken out again, and with it the
 * file is the same once more.
 */
#include <assert.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "format/json.h"
#include "format/yaml_write.h"
#include "fuzz.h"

static void check_readable(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	assert(!text.len || json_read(text, "fuzz", JSON_MAX_SIZE, &json, &err) == 0);
}

/* The record as it comes back from the state. */
static struct yaml_doc *through_the_state(const struct yaml_node *record)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_doc *doc = NULL;

	assert(yaml_write(record, &text, &err) == 0);
	assert(yaml_parse(view_of_buf(&text), "state", &doc, &err) == 0);
	return doc;
}

static void check_again(struct structured_input input, const struct structured_output *first)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *record = through_the_state(first->record);
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("fuzz");
	CLEANUP(structured_output_release)
	struct structured_output again = STRUCTURED_OUTPUT_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	struct yaml_node *unwanted;

	assert(structured_npm.strip(input.name, view_of_buf(&first->text), record->root,
		       input.contributions, input.contribution_count, doc, &own, &unwanted,
		       &err) == 0);
	assert(!unwanted);
	if (first->record->count)
		check_readable(view_of_buf(&own));
	input.own = view_of_buf(&own);
	assert(structured_npm.render(&input, doc, &again, &err) == 0);
	assert(view_equal(view_of_buf(&again.text), view_of_buf(&first->text)));
}

FUZZ_TARGET(structured_npm)
{
	struct view own = {(const char *)data, len};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *declared = NULL;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("fuzz");
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	struct contribution skill = {.skill = "skill"};
	struct structured_input input = {
		.name = "package.json",
		.contributions = &skill,
		.contribution_count = 1,
		.side = (enum clash_side)(len % 3),
	};
	struct view line;

	if (!view_next(&own, '\n', &line) || yaml_parse(line, "fuzz", &declared, &err) < 0)
		return 0;
	skill.declared = declared->root;
	structured_npm.check(declared->root, &faults);
	input.own = own;
	if (faults.errors || structured_npm.render(&input, doc, &output, &err) < 0)
		return 0;
	if (output.record->count)
		check_readable(view_of_buf(&output.text));
	check_again(input, &output);
	return 0;
}
