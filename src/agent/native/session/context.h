/*
 * The model's window: how much of it a conversation fills, and how to make room.
 *
 * No tokenizer fits every model, so tokens are estimated from bytes and the kind of text, times a
 * factor learned from the server's reports. Tokens that the server has already counted are not
 * estimated again.
 *
 *	limit = context_limit(window)			above it, something is done
 *	context_size(history, fixed) > limit		`fixed`: context_guess() of the rest
 *
 * The agent makes room in these steps, each only if the previous one was not enough:
 *
 *  1. results of tools of earlier turns become a line each (context_old_results)
 *  2. earlier turns become a summary (context_cut says up to where): only before a person's
 *     message, so that no call is separated from its result
 *  3. results of this turn become a line each, except the last ones
 *  4. everything becomes a summary, with the person's last message again
 *  5. this message loses its middle
 */
#ifndef AGENT_NATIVE_SESSION_CONTEXT_H
#define AGENT_NATIVE_SESSION_CONTEXT_H

#include <jansson.h>
#include <stdint.h>

#include "agent/native/session/history.h"
#include "base/buf.h"

/* Tokens that a conversation may have: those of the answer are reserved. */
int64_t context_limit(int64_t window);

/* Tokens of a text, of all texts in a JSON value. */
int64_t context_guess_text(const char *text);
int64_t context_guess(const json_t *value);

/* Of the next request. */
int64_t context_size(const struct history *history, int64_t fixed);

/* The same, without using the server's own counts: an estimate to compare its report with. */
int64_t context_raw_size(const struct history *history, int64_t fixed);

/* Fewer tokens than any model could take for the next request, without images and reasoning. */
int64_t context_least(const struct history *history, int64_t fixed);

/*
 * Ids of results that are worth shortening, or NULL. They are from before the last two turns, and
 * not among the newest that fill a quarter of the window (40,000 at most); shortening them must
 * free a tenth of the window (20,000 at most). `all`: every result of this turn and of earlier ones
 * except those of the last answer.
 */
json_t *context_old_results(const struct history *history, int64_t window, bool all);

/* How a summary begins. */
#define CONTEXT_SUMMARY "<summary>\n"

/* The index of the person's message that stays as the first; 0: there is nothing to cut. */
size_t context_cut(const struct history *history, int64_t window);

/* The first `count` messages as a text to summarize: at most `max` bytes. */
void context_transcript(
	const struct history *history, size_t count, size_t max, struct buf *ret_text);

#endif
