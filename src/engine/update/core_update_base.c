/*
 * The new core becomes the base; the old one is kept among the earlier cores.
 */
#include <stdlib.h>

#include "engine/core/base_sums.h"
#include "engine/session/earlier_cores.h"
#include "engine/session/recorded.h"
#include "engine/update/internal.h"

/* A file of the old base goes, and its content is kept. */
static int take_old(struct core_update *u, const struct relpath *path, bool goes)
{
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	struct session *s = u->session;

	if (session_read_base(s, path, &old, u->err) < 0 ||
		recorded_keep(s, view_of_buf(&old.content), u->err) < 0)
		return -1;
	if (!goes)
		return 0;
	if (session_base_path(path, &full, u->err) < 0 ||
		transaction_remove(s->tx, &full, u->err) < 0)
		return -1;
	while (relpath_parent(&full, &folder) && relpath_depth(&folder) > 2) {
		transaction_prune(s->tx, &folder);
		relpath_release(&full);
		full = folder;
		folder = RELPATH_INIT;
	}
	return 0;
}

static int put_new(struct core_update *u, const struct core_file *file)
{
	CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;

	if (core_source_read(u->source, file, &new, u->err) < 0 ||
		session_base_path(&file->path, &full, u->err) < 0)
		return -1;
	return tx_file_stage(u->session->tx, &full, &new, u->err);
}

static int put_sums(struct core_update *u)
{
	struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < u->source->files.count; i++) {
		GROW(sums.list, sums.count, sums.cap);
		sums.list[sums.count++] = (struct base_sum){
			u->source->files.list[i].path.text, u->source->files.list[i].file};
	}
	base_sums_render(&sums, u->source->version, &text);
	free(sums.list); /* the paths are the source's */
	return transaction_put(u->session->tx, &path, view_of_buf(&text), 0644, u->err);
}

int core_update_stage_base(struct core_update *u)
{
	const struct core_source *source = u->source;

	if (earlier_cores_keep(u->session, u->err) < 0)
		return -1;
	/* Names that go first: another file may get one of them. */
	for (size_t i = 0; i < source->deleted_count; i++)
		if (take_old(u, &source->deleted[i], true) < 0)
			return -1;
	for (size_t i = 0; i < source->files.count; i++) {
		const struct core_file *file = &source->files.list[i];

		if (file->change != CORE_SAME && file->from.text &&
			take_old(u, &file->from,
				relpath_compare(&file->from, &file->path) != 0) < 0)
			return -1;
	}
	for (size_t i = 0; i < source->files.count; i++)
		if (source->files.list[i].change != CORE_SAME &&
			put_new(u, &source->files.list[i]) < 0)
			return -1;
	u->session->base_staged = true;
	return put_sums(u);
}
