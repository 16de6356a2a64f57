#include "engine/core/objects.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "fs/beneath.h"

#define OBJECTS "objects"

/* objects/ab/cdef… */
static struct relpath object_path(const struct hash *hash)
{
	char hex[HASH_HEX_SIZE], text[sizeof(OBJECTS) + HASH_HEX_SIZE + 2];

	hash_to_hex(hash, hex);
	snprintf(text, sizeof(text), OBJECTS "/%.2s/%s", hex, hex + 2);
	return relpath_of(text);
}

bool objects_has(int nanoclaw, const struct hash *hash)
{
	CLEANUP(relpath_release) struct relpath path = object_path(hash);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	return beneath_stat(nanoclaw, &path, &st, &err) == 0 && S_ISREG(st.st_mode);
}

int objects_read(int nanoclaw, const struct hash *hash, size_t max, struct buf *ret_content,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = object_path(hash);
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash found;

	if (beneath_read(nanoclaw, &path, max, &content, err) < 0)
		return -1;
	found = hash_of(view_of_buf(&content));
	if (!hash_equal(&found, hash)) {
		error_set(err, ERROR_FAILED,
			"the object '.nanoclaw/%s' is damaged: its content does not match its hash",
			path.text);
		err->errnum = EBADMSG;
		return -1;
	}
	buf_release(ret_content);
	*ret_content = content;
	content = BUF_INIT;
	return 0;
}
