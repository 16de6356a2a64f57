/*
 * Transcripts of conversations, which Claude Code and the agent "native" keep for themselves:
 *
 *	data/sessions/FOLDER/.claude/projects/NAME/ID.jsonl	and a folder ID beside it
 *	data/sessions/FOLDER/.claude/native/ID.jsonl		likewise
 *
 * Nothing else deletes them. So the host removes the oldest when they are too old or too many, but
 * never the one of the current session. Nothing else in these folders is touched, because Claude
 * Code's own memory is there, too.
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
 * `current` is the id of a session to keep, or NULL. Transcripts that were changed within the last
 * hour are also kept. `*ret_removed` is the number of deleted transcripts.
 */
int transcripts_trim(int root, const char *folder, const char *current,
	const struct transcripts_limits *limits, int64_t now, size_t *ret_removed,
	struct error *err);

#endif
