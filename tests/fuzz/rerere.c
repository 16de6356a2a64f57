/*
 * Any bytes as texts with conflict markers. The input is three of them, separated
 * by a NUL: a conflict, a preimage and a resolved text.
 *
 * What is parsed covers the whole text, replaying never leaves a conflict, and what
 * is learned resolves the same conflict again with the same bytes.
 */
#include <assert.h>
#include <string.h>

#include "engine/text/rerere_hunk.h"
#include "fuzz.h"

static void check_parsed(const struct rerere_text *text, struct view source)
{
	size_t at = 0, normal_at = 0;

	for (size_t i = 0; i < text->count; i++) {
		const struct rerere_hunk *hunk = &text->hunks[i];
		size_t len = hunk->start - at;

		assert(hunk->start >= at && hunk->end > hunk->start && hunk->end <= source.len);
		assert(hunk->normal_start - normal_at == len);
		assert(!memcmp(source.data + at, text->normalized.data + normal_at, len));
		assert(view_compare(view_of_buf(&hunk->one), view_of_buf(&hunk->two)) <= 0);
		at = hunk->end;
		normal_at = hunk->normal_end;
	}
	assert(source.len - at == text->normalized.len - normal_at);
}

static void check_replay(const struct rerere_text *text, struct view pre, struct view post)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(rerere_text_release) struct rerere_text again = RERERE_TEXT_INIT;
	bool clean;

	assert(rerere_replay(text, pre, post, &content, &clean, &err) == 0);
	if (clean)
		assert(rerere_parse(view_of_buf(&content), 0, &again) && !again.count);
}

static void check_hunks(const struct rerere_text *text, struct view source, struct view post)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) struct view *learned = xcalloc(text->count + 1, sizeof(*learned));
	struct hash key;
	size_t left;

	for (size_t i = 0; i < text->count; i++)
		rerere_hunk_key(text, i, view_of("path"), &key);
	rerere_hunk_learn(text, post, learned);
	rerere_hunk_resolve(text, source, learned, &content, &left);
	assert(left <= text->count);
	if (text->count && !left)
		assert(view_equal(view_of_buf(&content), post));
}

FUZZ_TARGET(rerere)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	struct view rest = {(const char *)data, len}, parts[3] = {{"", 0}, {"", 0}, {"", 0}};

	for (int i = 0; i < 3; i++)
		view_next(&rest, '\0', &parts[i]);
	if (!rerere_parse(parts[0], 0, &text))
		return 0;
	check_parsed(&text, parts[0]);
	check_replay(&text, parts[1], parts[2]);
	check_replay(&text, view_of_buf(&text.normalized), parts[2]);
	check_hunks(&text, parts[0], parts[2]);
	return 0;
}
