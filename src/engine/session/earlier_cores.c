#include "engine/session/earlier_cores.h"

#include <errno.h>
#include <string.h>

#include "engine/core/base_sums.h"
#include "engine/package/semver.h"
#include "engine/session/recorded.h"

#define FOLDER ".nanoclaw/cores"

/* The version comes from a manifest, so it must be valid before it becomes a file name. */
static int earlier_core_path(const char *version, struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *text = xasprintf(FOLDER "/%s", version);
	CLEANUP(semver_release) struct semver parsed = {0};

	if (semver_parse(view_of(version), &parsed, err) < 0)
		return -1;
	return relpath_parse(view_of(text), ret_path, err);
}

int earlier_cores_keep(struct session *s, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	enum base_sums_found found;

	if (earlier_core_path(s->state.core_version, &path, err) < 0 ||
		base_sums_load(s->tx, s->state.core_version, &sums, &found, err) < 0)
		return -1;
	if (found != BASE_SUMS_FOUND && base_sums_collect(s->base, &sums, err) < 0)
		return -1;
	base_sums_render(&sums, s->state.core_version, &text);
	return transaction_put(s->tx, &path, view_of_buf(&text), 0644, err);
}

int earlier_cores_read(struct session *s, const char *version, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_known, struct error *err)
{
	CLEANUP(error_release) struct error unusable = ERROR_INIT;
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath list = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	const struct layer_file *sum;
	struct layer_file is;
	bool other = false;

	*ret_known = false;
	if (earlier_core_path(version, &list, &unusable) < 0)
		return 0;
	if (transaction_read(s->tx, &list, &text, err) < 0)
		return -1;
	if (text.kind != TX_FILE ||
		!base_sums_parse(view_of_buf(&text.content), version, &sums, &other) || other)
		return 0;
	sum = base_sums_find(&sums, path->text);
	*ret_known = true;
	if (!sum)
		return 0;
	if (session_read_base(s, path, &base, err) < 0)
		return -1;
	is = layer_file_of(&base);
	if (layer_file_equal(&is, sum)) {
		*ret_file = base;
		base = TX_FILE_INIT;
		return 0;
	}
	if (recorded_try_fetch(s, &sum->hash, &ret_file->content, ret_known, err) < 0)
		return -1;
	ret_file->kind = *ret_known ? sum->kind : TX_ABSENT;
	ret_file->mode = sum->executable ? 0755 : 0644;
	return 0;
}
