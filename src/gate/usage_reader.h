/*
 * What an answer of the Messages API says about itself while it passes through: the model,
 * and how many tokens it took.
 *
 *	struct usage_reader *reader = usage_reader_new(content_type);
 *
 *	usage_reader_feed(reader, bytes, len);		as they come
 *	…
 *	if (usage_reader_end(reader, &usage))		also when it broke off in the middle
 *		count(&usage);
 *	api_usage_release(&usage);
 *	usage_reader_free(reader);
 *
 * An event stream has the figures in `message_start` and in each `message_delta`; these are
 * sums since the beginning, so the last one counts. A stream that breaks off gives what it has
 * said so far. A plain answer is a JSON object with `usage` in it; if that breaks off, nothing
 * is known. Whatever else comes (an error, another kind of answer) says nothing. The bytes must
 * be neither compressed nor in chunks.
 */
#ifndef GATE_USAGE_READER_H
#define GATE_USAGE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plain answer that is longer is not read; nor is an event. */
#define USAGE_MAX_ANSWER ((size_t)16 * 1024 * 1024)
#define USAGE_MAX_EVENT  ((size_t)1024 * 1024)

/* No figure is taken for more than this. */
#define USAGE_MAX_TOKENS INT64_C(1000000000)

struct api_usage {
	char *model;   /* "" if it was not said */
	int64_t input; /* beside what was read from the cache, or written to it */
	int64_t output;
	int64_t cache_read;
	int64_t cache_write;
	int64_t cache_write_1h; /* of these, for an hour and not for five minutes */
	int64_t web_searches;   /* which are paid for by themselves */
};

#define API_USAGE_INIT ((struct api_usage){0})

void api_usage_release(struct api_usage *usage);

struct usage_reader;

/* `content_type` is that of the answer, with or without parameters; NULL: it has none. */
struct usage_reader *usage_reader_new(const char *content_type);
void usage_reader_feed(struct usage_reader *reader, const char *bytes, size_t len);

/* Did it say anything? `ret_usage` is to be released then, and untouched otherwise. */
bool usage_reader_end(struct usage_reader *reader, struct api_usage *ret_usage);

void usage_reader_free(struct usage_reader *reader);

#endif
