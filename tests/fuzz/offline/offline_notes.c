/*
 * The first line is a note and a message, the rest is a memory. A note that is added is
 * there once more than before, and nothing else has changed; one that is deleted is there
 * once less. Any message is some request, and any text some prompt.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/offline/memory.h"
#include "agent/offline/prompt.h"
#include "agent/offline/request.h"

static void check_request(struct view text)
{
	CLEANUP(request_release) struct request request = {0};
	CLEANUP(prompt_release) struct prompt prompt = {0};

	request_read(text, "Andy", "@Andy", &request);
	assert(request.what && request.kind <= REQUEST_ZONE);
	prompt_read(text, &prompt);
	for (size_t i = 0; i < prompt.count; i++)
		assert(prompt.list[i].text && prompt.list[i].time);
}

/* Are all bytes of `part` in `whole`, in their order? */
static bool is_part(struct view part, struct view whole)
{
	size_t at = 0;

	for (size_t i = 0; i < whole.len && at < part.len; i++)
		if (whole.data[i] == part.data[at])
			at++;
	return at == part.len;
}

static void check_notes(struct view memory, struct view note)
{
	CLEANUP(string_array_release) struct string_array before = {0};
	CLEANUP(string_array_release) struct string_array added = {0};
	CLEANUP(string_array_release) struct string_array after = {0};
	CLEANUP(buf_release) struct buf longer = BUF_INIT;
	CLEANUP(buf_release) struct buf shorter = BUF_INIT;

	memory_parse_notes(memory, &before);
	memory_insert_note(memory, note, &longer);
	assert(is_part(memory, view_of_buf(&longer)));
	memory_parse_notes(view_of_buf(&longer), &added);
	assert(added.count == before.count + 1);
	assert(memory_delete_note(view_of_buf(&longer), added.list[before.count], &shorter));
	assert(is_part(view_of_buf(&shorter), view_of_buf(&longer)));
	memory_parse_notes(view_of_buf(&shorter), &after);
	assert(after.count == before.count);
}

FUZZ_TARGET(offline_notes)
{
	CLEANUP(buf_release) struct buf zoned = BUF_INIT;
	struct view rest = {(const char *)data, len};
	struct view note = {0};

	if (!len || memchr(data, '\0', len))
		return 0;
	view_next(&rest, '\n', &note);
	check_request(note);
	check_request(rest);
	if (view_trim(note).len)
		check_notes(rest, note);
	memory_replace_zone(rest, "Europe/Berlin", &zoned);
	assert(strstr(zoned.data, "Europe/Berlin"));
	return 0;
}
