/*
 * Any bytes as git's index: what is read from it is sorted and found again.
 */
#include <assert.h>
#include <string.h>

#include "engine/core/gitindex.h"
#include "fuzz.h"

FUZZ_TARGET(gitindex)
{
	CLEANUP(gitindex_release) struct gitindex index = GITINDEX_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_append(&text, data, len);
	gitindex_parse(&text, &index);
	assert(!index.unknown || !index.count);
	for (size_t i = 0; i < index.count; i++) {
		CLEANUP(freep) char *path = xmemdupz(index.paths[i].data, index.paths[i].len);

		assert(strlen(path) == index.paths[i].len);
		assert(gitindex_tracks(&index, path));
		if (i)
			assert(view_compare(index.paths[i - 1], index.paths[i]) <= 0);
	}
	return 0;
}
