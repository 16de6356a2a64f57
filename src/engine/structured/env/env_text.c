#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/structured/env/env.h"

/* Characters that need no quotes, even in a shell. */
#define PLAIN                                                                                  \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                           \
	"abcdefghijklmnopqrstuvwxyz"                                                           \
	"0123456789%+,-./:=@_"

static bool is_name_start(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_name_part(char c)
{
	return is_name_start(c) || (c >= '0' && c <= '9');
}

bool env_name_is_valid(struct view name)
{
	if (!name.len || !is_name_start(name.data[0]))
		return false;
	for (size_t i = 1; i < name.len; i++)
		if (!is_name_part(name.data[i]))
			return false;
	return true;
}

/* --- lines ---------------------------------------------------------------------- */

static struct view skip_blanks(struct view text)
{
	while (text.len && (text.data[0] == ' ' || text.data[0] == '\t'))
		text = view_slice(text, 1, text.len);
	return text;
}

static void read_assignment(struct env_line *line)
{
	struct view rest = skip_blanks(line->text);
	bool commented = rest.len && rest.data[0] == '#';
	size_t len = 0;
	struct view name;

	if (commented)
		rest = skip_blanks(view_slice(rest, 1, rest.len));
	if (view_starts_with(rest, "export ") || view_starts_with(rest, "export\t"))
		rest = skip_blanks(view_slice(rest, 6, rest.len));
	while (len < rest.len && is_name_part(rest.data[len]))
		len++;
	name = view_slice(rest, 0, len);
	rest = view_slice(rest, len, rest.len);
	/* "# NAME = …" is prose as often as not. */
	if (!commented)
		rest = skip_blanks(rest);
	if (!env_name_is_valid(name) || !rest.len || rest.data[0] != '=')
		return;
	line->name = name;
	line->value = view_slice(rest, 1, rest.len);
	line->commented = commented;
}

static int compare_places(const void *a, const void *b)
{
	const struct env_place *one = a, *two = b;
	int order = view_compare(one->name, two->name);

	return order ? order : (one->line > two->line) - (one->line < two->line);
}

void env_text_read(struct view text, struct env_text *ret_env)
{
	while (text.len) {
		const char *newline = memchr(text.data, '\n', text.len);
		size_t len = newline ? (size_t)(newline - text.data) + 1 : text.len;
		struct env_line line = {.whole = view_slice(text, 0, len)};

		line.text = view_slice(text, 0, newline ? len - 1 : len);
		/* Also without the newline, which may come later and must not change the line. */
		while (view_ends_with(line.text, "\r"))
			line.text.len--;
		text = view_slice(text, len, text.len);
		read_assignment(&line);
		GROW(ret_env->lines, ret_env->count, ret_env->cap);
		ret_env->lines[ret_env->count++] = line;
		if (!line.name.len)
			continue;
		GROW(ret_env->places, ret_env->place_count, ret_env->place_cap);
		ret_env->places[ret_env->place_count++] =
			(struct env_place){line.name, ret_env->count - 1};
	}
	if (ret_env->place_count)
		qsort(ret_env->places, ret_env->place_count, sizeof(*ret_env->places),
			compare_places);
}

const struct env_place *env_text_places(
	const struct env_text *env, struct view name, size_t *ret_count)
{
	size_t first = 0, end = env->place_count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (view_compare(env->places[middle].name, name) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	while (end < env->place_count && view_equal(env->places[end].name, name))
		end++;
	*ret_count = end - first;
	return end > first ? &env->places[first] : NULL;
}

const struct env_line *env_text_find(const struct env_text *env, struct view name)
{
	const struct env_line *found = NULL;
	size_t count;
	const struct env_place *places = env_text_places(env, name, &count);

	for (size_t i = 0; i < count; i++) {
		const struct env_line *line = &env->lines[places[i].line];

		if (!found || found->commented || !line->commented)
			found = line;
	}
	return found;
}

const char *env_text_line_end(const struct env_text *env)
{
	return env->count && view_ends_with(env->lines[0].whole, "\r\n") ? "\r\n" : "\n";
}

bool env_line_is_blank(const struct env_line *line)
{
	return !view_trim(line->text).len;
}

void env_line_append(const struct env_line *line, struct buf *out)
{
	buf_append(out, line->whole.data, line->whole.len);
}

void env_text_append_rest(
	const struct env_text *env, const bool *taken, const char *open_end, struct buf *out)
{
	size_t count = env->count;

	for (size_t i = 0; i < count; i++)
		if (!taken[i])
			env_line_append(&env->lines[i], out);
	/* The last newline is ours only if one of our lines followed it. */
	if (!open_end || !count || !taken[count - 1])
		return;
	if (!strcmp(open_end, "crlf") && view_ends_with(view_of_buf(out), "\r\n"))
		buf_set_len(out, out->len - 2);
	else if (view_ends_with(view_of_buf(out), "\n"))
		buf_set_len(out, out->len - 1);
}

bool env_text_find_block(
	const struct env_text *env, struct view skill, size_t *ret_heading, size_t *ret_end)
{
	size_t end = env->count;

	for (size_t i = env->count; i-- > 0;) {
		struct view line = env->lines[i].text;

		if (!view_starts_with(line, ENV_HEADING))
			continue;
		if (view_equal(view_slice(line, strlen(ENV_HEADING), line.len), skill)) {
			*ret_heading = i;
			*ret_end = end;
			return true;
		}
		end = i;
	}
	return false;
}

void env_text_release(struct env_text *env)
{
	free(env->lines);
	free(env->places);
	*env = ENV_TEXT_INIT;
}

/* --- values --------------------------------------------------------------------- */

static bool is_quote(char c)
{
	return c == '\'' || c == '"' || c == '`';
}

/* Where the quote ends that begins the text; 0 if it does not, or text follows it. */
static size_t quote_end(struct view text)
{
	for (size_t i = text.len; i-- > 1;) {
		struct view behind;

		if (text.data[i] != text.data[0])
			continue;
		behind = view_trim(view_slice(text, i + 1, text.len));
		if (!behind.len || behind.data[0] == '#')
			return i;
	}
	return 0;
}

char *env_value_read(struct view text)
{
	size_t end;
	const char *remark;

	text = view_trim(text);
	end = text.len && is_quote(text.data[0]) ? quote_end(text) : 0;
	if (end)
		return xmemdupz(text.data + 1, end - 1);
	remark = memchr(text.data, '#', text.len);
	if (remark)
		text = view_trim(view_slice(text, 0, (size_t)(remark - text.data)));
	return xmemdupz(text.data, text.len);
}

/* The quote for a value: 0 for none, -1 if there is no right one. */
static int quote_for(const char *value)
{
	size_t len = strlen(value);

	if (!value[strspn(value, PLAIN)])
		return 0;
	/*
	 * To many readers a quote after a backslash is not the end. Without quotes no quote or
	 * remark may begin in the value, and no blank may go missing.
	 */
	if (value[len - 1] == '\\')
		return value[0] > ' ' && value[0] < 0x7f && !is_quote(value[0]) &&
				       !strchr(value, '#')
			       ? 0
			       : -1;
	if (!strchr(value, '\''))
		return '\'';
	if (!strpbrk(value, "\"\\$`"))
		return '"';
	if (!strchr(value, '`'))
		return '`';
	return strpbrk(value, "\"\\") ? -1 : '"';
}

void env_value_write(const char *value, struct buf *out)
{
	int quote = quote_for(value);

	if (quote > 0)
		buf_append_char(out, (char)quote);
	buf_append_str(out, value);
	if (quote > 0)
		buf_append_char(out, (char)quote);
}

bool env_value_is_writable(const char *value)
{
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c) && *c != '\t')
			return false;
	return quote_for(value) >= 0;
}
