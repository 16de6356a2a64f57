#include "time/phrase/rule.h"

#include <assert.h>

#include "base/alloc.h"

#define ANY_VALUE (-1000)

/* The names in angle brackets. */
static const struct {
	const char *name;
	bool (*read)(struct reader *r, struct match *match);
} pieces[] = {
	{"<clock>", piece_clock},
	{"<date>", piece_date},
	{"<days>", piece_days},
	{"<fulldate>", piece_full_date},
	{"<length>", piece_length},
	{"<moment>", piece_moment},
	{"<number>", piece_number},
	{"<plural>", piece_plural_days},
	{"<span>", piece_span},
	{"<year>", piece_year},
};

static void element_compile(struct view text, struct element *element)
{
	struct view name;

	*element = (struct element){.value = ANY_VALUE};
	if (text.data[0] == '[') {
		element->optional = true;
		text = view_slice(text, 1, text.len - 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		if (view_equal_str(text, pieces[i].name))
			element->read = pieces[i].read;
	if (text.len > 2 && text.data[text.len - 2] == '=') {
		element->letter = text.data[text.len - 1];
		text.len -= 2;
	}
	while (!element->read && view_next(&text, '|', &name)) {
		struct view value = name;
		enum time_class class;

		view_next(&value, '/', &name);
		if (name.len && name.data[name.len - 1] == '!') {
			element->strong = true;
			name.len--;
		}
		if (value.len)
			element->value = language_value(value);
		class = language_class(name);
		assert(class < CLASS_COUNT);
		element->classes[class / 64] |= (uint64_t)1 << class % 64;
	}
}

static void rule_compile(struct rule *rule)
{
	struct view rest = view_of(rule->pattern);
	struct view text;

	while (view_next(&rest, ' ', &text)) {
		assert(rule->count < RULE_MAX_ELEMENTS);
		element_compile(text, &rule->elements[rule->count++]);
	}
}

const struct token *reader_token(const struct reader *r, size_t ahead)
{
	static const struct token none;

	return r->at + ahead < r->end ? &r->list[r->at + ahead] : &none;
}

bool reader_is(const struct reader *r, size_t ahead, enum time_class class)
{
	return token_is(reader_token(r, ahead), class);
}

static bool element_match(struct reader *r, const struct element *element, struct match *match)
{
	const struct token *token = reader_token(r, 0);
	uint64_t common[2] = {token->classes[0] & element->classes[0],
		token->classes[1] & element->classes[1]};
	int class;

	if (element->read)
		return element->read(r, match);
	if ((!common[0] && !common[1]) || (element->strong && token->weak))
		return false;
	class = common[0] ? __builtin_ctzll(common[0]) : 64 + __builtin_ctzll(common[1]);
	if (element->value != ANY_VALUE && token->value[class] != element->value)
		return false;
	if (element->letter)
		VALUE(match, element->letter) = token->value[class];
	r->at++;
	return true;
}

/* Match the elements from `i` on. An optional one is taken if the rest matches then. */
static bool rule_match_from(
	struct reader *r, const struct rule *rule, int i, struct match *match)
{
	struct reader reader = *r;
	struct match longer = *match;

	if (i == rule->count)
		return true;
	if (element_match(&reader, &rule->elements[i], &longer) &&
		rule_match_from(&reader, rule, i + 1, &longer)) {
		*r = reader;
		*match = longer;
		return true;
	}
	return rule->elements[i].optional && rule_match_from(r, rule, i + 1, match);
}

bool rule_match(struct reader *r, struct rule *rule, struct match *match)
{
	if (!rule->count)
		rule_compile(rule);
	return r->at < r->end && rule_match_from(r, rule, 0, match);
}

struct rule *rule_match_any(
	struct reader *r, struct rule *rules, size_t count, struct match *match)
{
	for (size_t i = 0; i < count; i++)
		if (rule_match(r, &rules[i], match))
			return &rules[i];
	return NULL;
}

bool reader_at_border(const struct reader *r)
{
	return r->at >= r->end || reader_is(r, 0, CLASS_CONNECT) ||
	       reader_is(r, 0, CLASS_THANKS) || reader_is(r, 0, CLASS_WISH) ||
	       (r->at && r->list[r->at - 1].clause);
}

bool reader_take_and(struct reader *r)
{
	if (reader_is(r, 0, CLASS_AND))
		r->at++;
	else if (!r->at || !r->list[r->at - 1].clause)
		return false;
	return true;
}
