#include "agent/offline/forgotten.h"

#include <string.h>

#include "base/hash.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"

#define FILE_NAME ".offline-forgotten.json"
#define MAX_SIZE  ((size_t)2 * 1024 * 1024)

/* More than one turn can hold, so that a repeated turn finds all of its entries. */
#define MAX_KEPT 120

/* Missing or damaged: nothing was forgotten lately. Never NULL. */
static json_t *read_kept(int folder)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *kept;

	if (beneath_path_read(folder, FILE_NAME, MAX_SIZE, &text, &ignored) < 0 ||
		json_read(view_of_buf(&text), FILE_NAME, MAX_SIZE, &kept, &ignored) < 0)
		return json_array();
	if (json_is_array(kept))
		return kept;
	json_decref(kept);
	return json_array();
}

char *forgotten_find(int folder, const char *message)
{
	CLEANUP(json_decrefp) json_t *kept = read_kept(folder);
	char name[HASH_HEX_SIZE];
	const json_t *entry;
	size_t i;

	hash_hex_of(view_of(message), name);
	json_array_foreach(kept, i, entry) {
		const char *seen = json_string_value(json_object_get(entry, "message"));
		const char *note = json_string_value(json_object_get(entry, "note"));

		if (seen && note && !strcmp(seen, name))
			return xstrdup(note);
	}
	return NULL;
}

int forgotten_keep(int folder, const char *message, const char *note, struct error *err)
{
	CLEANUP(json_decrefp) json_t *kept = read_kept(folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	char name[HASH_HEX_SIZE];

	hash_hex_of(view_of(message), name);
	json_add(kept, "message:s note:s", name, note);
	while (json_array_size(kept) > MAX_KEPT)
		json_array_remove(kept, 0);
	json_write_ours(kept, true, &text);
	return replace_file(folder, FILE_NAME, view_of_buf(&text), 0600, NULL, 0, err);
}
