/*
 * Lines of IRC, and the names in them.
 *
 *	@tag=value;tag :nick!user@host COMMAND parameter parameter :the last one, with spaces
 */
#ifndef CHANNELS_IRC_LINE_H
#define CHANNELS_IRC_LINE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

/* Of a line that comes in, with tags; what a server may send by IRCv3. */
#define IRC_MAX_LINE (8191 + 512)

#define IRC_MAX_NAME 64 /* bytes of a nick or a channel */

#define IRC_MAX_PARAMETERS 15

struct irc_line {
	char *text; /* owns all others */
	char *tags; /* "" if there are none; so for the next two */
	char *source;
	char *command;
	char *parameters[IRC_MAX_PARAMETERS]; /* "" beyond the last */
	int count;
};

/* -1: it is not one, and `*ret_line` is unchanged. */
int irc_line_parse(struct view text, struct irc_line *ret_line);
void irc_line_release(struct irc_line *line);

/* The value, to be freed, "" if it has none; NULL: there is no such tag. */
char *irc_line_tag(const struct irc_line *line, const char *name);
/* Who sent it, to be freed; NULL: the server itself. */
char *irc_line_nick(const struct irc_line *line);

/* Which letters are the same: CASEMAPPING. */
enum irc_mapping {
	IRC_MAPPING_RFC1459, /* {}|^ are []\~ in lower case */
	IRC_MAPPING_STRICT,  /* the same without ^ and ~ */
	IRC_MAPPING_ASCII,
};

char *irc_fold(enum irc_mapping mapping, const char *name);
bool irc_same(enum irc_mapping mapping, const char *a, const char *b);

/* May it be the target of a message? A mask or a list of several is not one. */
bool irc_is_nick(const char *name);
bool irc_is_channel(const char *name);
/* Can it be part of a nick? */
bool irc_is_nick_character(char c);

/* What a person wrote: without formatting, as UTF-8. */
void irc_text_plain(const char *text, struct buf *out);

/*
 * A text of ours in lines of at most `max` bytes, each without a character that ends a command or
 * begins another protocol (CTCP).
 */
struct string_array;
void irc_text_lines(struct view text, size_t max, struct string_array *ret_lines);

#endif
