#include "channels/irc/line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void irc_line_release(struct irc_line *line)
{
	free(line->text);
	*line = (struct irc_line){0};
}

/* The first word at `*at`, which moves behind it. */
static char *line_next_word(char **at)
{
	char *word = *at;

	*at += strcspn(*at, " ");
	if (**at)
		*(*at)++ = '\0';
	*at += strspn(*at, " ");
	return word;
}

int irc_line_parse(struct view text, struct irc_line *ret_line)
{
	struct irc_line line = {0};
	char *at;

	if (text.len && text.data[text.len - 1] == '\r')
		text.len--;
	if (!text.len || memchr(text.data, '\0', text.len))
		return -1;
	at = line.text = xmemdupz(text.data, text.len);
	line.tags = *at == '@' ? line_next_word(&at) + 1 : at + strlen(at);
	line.source = *at == ':' ? line_next_word(&at) + 1 : at + strlen(at);
	line.command = line_next_word(&at);
	while (*at && line.count < IRC_MAX_PARAMETERS) {
		bool last = *at == ':' || line.count == IRC_MAX_PARAMETERS - 1;

		if (!last) {
			line.parameters[line.count++] = line_next_word(&at);
			continue;
		}
		line.parameters[line.count++] = *at == ':' ? at + 1 : at;
		break;
	}
	for (int i = line.count; i < IRC_MAX_PARAMETERS; i++)
		line.parameters[i] = line.text + text.len;
	if (!*line.command) {
		irc_line_release(&line);
		return -1;
	}
	*ret_line = line;
	return 0;
}

char *irc_line_tag(const struct irc_line *line, const char *name)
{
	struct view rest = view_of(line->tags);
	struct view tag;

	while (view_next(&rest, ';', &tag)) {
		struct view value = tag;
		struct view key;

		if (view_next(&value, '=', &key) && view_equal_str(key, name))
			return xmemdupz(value.data, value.len);
	}
	return NULL;
}

char *irc_line_nick(const struct irc_line *line)
{
	const char *end = strchr(line->source, '!');

	return end ? xmemdupz(line->source, (size_t)(end - line->source)) : NULL;
}

/* --- names ------------------------------------------------------------------- */

static char fold_character(enum irc_mapping mapping, char c)
{
	static const char upper[] = "[]\\~";
	static const char lower[] = "{}|^";
	const char *at = c ? strchr(upper, c) : NULL;

	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	if (!at || mapping == IRC_MAPPING_ASCII || (c == '~' && mapping == IRC_MAPPING_STRICT))
		return c;
	return lower[at - upper];
}

char *irc_fold(enum irc_mapping mapping, const char *name)
{
	char *folded = xstrdup(name);

	for (char *at = folded; *at; at++)
		*at = fold_character(mapping, *at);
	return folded;
}

bool irc_same(enum irc_mapping mapping, const char *a, const char *b)
{
	while (*a && fold_character(mapping, *a) == fold_character(mapping, *b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static bool name_is_sound(const char *name, const char *forbidden)
{
	size_t len = strlen(name);

	if (len < 1 || len > IRC_MAX_NAME || strpbrk(name, forbidden))
		return false;
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

bool irc_is_nick(const char *name)
{
	return name_is_sound(name, ",*?!@.$:#&%+/\"'<>=;()") && *name != '-' && *name != '~' &&
	       !isdigit((unsigned char)*name);
}

bool irc_is_channel(const char *name)
{
	return *name && strchr("#&+!", *name) && name[1] && name_is_sound(name, ",:");
}

bool irc_is_nick_character(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-[]{}\\|^`", c)) || (c & 0x80);
}
