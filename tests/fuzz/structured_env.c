/*
 * Any bytes as an .env.example, and what skills declare for it. The input is three
 * texts, separated by a NUL: the own content, a YAML mapping from skills to their
 * `env_additions`, and the file after somebody has edited it.
 *
 * Stripping what was rendered gives the own content to the byte. Of an edited file, what
 * is stripped and rendered again stays the same from then on.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "fuzz.h"

#define MAX_SKILLS 8

struct skills {
	struct contribution list[MAX_SKILLS];
	size_t count;
};

static bool is_skill(struct view name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", name.data[i]))
			return false;
	return name.len;
}

static bool read_skills(const struct yaml_node *root, struct skills *ret_skills)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	if (root->kind != YAML_MAPPING || root->count > MAX_SKILLS)
		return false;
	for (size_t i = 0; i < root->count; i++) {
		const struct yaml_entry *entry = &root->entries[root->order[i]];

		structured_env.check(entry->value, &faults);
		if (!is_skill(entry->key))
			return false;
		ret_skills->list[ret_skills->count++] =
			(struct contribution){entry->key.data, entry->value};
	}
	return !faults.count;
}

static void render(struct view own, const struct skills *skills,
	const struct yaml_node *unwanted, struct yaml_doc *doc,
	struct structured_output *output)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct structured_input input = {.name = ".env.example",
		.own = own,
		.contributions = skills->list,
		.contribution_count = skills->count,
		.unwanted = unwanted,
		.side = CLASH_LAST};

	assert(structured_env.render(&input, doc, output, &err) == 0);
}

static struct yaml_node *strip(struct view text, const struct yaml_node *record,
	const struct skills *skills, struct yaml_doc *doc, struct buf *own)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_node *unwanted;

	assert(structured_env.strip(".env.example", text, record, skills->list, skills->count,
		       doc, own, &unwanted, &err) == 0);
	return unwanted;
}

static void check(struct view own, const struct skills *skills, struct view edited)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("state");
	CLEANUP(structured_output_release)
	struct structured_output first = STRUCTURED_OUTPUT_INIT;
	CLEANUP(structured_output_release)
	struct structured_output second = STRUCTURED_OUTPUT_INIT;
	CLEANUP(buf_release) struct buf back = BUF_INIT, theirs = BUF_INIT, again = BUF_INIT;
	struct yaml_node *unwanted;

	render(own, skills, NULL, doc, &first);
	assert(!strip(view_of_buf(&first.text), first.record, skills, doc, &back));
	assert(view_equal(view_of_buf(&back), own));

	unwanted = strip(edited, first.record, skills, doc, &theirs);
	render(view_of_buf(&theirs), skills, unwanted, doc, &second);
	strip(view_of_buf(&second.text), second.record, skills, doc, &again);
	assert(view_equal(view_of_buf(&again), view_of_buf(&theirs)));

	buf_clear(&again);
	assert(!strip(edited, NULL, skills, doc, &again));
}

FUZZ_TARGET(structured_env)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	struct view rest = {(const char *)data, len}, parts[3] = {{"", 0}, {"", 0}, {"", 0}};
	struct skills skills = {0};

	for (int i = 0; i < 3; i++)
		view_next(&rest, '\0', &parts[i]);
	if (yaml_parse(parts[1], "skills", &doc, &err) == 0 && read_skills(doc->root, &skills))
		check(parts[0], &skills, parts[2]);
	return 0;
}
