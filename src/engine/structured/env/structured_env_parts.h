/*
 * Between the files of the format of .env.example (structured_format.h).
 *
 * What skills add stands at the end, in a block for each skill:
 *
 *				a blank line
 *	# Skill: telegram	the heading
 *	# How to ask		an entry: comments
 *	# also for: discord
 *	TELEGRAM_MODE=poll	and an assignment
 *
 * A variable that several skills declare is in the block of the first. Where a person
 * has edited an entry, it is theirs with the heading above it, and what is still ours
 * of that block is put around it: so it stays where it is.
 *
 * The record:
 *
 *	blocks:
 *	  telegram:
 *	    heading: true	we wrote it
 *	    blank: true		and the line above it
 *	    entries:
 *	      TELEGRAM_MODE: "# How to ask\n# also for: discord\nTELEGRAM_MODE=poll"
 *	open_end: lf		the own content had no newline at its end, and got this one
 *	unwanted: [NAME]	what a person has taken out
 */
#ifndef ENGINE_STRUCTURED_ENV_STRUCTURED_ENV_PARTS_H
#define ENGINE_STRUCTURED_ENV_STRUCTURED_ENV_PARTS_H

#include "engine/package/structured_format.h"
#include "engine/structured/env/env_text.h"

#define ENV_HEADING "# Skill: "

/* The line of a skill's heading, the last one if there are several; or SIZE_MAX. */
size_t env_find_heading(const struct env_text *env, struct view skill);

/* Where a block may end at most: the next heading, or the end of the text. */
size_t env_section_end(const struct env_text *env, size_t heading);

int structured_env_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err);
int structured_env_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

#endif
