#include "agent/native/tools/search/path_pattern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "base/utf8.h"

#define PATTERN_MAX      1024
#define PATTERN_VARIANTS 64

enum token_kind {
	TOKEN_CHARACTER,
	TOKEN_ONE,     /* ? */
	TOKEN_CLASS,   /* [a-z] */
	TOKEN_STAR,    /* * */
	TOKEN_ALL,     /* ** */
	TOKEN_FOLDERS, /* ** followed by a slash */
};

struct token {
	enum token_kind kind;
	uint32_t character;
	struct view class; /* without the brackets and the sign for "not" */
	bool not ;
};

/* One expansion of the braces. */
struct variant {
	struct token *tokens;
	size_t count;
};

struct path_pattern {
	struct string_array texts;
	struct variant variants[PATTERN_VARIANTS];
	size_t count;
};

/* The first character of a nonempty text; an invalid byte gets a number of its own. */
static size_t pattern_character(struct view text, uint32_t *ret_character)
{
	size_t len = utf8_decode(text, ret_character);

	if (len)
		return len;
	*ret_character = 0x110000 + (unsigned char)text.data[0];
	return 1;
}

/* --- braces ------------------------------------------------------------------ */

/* Where a bracket expression that begins at `at` ends; 0: it does not. */
static size_t pattern_class_end(struct view text, size_t at)
{
	size_t end = at + 1;

	if (end < text.len && (text.data[end] == '!' || text.data[end] == '^'))
		end++;
	if (end < text.len && text.data[end] == ']')
		end++;
	while (end < text.len && text.data[end] != ']')
		end++;
	return end < text.len ? end : 0;
}

/* The position after one character, escape or bracket expression. */
static size_t pattern_skip(struct view text, size_t at)
{
	size_t end = text.data[at] == '[' ? pattern_class_end(text, at) : 0;

	if (end)
		return end + 1;
	return text.data[at] == '\\' && at + 1 < text.len ? at + 2 : at + 1;
}

/* The first braces with a comma in them; commas inside of inner braces are not theirs. */
static bool pattern_braces(struct view text, size_t *ret_open, size_t *ret_close)
{
	for (size_t open = 0; open < text.len; open = pattern_skip(text, open)) {
		size_t depth = 0;
		bool comma = false;

		if (text.data[open] != '{')
			continue;
		for (size_t at = open; at < text.len; at = pattern_skip(text, at)) {
			char c = text.data[at];

			depth += c == '{';
			comma |= c == ',' && depth == 1;
			if (c == '}' && !--depth) {
				if (!comma)
					break;
				*ret_open = open;
				*ret_close = at;
				return true;
			}
		}
	}
	return false;
}

/* Replaces each text with braces by its alternatives, until no braces are left. */
static int pattern_expand(struct string_array *texts, struct error *err)
{
	for (size_t i = 0; i < texts->count;) {
		CLEANUP(freep) char *text = xstrdup(texts->list[i]);
		struct view whole = view_of(text);
		size_t open;
		size_t close;
		size_t depth = 0;
		size_t start;

		if (!pattern_braces(whole, &open, &close)) {
			i++;
			continue;
		}
		start = open + 1;
		for (size_t at = start; at <= close; at = pattern_skip(whole, at)) {
			depth += text[at] == '{';
			if (at == close || (text[at] == ',' && !depth)) {
				char *part = xasprintf("%.*s%.*s%s", (int)open, text,
					(int)(at - start), text + start, text + close + 1);

				if (start == open + 1) {
					free(texts->list[i]);
					texts->list[i] = part;
				} else {
					string_array_add(texts, part);
					free(part);
				}
				start = at + 1;
			}
			depth -= text[at] == '}' && depth;
		}
		if (texts->count > PATTERN_VARIANTS)
			return error_set(err, ERROR_INVALID,
				"the braces of the pattern expand to more than %d texts",
				PATTERN_VARIANTS);
	}
	return 0;
}

/* --- tokens ------------------------------------------------------------------ */

static size_t pattern_stars(struct view text, size_t at, struct token *token)
{
	size_t end = at;

	while (end < text.len && text.data[end] == '*')
		end++;
	token->kind = end - at > 1 ? TOKEN_ALL : TOKEN_STAR;
	if (token->kind == TOKEN_ALL && end < text.len && text.data[end] == '/' &&
		(at == 0 || text.data[at - 1] == '/')) {
		token->kind = TOKEN_FOLDERS;
		end++;
	}
	return end;
}

static size_t pattern_token(struct view text, size_t at, struct token *token)
{
	size_t end = text.data[at] == '[' ? pattern_class_end(text, at) : 0;

	if (text.data[at] == '*')
		return pattern_stars(text, at, token);
	if (text.data[at] == '?') {
		token->kind = TOKEN_ONE;
		return at + 1;
	}
	if (end) {
		token->kind = TOKEN_CLASS;
		token->not = text.data[at + 1] == '!' || text.data[at + 1] == '^';
		token->class = view_slice(text, at + (token->not ? 2 : 1), end);
		return end + 1;
	}
	if (text.data[at] == '\\' && at + 1 < text.len)
		at++;
	token->kind = TOKEN_CHARACTER;
	return at + pattern_character(view_slice(text, at, text.len), &token->character);
}

static struct variant pattern_variant(const char *text)
{
	struct view rest = view_of(text);
	struct variant variant = {xcalloc(rest.len + 1, sizeof(struct token)), 0};

	for (size_t at = 0; at < rest.len;)
		at = pattern_token(rest, at, &variant.tokens[variant.count++]);
	return variant;
}

int path_pattern_parse(const char *text, struct path_pattern **ret_pattern, struct error *err)
{
	CLEANUP(path_pattern_freep) struct path_pattern *pattern = xcalloc(1, sizeof(*pattern));

	if (!*text)
		return error_set(err, ERROR_INVALID, "the pattern is empty");
	if (strlen(text) > PATTERN_MAX)
		return error_set(
			err, ERROR_INVALID, "the pattern is longer than %d bytes", PATTERN_MAX);
	while (!strncmp(text, "./", 2))
		text += 2;
	string_array_add(&pattern->texts, text);
	if (pattern_expand(&pattern->texts, err) < 0)
		return -1;
	for (; pattern->count < pattern->texts.count; pattern->count++)
		pattern->variants[pattern->count] =
			pattern_variant(pattern->texts.list[pattern->count]);
	*ret_pattern = TAKE(pattern);
	return 0;
}

void path_pattern_freep(struct path_pattern **pattern)
{
	if (!*pattern)
		return;
	for (size_t i = 0; i < (*pattern)->count; i++)
		free((*pattern)->variants[i].tokens);
	string_array_release(&(*pattern)->texts);
	free(*pattern);
	*pattern = NULL;
}

size_t path_pattern_depth(const struct path_pattern *pattern)
{
	size_t deepest = 0;

	for (size_t i = 0; i < pattern->count; i++) {
		const struct variant *variant = &pattern->variants[i];
		size_t depth = 0;

		for (size_t t = 0; t < variant->count; t++) {
			if (variant->tokens[t].kind >= TOKEN_ALL)
				return SIZE_MAX;
			depth += variant->tokens[t].kind == TOKEN_CHARACTER &&
				 variant->tokens[t].character == '/';
		}
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

/* --- matching ---------------------------------------------------------------- */

static bool class_has(const struct token *token, uint32_t character)
{
	struct view rest = token->class;
	bool found = false;

	while (rest.len) {
		uint32_t low;
		uint32_t high;

		rest = view_slice(rest, pattern_character(rest, &low), rest.len);
		high = low;
		if (rest.len > 1 && rest.data[0] == '-') {
			rest = view_slice(rest, 1, rest.len);
			rest = view_slice(rest, pattern_character(rest, &high), rest.len);
		}
		found |= character >= low && character <= high;
	}
	return found != token->not ;
}

/* Does this token match the character? */
static bool token_takes(const struct token *token, uint32_t character)
{
	switch (token->kind) {
	case TOKEN_CHARACTER:
		return character == token->character;
	case TOKEN_ONE:
	case TOKEN_STAR:
		return character != '/';
	case TOKEN_CLASS:
		return character != '/' && class_has(token, character);
	case TOKEN_ALL:
	case TOKEN_FOLDERS:
		return true;
	}
	return false;
}

/* From every token that can match nothing, also the next one is reached. */
static void variant_close(const struct variant *variant, bool *at, bool name_starts)
{
	for (size_t i = 0; i < variant->count; i++) {
		enum token_kind kind = variant->tokens[i].kind;

		if (kind == TOKEN_STAR || kind == TOKEN_ALL ||
			(kind == TOKEN_FOLDERS && name_starts))
			at[i + 1] |= at[i];
	}
}

/* All positions in the pattern that the path so far can lead to, at once. */
static bool variant_matches(const struct variant *variant, struct view path)
{
	bool at[PATTERN_MAX + 1] = {true};

	variant_close(variant, at, true);
	while (path.len) {
		uint32_t character;

		path = view_slice(path, pattern_character(path, &character), path.len);
		for (size_t i = variant->count + 1; i-- > 0;) {
			bool stays =
				i < variant->count && variant->tokens[i].kind >= TOKEN_STAR;
			bool comes = i > 0 && variant->tokens[i - 1].kind < TOKEN_STAR;

			at[i] = (stays && at[i] &&
					token_takes(&variant->tokens[i], character)) ||
				(comes && at[i - 1] &&
					token_takes(&variant->tokens[i - 1], character));
		}
		variant_close(variant, at, character == '/');
	}
	return at[variant->count];
}

bool path_pattern_matches(const struct path_pattern *pattern, struct view path)
{
	for (size_t i = 0; i < pattern->count; i++)
		if (variant_matches(&pattern->variants[i], path))
			return true;
	return false;
}
