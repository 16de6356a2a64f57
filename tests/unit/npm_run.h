/*
 * One run of structured_npm on texts: skills are YAML, {skill: {name: range}}.
 *
 *	CLEANUP(npm_run_release) struct npm_run run = {.own = "{}"};
 *
 *	npm_run_skills(&run, "{a: {foo: ^1.0.0}}");
 *	npm_run_render(&run);
 *	assert_string_equal(run.output.text.data, …);
 *	npm_run_strip(&run, run.output.text.data);
 */
#ifndef UNIT_NPM_RUN_H
#define UNIT_NPM_RUN_H

#include "test.h"

#include "engine/package/structured_format.h"
#include "format/yaml.h"

#define NPM_RUN_SKILLS 8

struct npm_run {
	const char *own;
	struct yaml_doc *skills;
	struct yaml_doc *given; /* decisions */
	struct yaml_doc *doc;   /* of the output */
	struct contribution list[NPM_RUN_SKILLS];
	size_t count;
	enum clash_side side;
	const struct yaml_node *unwanted;
	struct structured_output output;
	struct buf stripped;
	struct yaml_node *taken_out;
};

static inline void npm_run_release(struct npm_run *run)
{
	structured_output_release(&run->output);
	buf_release(&run->stripped);
	yaml_doc_free(run->skills);
	yaml_doc_free(run->given);
	yaml_doc_free(run->doc);
}

static inline struct yaml_doc *npm_run_yaml(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_parse(view_of(text), "manifest.yaml", &doc, &err) < 0)
		fail_msg("%s", err.message);
	return doc;
}

static inline void npm_run_skills(struct npm_run *run, const char *skills)
{
	yaml_doc_free(run->skills);
	run->skills = npm_run_yaml(skills);
	run->count = 0;
	for (size_t i = 0; i < run->skills->root->count; i++)
		run->list[run->count++] =
			(struct contribution){run->skills->root->entries[i].key.data,
				run->skills->root->entries[i].value};
}

static inline int npm_run_try(struct npm_run *run, struct error *err)
{
	struct structured_input input = {
		.name = "package.json",
		.own = view_of(run->own),
		.contributions = run->list,
		.contribution_count = run->count,
		.decisions = run->given ? run->given->root : NULL,
		.unwanted = run->unwanted,
		.side = run->side,
	};

	structured_output_release(&run->output);
	if (!run->doc)
		run->doc = yaml_doc_new("state.yaml");
	return structured_npm.render(&input, run->doc, &run->output, err);
}

static inline void npm_run_render(struct npm_run *run)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (npm_run_try(run, &err) < 0)
		fail_msg("%s", err.message);
}

static inline void npm_run_strip(struct npm_run *run, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	buf_release(&run->stripped);
	run->stripped = BUF_INIT;
	if (structured_npm.strip("package.json", view_of(text), run->output.record, run->list,
		    run->count, run->doc, &run->stripped, &run->taken_out, &err) < 0)
		fail_msg("%s", err.message);
}

#endif
