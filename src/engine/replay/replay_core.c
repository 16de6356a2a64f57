/*
 * The core that an installation is made from: is it the one?
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/replay/internal.h"
#include "fs/beneath.h"

/* What the installation says of its core: the list beside its state, if there is one. */
static int read_sums(
	struct replaying *r, struct base_sums *ret_sums, bool *ret_found, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool other;

	*ret_found = false;
	if (relpath_parse(view_of("base.sha256"), &path, err) < 0)
		return -1;
	if (beneath_read(r->source->kit, &path, STATE_MAX_SIZE, &text, &ignored) < 0)
		return 0;
	*ret_found = base_sums_parse(view_of_buf(&text), r->source->state.core_version,
			     ret_sums, &other) &&
		     !other;
	return 0;
}

static void note_core(struct replaying *r, const char *path, const struct layer_file *was,
	const struct layer_file *is)
{
	char recorded[HASH_HEX_SIZE] = "", got[HASH_HEX_SIZE] = "";

	if (was)
		hash_to_hex(&was->hash, recorded);
	if (is)
		hash_to_hex(&is->hash, got);
	replay_note(r, path, REPLAY_CORE, was ? recorded : NULL, is ? got : NULL,
		!was  ? "the core here has this file, and the one that was installed had not"
		: !is ? "the core here does not have this file"
		      : "the core's file is not the one that was installed");
}

static void compare(
	struct replaying *r, const struct base_sums *was, const struct base_sums *is)
{
	for (size_t i = 0; i < was->count; i++) {
		const struct layer_file *found = base_sums_find(is, was->list[i].path);

		if (!found || !layer_file_equal(found, &was->list[i].file))
			note_core(r, was->list[i].path, &was->list[i].file, found);
	}
	for (size_t i = 0; i < is->count; i++)
		if (!base_sums_find(was, is->list[i].path))
			note_core(r, is->list[i].path, NULL, &is->list[i].file);
}

/* Without a list only the version can tell. */
static int check_version(struct replaying *r, struct error *err)
{
	const char *recorded = r->source->state.core_version;
	CLEANUP(freep) char *version = NULL;
	bool found;

	if (r->source->own)
		return 0;
	if (base_core_version(r->source->core, &version, &found, err) < 0)
		return -1;
	if (!found || !strcmp(version, recorded))
		return 0;
	error_set(err, ERROR_INVALID,
		"the core here is version %s, and '%s' is of an installation on %s", version,
		r->source->shown, recorded);
	return error_hint(err, "bring the core of that version; '--core DIR' says where it is");
}

static int take(struct replaying *r, struct base_sums *ret_sums, struct error *err)
{
	struct session *s = r->session;

	if (!r->in_place && !s->options->dry_run)
		return session_take_base(
			s, r->source->core, r->source->core_is_base, ret_sums, err);
	s->base = fcntl(r->source->core, F_DUPFD_CLOEXEC, 0);
	if (s->base < 0)
		return error_errno(err, "cannot open the core");
	/* In a dry run a tree that is no base has more in it than the list. */
	return r->source->core_is_base ? base_sums_collect(s->base, ret_sums, err) : 0;
}

int replay_take_core(struct replaying *r, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums was = BASE_SUMS_INIT;
	bool found;

	if (read_sums(r, &was, &found, err) < 0 || (!found && check_version(r, err) < 0) ||
		take(r, &r->core, err) < 0)
		return -1;
	if (found && r->core.count)
		compare(r, &was, &r->core);
	return 0;
}
