/*
 * UTF-8, read strictly: no overlong forms, no surrogates, nothing above
 * U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"

#define UTF8_BOM         "\xef\xbb\xbf"
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length of the first character in bytes; 0: `text` is empty or not UTF-8. */
size_t utf8_decode(struct view text, uint32_t *ret_character);

/* How many bytes at the start of `text` are whole characters: all, or up to the bad one. */
size_t utf8_valid_len(struct view text);
bool utf8_valid(struct view text);

/* False for controls, line and paragraph separators, direction marks and noncharacters. */
bool utf8_printable(uint32_t character);

/* Whether a text is UTF-8, and all its characters are printable. */
bool utf8_all_printable(struct view text);

/*
 * Where in the text a byte is, counted from 1 as editors do: lines end in LF,
 * CR LF or CR, a column is a character.
 */
void utf8_place(struct view text, size_t offset, size_t *ret_line, size_t *ret_column);

/*
 * An excerpt of outside text for a message: at most about 60 characters, with '?' for everything that a
 * terminal could interpret as a command.
 */
char *utf8_excerpt(struct view text);

#endif
