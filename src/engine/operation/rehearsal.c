#include "engine/operation/rehearsal.h"

#include <string.h>

#include "engine/commit/pending.h"
#include "engine/disk/tx_file.h"
#include "engine/stack/skill_files.h"
#include "engine/structured/structured.h"

static int refuse_to_choose(void *data, const char *question, const char *const *choices,
	size_t count, size_t recommended, struct error *err)
{
	(void)data;
	(void)choices;
	(void)count;
	(void)recommended;
	return error_set(err, ERROR_INVALID, "a person would have to decide: %s", question);
}

int rehearsal_open(struct rehearsal *r, const struct project *project, struct error *err)
{
	r->options = (struct operation_options){
		.dry_run = true,
		.no_test = true,
		.no_install = true,
		.ask = {.choose = refuse_to_choose},
	};
	if (session_open(&r->session, project, "rehearsal", NULL, &r->options, &r->told, err) <
		0)
		return -1;
	return session_open_base(&r->session, err);
}

int rehearsal_begin_clean(
	struct rehearsal *r, const struct recorded *recorded, struct error *err)
{
	CLEANUP(freep) char *core_version = xstrdup(r->session.state.core_version);

	state_release(&r->session.state);
	state_init(&r->session.state, core_version);
	for (size_t i = 0; i < recorded->count; i++) {
		CLEANUP(relpath_release)
		struct relpath path = relpath_of(recorded->files[i].path);
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (session_read_base(&r->session, &path, &base, err) < 0 ||
			tx_file_stage(r->session.tx, &path, &base, err) < 0)
			return -1;
	}
	return 0;
}

int rehearsal_apply(struct rehearsal *r, const struct package *const *packages, size_t count,
	struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};

	for (size_t i = 0; i < count && !r->told.conflict_count; i++) {
		if (skill_files_stage(&r->session, packages[i], err) < 0)
			return -1;
		string_array_add(&skills, packages[i]->manifest.skill);
	}
	return r->told.conflict_count ? 0 : structured_stage(&r->session, &skills, err);
}

char *rehearsal_trouble(const struct rehearsal *r)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->told.conflict_count; i++) {
		CLEANUP(freep) char *shown = relpath_quote(&r->told.conflicts[i].path);

		buf_appendf(&text, "%s%s", i ? ", " : "there would be a conflict in ", shown);
	}
	return text.len ? buf_take(&text) : NULL;
}

void rehearsal_release(struct rehearsal *r)
{
	session_release(&r->session);
	operation_result_release(&r->told);
}
