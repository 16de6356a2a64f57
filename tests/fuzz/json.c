/*
 * What can be read can be written, both as npm does and as we do, reads back
 * equal, and is written the same. A member that is changed in the text is the same change
 * in the tree.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "format/json_edit.h"
#include "fuzz.h"

static void read_again(const struct buf *text, json_t *expected, json_t **ret_json)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert(json_read(view_of_buf(text), "again", SIZE_MAX, ret_json, &err) == 0);
	assert(json_equal(expected, *ret_json));
}

static void check_npm(json_t *json, const struct json_style *style)
{
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;
	CLEANUP(json_decrefp) json_t *again = NULL;
	struct json_style detected;

	json_write_npm(json, style, &first);
	read_again(&first, json, &again);
	/*
	 * The style that it was written in is the one that is seen in it, unless
	 * npm changes the indent in writing it.
	 */
	detected = json_style_detect(view_of_buf(&first));
	json_write_npm(again, &detected, &second);
	if (json_object_size(json) && style->indent.len && style->indent.len <= 10 &&
		!memchr(style->indent.data, '\n', style->indent.len))
		assert(view_equal(view_of_buf(&first), view_of_buf(&second)));
}

static void check_ours(json_t *json, bool pretty)
{
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;
	CLEANUP(json_decrefp) json_t *again = NULL;

	json_write_ours(json, pretty, &first);
	read_again(&first, json, &again);
	json_write_ours(again, pretty, &second);
	assert(view_equal(view_of_buf(&first), view_of_buf(&second)));
}

/* In the text and in the tree. */
static void check_edit(struct view text, json_t *json, json_t *value)
{
	CLEANUP(buf_release) struct buf edited = BUF_INIT;
	CLEANUP(json_decrefp) json_t *expected = json_deep_copy(json);
	CLEANUP(json_decrefp) json_t *again = NULL;

	if (value)
		json_object_set(expected, "a", value);
	else
		json_object_del(expected, "a");
	json_edit(text, (const char *const[]){"a", NULL}, value, &edited);
	read_again(&edited, expected, &again);
}

static void check_edits(struct view text, json_t *json)
{
	CLEANUP(json_decrefp) json_t *value = json_pack("{s:[s, {}]}", "b", "\n");

	if (!json_is_object(json))
		return;
	check_edit(text, json, value);
	check_edit(text, json, NULL);
}

FUZZ_TARGET(json)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct view text = {(const char *)data, len};
	struct json_style style = json_style_detect(text);

	if (json_read(text, "fuzz", JSON_MAX_SIZE, &json, &err) < 0) {
		assert(!json && err.message);
		return 0;
	}
	check_npm(json, &style);
	check_npm(json, &JSON_STYLE_DEFAULT);
	check_ours(json, true);
	check_ours(json, false);
	check_edits(text, json);
	return 0;
}
