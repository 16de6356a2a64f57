/*
 * Reads the model and the number of tokens from an answer of a model's API while it passes
 * through.
 *
 *	struct usage_reader *reader = usage_reader_new(content_type);
 *
 *	usage_reader_feed(reader, bytes, len);		as they come
 *	…
 *	if (usage_reader_end(reader, sent, whole, &usage))	also when it broke off
 *		count(&usage);
 *	api_usage_release(&usage);
 *	usage_reader_free(reader);
 *
 * It reads both protocols, whichever the server is supposed to speak. With Anthropic's, an event
 * stream has the figures in `message_start` and in each `message_delta`; with OpenAI's, in
 * `usage` of the last chunk, of the chunk that finishes, or of every chunk, in `x_groq.usage`,
 * or in `choices[0].usage`. They are sums since the beginning, so the last one counts. A plain
 * answer is a JSON object with `usage` in it. The bytes must be neither compressed nor in
 * chunks.
 *
 * If an answer does not state its tokens, or breaks off before, they are estimated from the size
 * of the request and of the received text. USAGE_BYTES_PER_TOKEN is lower than in most texts, so
 * estimates are high, and an agent gains nothing by hiding the figures. If it hangs up, the model
 * may have written text that was not sent yet, such as hidden thoughts: USAGE_TOKENS_PER_SECOND of
 * the time that the agent waited.
 */
#ifndef GATE_USAGE_READER_H
#define GATE_USAGE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer plain answers and events are not read. */
#define USAGE_MAX_ANSWER ((size_t)16 * 1024 * 1024)
#define USAGE_MAX_EVENT  ((size_t)1024 * 1024)

/* Larger figures count as this. */
#define USAGE_MAX_TOKENS INT64_C(1000000000)

/* Of an estimate. */
#define USAGE_BYTES_PER_TOKEN   2
#define USAGE_TOKENS_PER_SECOND 50

struct api_usage {
	char *model;   /* "" if unknown */
	int64_t input; /* without tokens read from or written to the cache */
	int64_t output;
	int64_t cache_read;
	int64_t cache_write;
	int64_t cache_write_1h; /* of these, for an hour and not for five minutes */
	int64_t web_searches;   /* which are charged separately */
	int64_t told_micro_usd; /* the price that the server states … */
	bool is_told;           /* … if it states one */
	bool is_estimate;       /* some of the tokens are estimated */
	bool is_free;           /* the server is the user's own; set by the caller */
};

#define API_USAGE_INIT ((struct api_usage){0})

void api_usage_release(struct api_usage *usage);

struct usage_reader;

/* `content_type` is the answer's, with or without parameters, or NULL. */
struct usage_reader *usage_reader_new(const char *content_type);
void usage_reader_feed(struct usage_reader *reader, const char *bytes, size_t len);

/* The agent hung up after this time. */
void usage_reader_left(struct usage_reader *reader, uint64_t ms);

/*
 * The usage of the answer. False if it used nothing, or if its usage is unknown and `sent` is 0;
 * then `ret_usage` is untouched. Otherwise release it. `sent` is the size of the request, or 0 if
 * such requests use no tokens; `whole`: the answer is complete.
 */
bool usage_reader_end(
	struct usage_reader *reader, uint64_t sent, bool whole, struct api_usage *ret_usage);

void usage_reader_free(struct usage_reader *reader);

#endif
