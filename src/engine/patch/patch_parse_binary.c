/*
 * The content of a binary file, twice: to the new one and back to the old one. Each
 * begins with `literal SIZE` or `delta SIZE`, and ends with an empty line; between
 * are lines of base 85, compressed.
 */
#include <string.h>

#include "engine/patch/patch_parts.h"
#include "engine/patch/patch_reader.h"
#include "engine/text/base85.h"
#include "util/deflate.h"

static int read_size(struct patch_reader *r, struct patch_binary *binary, size_t *ret_size,
	struct error *err)
{
	struct view line = {"", 0};

	patch_reader_take(r, &line);
	binary->delta = patch_skip(&line, "delta ");
	if ((!binary->delta && !patch_skip(&line, "literal ")) ||
		!patch_take_number(&line, ret_size) || line.len)
		return patch_fault(r, err, "here 'literal SIZE' or 'delta SIZE' is expected");
	if (*ret_size > PATCH_MAX_SIZE - r->inflated)
		return patch_fault(r, err, "the contents are too large: more than %zu bytes",
			PATCH_MAX_SIZE);
	r->inflated += *ret_size;
	return 0;
}

static int read_binary(struct patch_reader *r, struct patch_binary *binary, struct error *err)
{
	CLEANUP(buf_release) struct buf compressed = BUF_INIT;
	CLEANUP(error_release) struct error reason = ERROR_INIT;
	struct view line;
	size_t size;

	if (read_size(r, binary, &size, err) < 0)
		return -1;
	while (patch_reader_take(r, &line) && line.len)
		if (!base85_undo(line, &compressed))
			return patch_fault(r, err, "this is no line of a binary content");
	if (line.len || !compressed.len)
		return patch_fault(r, err, "the binary content has no end");
	if (deflate_undo(view_of_buf(&compressed), size, &binary->data, &reason) < 0)
		return patch_fault(r, err, "%s", reason.message);
	return 0;
}

int patch_parse_binary(struct patch_reader *r, struct patch_change *change, struct error *err)
{
	struct view line;

	patch_reader_take(r, &line);
	if (!view_equal_str(line, "GIT binary patch"))
		return patch_fault(r, err, "here 'GIT binary patch' is expected");
	if (strlen(change->old.id) != PATCH_ID_SIZE - 1 ||
		strlen(change->new.id) != PATCH_ID_SIZE - 1)
		return patch_fault(
			r, err, "a binary file needs an 'index' line with whole ids");
	change->body = PATCH_BINARY;
	if (read_binary(r, &change->forward, err) < 0)
		return -1;
	return read_binary(r, &change->reverse, err);
}
