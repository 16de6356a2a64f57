/*
 * Any bytes as .nanoclaw/index, with a sum that is right: what is read from it is
 * sorted, stays inside, and is the same when it is written and read again.
 */
#include <assert.h>
#include <string.h>

#include "archive/checksum.h"
#include "engine/disk/stat_index.h"
#include "fuzz.h"

/* Where the sum stands, and what it is about. */
#define SUM_AT  24
#define SUM_END 32

FUZZ_TARGET(stat_index)
{
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	CLEANUP(stat_index_release) struct stat_index again = STAT_INDEX_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf copy = BUF_INIT;

	buf_append(&text, data, len);
	if (len > SUM_END) {
		uint64_t sum = checksum(text.data + SUM_END, len - SUM_END);

		memcpy(text.data + SUM_AT, &sum, sizeof(sum));
	}
	if (!stat_index_parse(&index, &text))
		return 0;
	for (size_t i = 0; i < index.count; i++) {
		const char *path = stat_index_path(&index, &index.entries[i]);

		assert(*path && *path != '/' && !strstr(path, "/../"));
		assert(!i || strcmp(stat_index_path(&index, &index.entries[i - 1]), path) < 0);
		index.entries[i].flags |= INDEX_IN_BASE;
	}
	stat_index_render(&index, &copy);
	assert(stat_index_parse(&again, &copy));
	assert(again.count == index.count && again.folder_count == index.folder_count);
	return 0;
}
