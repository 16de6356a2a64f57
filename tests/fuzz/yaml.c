/*
 * A parsed document can be written, parses to an equal document, and is written the same again.
 */
#include <assert.h>
#include <stdint.h>

#include "base/utf8.h"
#include "format/yaml_write.h"
#include "fuzz.h"

/* A bomb of aliases that stays below the limit of nodes is larger in writing. */
static const struct yaml_limits limits = {.size = (size_t)256 * 1024 * 1024, .nodes = 0};

static void check_round_trip(const struct yaml_node *root, enum yaml_order order)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *again = NULL;

	assert(yaml_write_ordered(root, order, &first, &err) == 0);
	assert(yaml_parse_limited(view_of_buf(&first), "again", &limits, &again, &err) == 0);
	assert(yaml_equal(root, again->root));
	assert(yaml_write_ordered(again->root, order, &second, &err) == 0);
	assert(view_equal(view_of_buf(&first), view_of_buf(&second)));
}

/* Any UTF-8 is a string, and stays one. */
static void check_string(struct view text)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("string");

	if (!utf8_valid(text))
		return;
	doc->root = yaml_new_mapping(doc);
	yaml_set_view(doc->root, text, yaml_new_string_view(doc, text));
	check_round_trip(doc->root, YAML_KEYS_SORTED);
}

FUZZ_TARGET(yaml)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	struct view text = {(const char *)data, len};

	check_string(text);
	if (yaml_parse(text, "fuzz", &doc, &err) < 0) {
		assert(!doc && err.message);
		return 0;
	}
	check_round_trip(doc->root, YAML_KEYS_SORTED);
	check_round_trip(doc->root, YAML_KEYS_AS_THEY_ARE);
	return 0;
}
