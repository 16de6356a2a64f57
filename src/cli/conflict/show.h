/*
 * One hunk of a conflict on the terminal: both sides, what they come from, and some
 * lines around it. Text from the file is shown so that it cannot steer the terminal.
 *
 *	postbox: conflict 1 of 2, line 15
 *	      while read -r message; do
 *	  o yours
 *	  o |   answer "$message" | shout
 *	    core 1.0.0
 *	    |   answer "$message"
 *	  t polite 1.0.0
 *	  t |   answer "$message, please"
 *	      done
 *
 * The letters are the keys that take the side.
 */
#ifndef CLI_CONFLICT_SHOW_H
#define CLI_CONFLICT_SHOW_H

#include "cli/command.h"
#include "engine/text/conflict_text.h"

/* Lines around a hunk, never from another hunk. */
#define CONFLICT_SHOW_AROUND 3

/* Up to this many lines before and after a hunk. */
struct view conflict_show_before(
	struct view text, const struct conflict_text *marked, size_t number, size_t lines);
struct view conflict_show_behind(
	struct view text, const struct conflict_text *marked, size_t number, size_t lines);

/* The line where a hunk begins, counted from 1. */
size_t conflict_show_line(struct view text, const struct conflict_hunk *hunk);

/* Long sides are cut, unless `whole`. */
void conflict_show_hunk(const struct cli *cli, struct view text,
	const struct conflict_text *marked, size_t number, bool whole);

#endif
