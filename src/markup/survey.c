#include "markup/survey.h"

#include <stdint.h>
#include <string.h>

#define CODE_PIECE 16 /* bytes */

void survey_release(struct survey *s)
{
	buf_release(&s->masked);
	free(s->cuts);
	free(s->blocks);
}

static size_t line_start(const struct survey *s, size_t at)
{
	while (at && s->source.data[at - 1] != '\n')
		at--;
	return at;
}

/* Would marks that are closed or opened here touch others, and be read as one with them? */
static bool marks_touch(const struct survey *s, const struct cut *cut)
{
	size_t end = cut->end;

	while (end && strchr(" \t\n\r", s->source.data[end - 1]))
		end--;
	return *cut->open && ((end && strchr("*~`", s->source.data[end - 1])) ||
				     strchr("*~`", s->source.data[cut->next]));
}

static void cut_add(struct survey *s, const struct cut *cut)
{
	if (cut->next <= s->opened || (s->count && s->cuts[s->count - 1].next >= cut->next) ||
		marks_touch(s, cut))
		return;
	GROW(s->cuts, s->count, s->cap);
	s->cuts[s->count++] = *cut;
}

/* The marks of the styles around the text; false if there are too many of them. */
static bool styles_around(const struct survey *s, char ret_open[SURVEY_MARKS + 1])
{
	char *end = ret_open;

	if (s->style_depth > SURVEY_STYLES || 2 * s->style_depth + s->backticks > SURVEY_MARKS)
		return false;
	for (unsigned i = 0; i < s->style_depth; i++) {
		*end++ = s->styles[i] == MD_SPAN_DEL ? '~' : '*';
		if (s->styles[i] != MD_SPAN_EM)
			*end++ = s->styles[i] == MD_SPAN_DEL ? '~' : '*';
	}
	memset(end, '`', s->backticks);
	end[s->backticks] = '\0';
	return true;
}

/* --- code ---------------------------------------------------------------------- */

/* The fence is on the last line before the code with three of its characters. */
static size_t fence_find(const struct survey *s, size_t line, struct code_block *block)
{
	const char fence[] = {block->character, block->character, block->character, '\0'};

	while (line) {
		size_t before = line_start(s, line - 1);
		const char *found = memmem(s->source.data + before, line - before, fence, 3);

		line = before;
		if (!found)
			continue;
		while (found[block->fence] == block->character)
			block->fence++;
		break;
	}
	return line;
}

/* Between words, and in a long word between some of its characters. */
static void code_words_came(struct survey *s, struct cut *cut, size_t at, size_t len)
{
	size_t last = at;

	for (size_t i = at + 1; i < at + len; i++) {
		bool word = s->source.data[i - 1] == ' ' && s->source.data[i] != ' ';

		if (!word && (i - last < CODE_PIECE ||
				     ((unsigned char)s->source.data[i] & 0xc0) == 0x80))
			continue;
		cut->end = cut->next = last = i;
		cut->level = word ? CUT_CODE : CUT_IN_CODE;
		cut_add(s, cut);
	}
}

static void code_line_came(struct survey *s, size_t at, size_t len)
{
	struct code_block *block = &s->blocks[s->block_count - 1];
	size_t line = line_start(s, at);
	struct cut cut = {
		.end = line,
		.next = line,
		.level = CUT_LINE,
		.code = (unsigned)s->block_count,
		.prefix = line,
		.prefix_end = at,
	};

	if (s->block_start) {
		cut.end = cut.next = fence_find(s, line, block);
		cut.level = s->lists || s->quotes ? CUT_LINE : CUT_BLOCK;
		cut.code = 0;
	}
	s->block_start = false;
	cut_add(s, &cut);
	cut.code = (unsigned)s->block_count;
	code_words_came(s, &cut, at, len);
	for (size_t i = at, run = 0; i < at + len; i++) {
		run = s->source.data[i] == block->character ? run + 1 : 0;
		if (run >= block->fence)
			block->fence = run + 1;
	}
}

static void code_block_came(struct survey *s, const MD_BLOCK_CODE_DETAIL *detail)
{
	struct code_block *block;

	GROW(s->blocks, s->block_count, s->block_cap);
	block = &s->blocks[s->block_count++];
	*block = (struct code_block){3, detail->fence_char ? detail->fence_char : '`', ""};
	if (detail->info.size && detail->info.size <= SURVEY_INFO)
		memcpy(block->info, detail->info.text, detail->info.size);
}

/* Would a definition of a link begin here, of which nothing is seen? */
static bool is_definition(struct view text)
{
	const char *end = memchr(text.data, '\n', text.len);

	if (end)
		text.len = (size_t)(end - text.data);
	return view_starts_with(text, "[") && memmem(text.data, text.len, "]:", 2);
}

bool survey_begins_block(struct view text)
{
	size_t run = 1;

	if (!text.len || !strchr("#>-+*~`[", text.data[0]))
		return false;
	while (run < text.len && text.data[run] == text.data[0])
		run++;
	switch (text.data[0]) {
	case '>':
		return true;
	case '[':
		return is_definition(text);
	case '~':
	case '`':
		return run >= 3;
	default:
		return run == text.len || strchr(" \t\n", text.data[run]);
	}
}

/* --- text ---------------------------------------------------------------------- */

/* The first text of a line: the line can begin a part. */
static void line_came(struct survey *s, size_t line, size_t at)
{
	struct cut cut = {
		.end = line,
		.next = line,
		.level = CUT_LINE,
	};

	if (s->block_start && !s->lists && !s->quotes && !s->in_table)
		cut.level = CUT_BLOCK;
	else if (s->in_table && s->has_line)
		cut.level = CUT_WORD;
	if (!s->block_start && is_definition(view_slice(s->source, at, s->source.len))) {
		cut.next = at;
		cut.inside = true;
		cut.quotes = s->quotes;
	}
	if (s->line_in_span) {
		if (s->other_spans || !styles_around(s, cut.open))
			return;
		cut.level = CUT_STYLED;
		cut.next = at;
		cut.inside = true;
		cut.quotes = s->quotes;
	}
	cut_add(s, &cut);
}

/* How many backticks precede the first text of a code span. */
static size_t backticks_before(const struct survey *s, size_t at)
{
	size_t count = 0;

	while (at && strchr(" \n", s->source.data[at - 1]))
		at--;
	while (at > count && s->source.data[at - 1 - count] == '`')
		count++;
	return count;
}

static void words_came(struct survey *s, size_t at, size_t len)
{
	struct cut cut = {.inside = true, .quotes = s->quotes};

	if (s->other_spans || s->in_table || !styles_around(s, cut.open))
		return;
	for (size_t i = at + 1; i <= at + len && i < s->source.len; i++) {
		if (s->source.data[i - 1] != ' ' || strchr(" \n", s->source.data[i]))
			continue;
		cut.end = cut.next = i;
		cut.level = *cut.open                                             ? CUT_STYLED
			    : i >= at + 2 && strchr(".!?", s->source.data[i - 2]) ? CUT_SENTENCE
										  : CUT_WORD;
		cut_add(s, &cut);
	}
}

/* --- md4c ---------------------------------------------------------------------- */

static int block_enter(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct survey *s = data;

	if (!s->events_left--)
		return -1;
	s->block_start = true;
	s->line_in_span = false;
	if (type == MD_BLOCK_QUOTE)
		s->quotes++;
	else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
		s->lists++;
	else if (type == MD_BLOCK_TABLE)
		s->in_table = true;
	else if (type == MD_BLOCK_CODE)
		code_block_came(s, detail);
	s->in_code = type == MD_BLOCK_CODE;
	return 0;
}

static int block_leave(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct survey *s = data;

	(void)detail;
	if (!s->events_left--)
		return -1;
	s->block_start = true;
	if (type == MD_BLOCK_QUOTE)
		s->quotes--;
	else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
		s->lists--;
	else if (type == MD_BLOCK_TABLE)
		s->in_table = false;
	s->in_code = false;
	return 0;
}

static bool is_style(MD_SPANTYPE type)
{
	return type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_DEL;
}

static int span_enter(MD_SPANTYPE type, void *detail, void *data)
{
	struct survey *s = data;

	(void)detail;
	if (!s->events_left--)
		return -1;
	if (type == MD_SPAN_CODE)
		s->in_code_span = true;
	else if (!is_style(type))
		s->other_spans++;
	else if (s->style_depth++ < SURVEY_STYLES)
		s->styles[s->style_depth - 1] = type;
	return 0;
}

static int span_leave(MD_SPANTYPE type, void *detail, void *data)
{
	struct survey *s = data;

	(void)detail;
	if (!s->events_left--)
		return -1;
	if (type == MD_SPAN_CODE) {
		s->in_code_span = false;
		s->backticks = 0;
	} else if (!is_style(type))
		s->other_spans--;
	else
		s->style_depth--;
	return 0;
}

/* The start of the line of a text. Texts come in order: bytes are looked at once. */
static size_t text_line(struct survey *s, size_t at)
{
	bool on = s->has_line && at >= s->at;
	const char *from = s->source.data + (on ? s->at : 0);
	const char *end = memrchr(from, '\n', (size_t)(s->source.data + at - from));
	size_t start = on ? s->line : 0;

	s->at = at;
	return end ? (size_t)(end + 1 - s->source.data) : start;
}

static int text_came(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
	struct survey *s = data;
	size_t at, line;

	if (!s->events_left--)
		return -1;
	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
		s->line_in_span = s->style_depth || s->other_spans || s->in_code_span;
	if (text < s->masked.data || text >= s->masked.data + s->masked.len || !size)
		return 0;
	at = (size_t)(text - s->masked.data);
	if (s->in_code) {
		code_line_came(s, at, size);
		return 0;
	}
	if (s->in_code_span && !s->backticks)
		s->backticks = backticks_before(s, at);
	line = text_line(s, at);
	if (!s->has_line || line > s->line)
		line_came(s, line, at);
	s->has_line = true;
	s->line = line;
	s->block_start = false;
	s->line_in_span = s->in_code_span && memchr(text, '\n', size);
	if (type == MD_TEXT_NORMAL || (type == MD_TEXT_CODE && s->backticks))
		words_came(s, at, size);
	return 0;
}

static const MD_PARSER events = {
	.enter_block = block_enter,
	.leave_block = block_leave,
	.enter_span = span_enter,
	.leave_span = span_leave,
	.text = text_came,
};

static void survey_init(struct survey *s, struct view source, size_t opened)
{
	*s = (struct survey){
		.source = source,
		.masked = BUF_INIT,
		.opened = opened,
		.events_left = 8 * (source.len + 64),
	};
	parse_mask(source, &s->masked);
}

void survey_take(struct survey *s, struct view source, size_t opened)
{
	survey_init(s, source, opened);
	if (markup_parse(view_of_buf(&s->masked), &events, s) == 0)
		return;
	survey_release(s);
	survey_init(s, source, opened);
	s->events_left = SIZE_MAX;
	markup_parse_plain(view_of_buf(&s->masked), &events, s);
}
