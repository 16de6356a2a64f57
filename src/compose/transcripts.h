/*
 * Transcripts of conversations, which Claude Code and the agent "native" keep for themselves:
 *
 *	data/sessions/FOLDER/.claude/projects/NAME/ID.jsonl	and a folder ID beside it
 *	data/sessions/FOLDER/.claude/native/ID.jsonl		likewise
 *
 * Nobody would ever delete them. So the oldest go when they are too old or too many; the one
 * of the session that goes on never does, and nothing else in these folders is touched: what
 * Claude Code remembers of its own accord is there, too.
 */
#ifndef COMPOSE_TRANSCRIPTS_H
#define COMPOSE_TRANSCRIPTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct transcripts_limits {
	int64_t max_age_ms;
	uint64_t max_bytes; /* of all transcripts of a group together */
};

/*
 * `current` is the id of a session that stays, or NULL; so does what was changed within the
 * last hour. `*ret_removed` is how many have gone.
 */
int transcripts_trim(int root, const char *folder, const char *current,
	const struct transcripts_limits *limits, int64_t now, size_t *ret_removed,
	struct error *err);

#endif
