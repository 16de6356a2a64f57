/*
 * yaml_parse(): the events of libyaml become a tree.
 *
 * libyaml has no limits of its own, and some of its work grows with the square
 * of the nesting. It looks ahead at most 1024 characters for the end of a key,
 * so it is enough to stop asking for events once the limit of depth is passed.
 */
#include <stdint.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "format/yaml.h"
#include "format/yaml_build.h"

#define NO_ANCHOR      SIZE_MAX
#define MAX_DIRECTIVES 16

/* A collection whose end has not come yet. */
struct frame {
	struct yaml_node *node;
	struct yaml_entry entry; /* of a mapping: the key that waits for its value */
	bool has_key;
	unsigned height; /* levels of collections below this one */
	size_t anchor;   /* its index, or NO_ANCHOR */
	size_t before;   /* how many nodes there were before this one */
};

struct anchor {
	char *name;
	struct yaml_node *node;
	bool open;       /* its node is not finished: an alias would be a circle */
	unsigned height; /* levels of collections: 0 for a scalar */
	size_t weight;   /* nodes, with aliases counted as often as used */
};

struct reader {
	yaml_parser_t parser;
	struct yaml_doc *doc;
	struct error *err;
	size_t max_nodes;
	size_t nodes;
	size_t documents;
	bool at_end;
	struct yaml_place last_end; /* of the last node, not counting comments */
	unsigned depth;
	struct frame stack[YAML_MAX_DEPTH];
	size_t anchor_count;
	struct anchor anchors[YAML_MAX_ANCHORS];
};

static void reader_freep(struct reader **r)
{
	for (size_t i = 0; i < (*r)->anchor_count; i++)
		free((*r)->anchors[i].name);
	yaml_parser_delete(&(*r)->parser);
	yaml_doc_free((*r)->doc);
	free(*r);
}

static struct yaml_place place_of(yaml_mark_t mark)
{
	return (struct yaml_place){mark.line + 1, mark.column + 1};
}

static int reader_error(struct reader *r, yaml_mark_t at, const char *text)
{
	return yaml_error_at(r->doc, place_of(at), r->err, "%s", text);
}

/* --- limits ----------------------------------------------------------------- */

static int count_nodes(struct reader *r, yaml_mark_t at, size_t count)
{
	if (count > r->max_nodes - r->nodes)
		return yaml_error_at(r->doc, place_of(at), r->err,
			"more than %zu nodes, with aliases counted as often as they are used",
			r->max_nodes);
	r->nodes += count;
	return 0;
}

static int check_depth(struct reader *r, yaml_mark_t at, unsigned height)
{
	if (r->depth + height > YAML_MAX_DEPTH)
		return yaml_error_at(
			r->doc, place_of(at), r->err, "nested deeper than %d", YAML_MAX_DEPTH);
	return 0;
}

/* --- anchors ---------------------------------------------------------------- */

static int add_anchor(struct reader *r, const yaml_char_t *name, struct yaml_node *node,
	yaml_mark_t at, size_t *ret_index)
{
	*ret_index = NO_ANCHOR;
	if (!name)
		return 0;
	if (r->anchor_count == YAML_MAX_ANCHORS)
		return yaml_error_at(
			r->doc, place_of(at), r->err, "more than %d anchors", YAML_MAX_ANCHORS);
	*ret_index = r->anchor_count;
	r->anchors[r->anchor_count++] = (struct anchor){
		.name = xstrdup((const char *)name),
		.node = node,
		.open = node->kind != YAML_SCALAR,
		.weight = 1,
	};
	return 0;
}

/* The last one of that name counts: a name may be used again. */
static struct anchor *find_anchor(struct reader *r, const yaml_char_t *name)
{
	for (size_t i = r->anchor_count; i-- > 0;)
		if (!strcmp(r->anchors[i].name, (const char *)name))
			return &r->anchors[i];
	return NULL;
}

/* --- tags ------------------------------------------------------------------- */

static int unknown_tag(struct reader *r, const yaml_char_t *tag, yaml_mark_t at)
{
	CLEANUP(freep) char *text = utf8_excerpt(view_of((const char *)tag));

	return yaml_error_at(r->doc, place_of(at), r->err, "tag '%s' does not fit here", text);
}

/* A tag may restate the type of the value, or make it a string. */
static int apply_scalar_tag(
	struct reader *r, const yaml_char_t *tag, struct yaml_node *node, yaml_mark_t at)
{
	const char *name = (const char *)tag;
	enum yaml_type type = yaml_plain_type(node->text);

	if (!tag)
		return 0;
	if (!strcmp(name, YAML_STR_TAG))
		node->plain = false;
	else if ((!strcmp(name, YAML_NULL_TAG) && type == YAML_NULL) ||
		 (!strcmp(name, YAML_BOOL_TAG) && type == YAML_BOOL) ||
		 (!strcmp(name, YAML_INT_TAG) && type == YAML_INT) ||
		 (!strcmp(name, YAML_FLOAT_TAG) && (type == YAML_INT || type == YAML_FLOAT)))
		node->plain = true;
	else
		return unknown_tag(r, tag, at);
	return 0;
}

/* --- nodes ------------------------------------------------------------------ */

/* The innermost collection that is open; NULL at the root. */
static struct frame *reader_innermost(struct reader *r)
{
	return r->depth ? &r->stack[r->depth - 1] : NULL;
}

static bool expects_key(struct reader *r)
{
	const struct frame *top = reader_innermost(r);

	return top && top->node->kind == YAML_MAPPING && !top->has_key;
}

static int take_key(struct reader *r, const struct yaml_node *key, yaml_mark_t at)
{
	struct frame *top = reader_innermost(r);

	if (key->kind != YAML_SCALAR)
		return reader_error(r, at, "a key must be a scalar");
	if (key->plain && !key->text.len)
		return reader_error(r, at, "a key is missing");
	top->entry = (struct yaml_entry){
		.key = key->text,
		.key_plain = key->plain,
		.key_at = place_of(at),
	};
	top->has_key = true;
	return 0;
}

/* Put a node where the document is at. */
static int take_node(struct reader *r, struct yaml_node *node, yaml_mark_t at)
{
	struct frame *top = reader_innermost(r);

	if (!top) {
		r->doc->root = node;
		return 0;
	}
	if (top->node->kind == YAML_SEQUENCE) {
		yaml_append(top->node, node);
		return 0;
	}
	if (expects_key(r))
		return take_key(r, node, at);
	top->entry.value = node;
	top->entry.end = r->last_end;
	top->has_key = false;
	yaml_append_entry(top->node, &top->entry);
	return 0;
}

/* A node of that height was put into the innermost collection. */
static void note_height(struct reader *r, unsigned height)
{
	struct frame *top = reader_innermost(r);

	if (top && top->height < height)
		top->height = height;
}

static int read_scalar(struct reader *r, const yaml_event_t *event)
{
	const yaml_mark_t at = event->start_mark;
	struct view text = {(const char *)event->data.scalar.value, event->data.scalar.length};
	struct yaml_node *node;
	size_t anchor;

	if (count_nodes(r, at, 1) < 0)
		return -1;
	node = yaml_new_scalar(
		r->doc, text, event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
	node->at = place_of(at);
	node->end = r->last_end = place_of(event->end_mark);
	if (apply_scalar_tag(r, event->data.scalar.tag, node, at) < 0 ||
		add_anchor(r, event->data.scalar.anchor, node, at, &anchor) < 0)
		return -1;
	return take_node(r, node, at);
}

static int read_alias(struct reader *r, const yaml_event_t *event)
{
	const yaml_mark_t at = event->start_mark;
	const struct anchor *anchor = find_anchor(r, event->data.alias.anchor);
	CLEANUP(freep) char *name = utf8_excerpt(view_of((char *)event->data.alias.anchor));

	if (!anchor)
		return yaml_error_at(
			r->doc, place_of(at), r->err, "alias '%s' has no anchor", name);
	if (anchor->open)
		return yaml_error_at(r->doc, place_of(at), r->err,
			"alias '%s' is inside its own anchor", name);
	if (count_nodes(r, at, anchor->weight) < 0 || check_depth(r, at, anchor->height) < 0)
		return -1;
	note_height(r, anchor->height);
	r->last_end = place_of(event->end_mark);
	return take_node(r, anchor->node, at);
}

static int open_collection(struct reader *r, enum yaml_kind kind, const yaml_char_t *name,
	const yaml_char_t *tag, yaml_mark_t at, bool flow)
{
	const char *fitting = kind == YAML_MAPPING ? YAML_MAP_TAG : YAML_SEQ_TAG;
	struct frame frame = {.before = r->nodes};

	if (expects_key(r))
		return reader_error(r, at, "a key must be a scalar");
	if (check_depth(r, at, 1) < 0 || count_nodes(r, at, 1) < 0)
		return -1;
	if (tag && strcmp((const char *)tag, fitting))
		return unknown_tag(r, tag, at);
	frame.node =
		kind == YAML_MAPPING ? yaml_new_mapping(r->doc) : yaml_new_sequence(r->doc);
	frame.node->at = place_of(at);
	frame.node->flow = flow;
	if (add_anchor(r, name, frame.node, at, &frame.anchor) < 0 ||
		take_node(r, frame.node, at) < 0)
		return -1;
	r->stack[r->depth++] = frame;
	return 0;
}

static int check_keys(struct reader *r, struct yaml_node *mapping)
{
	const struct yaml_entry *first;
	const struct yaml_entry *twice = yaml_sort_keys(mapping, &first);
	CLEANUP(freep) char *key = NULL;

	if (!twice)
		return 0;
	key = utf8_excerpt(twice->key);
	return yaml_error_at(r->doc, twice->key_at, r->err,
		"key '%s' appears twice (first on line %zu)", key, first->key_at.line);
}

/*
 * A flow collection ends after its bracket, a block collection where its last item ends. The
 * entry that holds it is older than its end, so update it.
 */
static void note_end(struct reader *r, struct yaml_node *node, const yaml_event_t *event)
{
	struct frame *outer = reader_innermost(r);

	if (node->flow)
		r->last_end = place_of(event->end_mark);
	node->end = r->last_end;
	if (outer && outer->node->kind == YAML_MAPPING)
		outer->node->entries[outer->node->count - 1].end = node->end;
}

static int close_collection(struct reader *r, const yaml_event_t *event)
{
	const struct frame *top = &r->stack[--r->depth];

	note_end(r, top->node, event);
	if (top->node->kind == YAML_MAPPING && check_keys(r, top->node) < 0)
		return -1;
	if (top->anchor != NO_ANCHOR) {
		struct anchor *anchor = &r->anchors[top->anchor];

		anchor->open = false;
		anchor->height = top->height + 1;
		anchor->weight = r->nodes - top->before;
	}
	note_height(r, top->height + 1);
	return 0;
}

/* --- events ----------------------------------------------------------------- */

static int syntax_error(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;

	if (p->error == YAML_MEMORY_ERROR)
		return error_set(r->err, ERROR_FAILED, "%s: out of memory", r->doc->name);
	return yaml_error_at(r->doc, place_of(p->problem_mark), r->err, "%s%s%s",
		p->problem ? p->problem : "not readable", p->context ? " " : "",
		p->context ? p->context : "");
}

static int read_event(struct reader *r, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (r->documents++)
			return reader_error(r, event->start_mark, "more than one document");
		return 0;
	case YAML_DOCUMENT_END_EVENT:
		r->doc->end = place_of(event->start_mark);
		return 0;
	case YAML_SCALAR_EVENT:
		return read_scalar(r, event);
	case YAML_ALIAS_EVENT:
		return read_alias(r, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_collection(r, YAML_SEQUENCE, event->data.sequence_start.anchor,
			event->data.sequence_start.tag, event->start_mark,
			event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
	case YAML_MAPPING_START_EVENT:
		return open_collection(r, YAML_MAPPING, event->data.mapping_start.anchor,
			event->data.mapping_start.tag, event->start_mark,
			event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_collection(r, event);
	case YAML_STREAM_END_EVENT:
		if (!r->documents)
			r->doc->end = place_of(event->start_mark);
		r->at_end = true;
		return 0;
	default:
		return 0;
	}
}

static int read_events(struct reader *r)
{
	while (!r->at_end) {
		CLEANUP(yaml_event_delete) yaml_event_t event;

		if (!yaml_parser_parse(&r->parser, &event)) {
			event = (yaml_event_t){0};
			return syntax_error(r);
		}
		if (read_event(r, &event) < 0)
			return -1;
	}
	return 0;
}

/* libyaml would name a byte offset; and it would read UTF-16. */
static int check_characters(struct reader *r, struct view text)
{
	struct yaml_place at;
	size_t offset = 0;
	uint32_t c = 0;
	size_t len = 0;

	for (; offset < text.len; offset += len) {
		len = utf8_decode(view_slice(text, offset, text.len), &c);
		if (!len || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
			(c >= 0x7f && c < 0xa0 && c != 0x85) || c == 0xfffe || c == 0xffff)
			break;
	}
	if (offset == text.len)
		return 0;
	utf8_place(text, offset, &at.line, &at.column);
	if (!len)
		return yaml_error_at(r->doc, at, r->err, "not UTF-8");
	return yaml_error_at(r->doc, at, r->err, "control character U+%04X", c);
}

/*
 * libyaml compares each %TAG line with all before it: a megabyte of them takes many seconds.
 * They begin a line, and libyaml also knows line ends outside ASCII.
 */
static int check_directives(struct reader *r, struct view text)
{
	const char *end = text.data + text.len;
	const char *at = text.data;
	size_t count = 0;

	while (at < end && (at = memmem(at, (size_t)(end - at), "%TAG", 4))) {
		bool starts_line = at == text.data || at[-1] == '\n' || at[-1] == '\r' ||
				   (unsigned char)at[-1] >= 0x80;
		struct yaml_place place;

		if (starts_line && ++count > MAX_DIRECTIVES) {
			utf8_place(text, (size_t)(at - text.data), &place.line, &place.column);
			return yaml_error_at(r->doc, place, r->err,
				"more than %d %%TAG directives", MAX_DIRECTIVES);
		}
		at += 4;
	}
	return 0;
}

int yaml_parse_limited(struct view text, const char *name, const struct yaml_limits *limits,
	struct yaml_doc **ret_doc, struct error *err)
{
	CLEANUP(reader_freep) struct reader *r = xcalloc(1, sizeof(*r));
	size_t max_size = limits->size ? limits->size : YAML_MAX_SIZE;

	r->doc = yaml_doc_new(name);
	r->doc->root->at = (struct yaml_place){1, 1};
	r->err = err;
	r->max_nodes = limits->nodes ? limits->nodes : YAML_MAX_NODES;
	if (text.len > max_size)
		return error_set(
			err, ERROR_INVALID, "%s: larger than %zu bytes", name, max_size);
	if (!text.len)
		text = view_of(""); /* libyaml refuses NULL */
	if (view_starts_with(text, UTF8_BOM))
		text = view_slice(text, strlen(UTF8_BOM), text.len);
	if (check_characters(r, text) < 0 || check_directives(r, text) < 0)
		return -1;
	if (!yaml_parser_initialize(&r->parser))
		return error_set(err, ERROR_FAILED, "%s: out of memory", name);
	yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.data, text.len);
	if (read_events(r) < 0)
		return -1;
	*ret_doc = TAKE(r->doc);
	return 0;
}

int yaml_parse(struct view text, const char *name, struct yaml_doc **ret_doc, struct error *err)
{
	return yaml_parse_limited(text, name, &(struct yaml_limits){0}, ret_doc, err);
}
