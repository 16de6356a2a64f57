#include <stdint.h>

#include "base/utf8.h"
#include "markup/entity.h"
#include "markup/renderer.h"

#define GROWTH_MAX      16
#define EVENTS_PER_BYTE 8

static bool is_over_budget(struct renderer *r)
{
	return !r->events_left-- ||
	       r->out->len + r->text.len + r->code.len + r->label.len > r->out_max;
}

static const char *element_of(MD_BLOCKTYPE type)
{
	switch (type) {
	case MD_BLOCK_P:
		return "p";
	case MD_BLOCK_TABLE:
		return "table";
	case MD_BLOCK_THEAD:
		return "thead";
	case MD_BLOCK_TBODY:
		return "tbody";
	case MD_BLOCK_TR:
		return "tr";
	default:
		return NULL;
	}
}

static int block_enter(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct renderer *r = data;
	const char *element = element_of(type);

	if (is_over_budget(r))
		return -1;
	if (type != MD_BLOCK_TH && type != MD_BLOCK_TD && type != MD_BLOCK_TR &&
		type != MD_BLOCK_THEAD && type != MD_BLOCK_TBODY)
		block_flush(r);
	if (r->d->blocks && element)
		buf_appendf(r->out, type == MD_BLOCK_P ? "<%s>" : "<%s>\n", element);
	switch (type) {
	case MD_BLOCK_QUOTE:
		quote_enter(r);
		break;
	case MD_BLOCK_UL:
		list_enter(r, false, 0, ((MD_BLOCK_UL_DETAIL *)detail)->is_tight);
		break;
	case MD_BLOCK_OL:
		list_enter(r, true, ((MD_BLOCK_OL_DETAIL *)detail)->start,
			((MD_BLOCK_OL_DETAIL *)detail)->is_tight);
		break;
	case MD_BLOCK_LI:
		item_enter(r, detail);
		break;
	case MD_BLOCK_HR:
		rule_put(r);
		break;
	case MD_BLOCK_H:
		if (r->d->blocks)
			buf_appendf(r->out, "<h%u>", ((MD_BLOCK_H_DETAIL *)detail)->level);
		else
			style_enter(r, STYLE_STRONG);
		break;
	case MD_BLOCK_CODE:
		r->in_code = true;
		break;
	case MD_BLOCK_TR:
		if (!r->d->blocks && r->text.len)
			buf_append_char(&r->text, '\n');
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		cell_enter(r, type == MD_BLOCK_TH);
		break;
	default:
		break;
	}
	return 0;
}

static int block_leave(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct renderer *r = data;
	const char *element = element_of(type);

	if (is_over_budget(r))
		return -1;
	if (type == MD_BLOCK_CODE)
		code_block_leave(r, detail);
	else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
		cell_leave(r, type == MD_BLOCK_TH);
	else if (type != MD_BLOCK_TR && type != MD_BLOCK_THEAD && type != MD_BLOCK_TBODY)
		block_flush(r);
	if (r->d->blocks && element)
		buf_appendf(r->out, "</%s>\n", element);
	switch (type) {
	case MD_BLOCK_QUOTE:
		quote_leave(r);
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		list_leave(r, type == MD_BLOCK_OL);
		break;
	case MD_BLOCK_LI:
		item_leave(r);
		break;
	case MD_BLOCK_H:
		if (r->d->blocks)
			buf_appendf(r->out, "</h%u>\n", ((MD_BLOCK_H_DETAIL *)detail)->level);
		else
			style_leave(r);
		break;
	default:
		break;
	}
	return 0;
}

static enum style style_of(MD_SPANTYPE type)
{
	return type == MD_SPAN_STRONG ? STYLE_STRONG
	       : type == MD_SPAN_EM   ? STYLE_EMPHASIS
	       : type == MD_SPAN_DEL  ? STYLE_DELETED
				      : STYLE_NONE;
}

static int span_enter(MD_SPANTYPE type, void *detail, void *data)
{
	struct renderer *r = data;

	(void)detail;
	if (is_over_budget(r))
		return -1;
	if (type == MD_SPAN_CODE)
		r->in_code = true;
	else if (type == MD_SPAN_A || type == MD_SPAN_IMG)
		link_enter(r);
	else
		style_enter(r, style_of(type));
	return 0;
}

static int span_leave(MD_SPANTYPE type, void *detail, void *data)
{
	struct renderer *r = data;

	if (is_over_budget(r))
		return -1;
	if (type == MD_SPAN_CODE)
		inline_code(r);
	else if (type == MD_SPAN_A)
		link_leave(r, &((MD_SPAN_A_DETAIL *)detail)->href);
	else if (type == MD_SPAN_IMG)
		link_leave(r, &((MD_SPAN_IMG_DETAIL *)detail)->src);
	else
		style_leave(r);
	return 0;
}

static int text_came(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
	struct renderer *r = data;
	struct view view = {text, size};

	if (is_over_budget(r))
		return -1;
	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
		inline_break(r);
	} else if (type == MD_TEXT_ENTITY) {
		CLEANUP(buf_release) struct buf decoded = BUF_INIT;

		entity_append(view, &decoded);
		inline_text(r, view_of_buf(&decoded));
	} else {
		inline_text(r, type == MD_TEXT_NULLCHAR ? view_of(UTF8_REPLACEMENT) : view);
	}
	return 0;
}

static const MD_PARSER events = {
	.enter_block = block_enter,
	.leave_block = block_leave,
	.enter_span = span_enter,
	.leave_span = span_leave,
	.text = text_came,
};

static void renderer_init(struct renderer *r, struct view source, enum markup_dialect dialect,
	const struct markup_page *page, struct buf *out)
{
	*r = (struct renderer){
		.d = dialect_get(dialect),
		.page = page,
		.out = out,
		.out_start = out->len,
		.out_max = out->len + GROWTH_MAX * (source.len + 64),
		.events_left = EVENTS_PER_BYTE * (source.len + 64),
		.text = BUF_INIT,
		.code = BUF_INIT,
		.label = BUF_INIT,
	};
}

static void renderer_release(struct renderer *r)
{
	buf_release(&r->text);
	buf_release(&r->code);
	buf_release(&r->label);
}

void markup_render_page(struct view source, enum markup_dialect dialect,
	const struct markup_page *page, struct buf *out)
{
	CLEANUP(renderer_release) struct renderer r;
	CLEANUP(buf_release) struct buf masked = BUF_INIT;
	size_t start = out->len;

	renderer_init(&r, source, dialect, page, out);
	if (dialect == MARKUP_SOURCE) {
		buf_append(out, source.data, source.len);
		return;
	}
	parse_mask(source, &masked);
	source = view_of_buf(&masked);
	/* An empty code block alone would be an empty message; in HTML that is fine. */
	if (markup_parse(source, &events, &r) == 0 &&
		(out->len > start || dialect == MARKUP_HTML || !view_trim(source).len))
		return;
	renderer_release(&r);
	buf_set_len(out, start);
	renderer_init(&r, source, dialect, page, out);
	r.out_max = r.events_left = SIZE_MAX;
	markup_parse_plain(source, &events, &r);
}

void markup_render(struct view source, enum markup_dialect dialect, struct buf *out)
{
	markup_render_page(source, dialect, NULL, out);
}
