#include "agent/offline/forgotten.h"

#include <errno.h>
#include <string.h>

#include "util/beneath.h"
#include "util/json.h"
#include "util/replace.h"

#define FILE_NAME ".offline-forgotten.json"
#define MAX_SIZE  ((size_t)64 * 1024)

int forgotten_find(int folder, const char *message, char **ret_note, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *kept = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *seen;
	const char *note;

	*ret_note = NULL;
	if (relpath_parse(view_of(FILE_NAME), &path, err) < 0)
		return -1;
	/* Missing or damaged: nothing was forgotten by number lately. */
	if (beneath_read(folder, &path, MAX_SIZE, &text, &ignored) < 0 ||
		json_read(view_of_buf(&text), FILE_NAME, MAX_SIZE, &kept, &ignored) < 0)
		return 0;
	seen = json_string_value(json_object_get(kept, "message"));
	note = json_string_value(json_object_get(kept, "note"));
	if (seen && note && !strcmp(seen, message))
		*ret_note = xstrdup(note);
	return 0;
}

int forgotten_keep(int folder, const char *message, const char *note, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *kept = json_pack("{s:o, s:o}", "message", json_text(view_of(message)), "note",
		json_text(view_of(note)));

	json_write_ours(kept, true, &text);
	json_decref(kept);
	return replace_file(folder, FILE_NAME, view_of_buf(&text), 0644, NULL, 0, err);
}
