/* A folder with the tools of the agent, for tests: what a call answers is a text. */
#ifndef UNIT_NATIVE_TOOLS_BENCH_H
#define UNIT_NATIVE_TOOLS_BENCH_H

#include "../test.h"

#include <string.h>

#include "agent/native/tools/tools.h"
#include "base/utf8.h"
#include "format/json.h"
#include "tempdir.h"

struct bench {
	const struct tempdir *dir;
	struct tools *tools;
	struct tools_config config;
	struct buf text; /* of the last call */
	bool is_error;
	char *image_type;
	struct buf image;
	size_t results;
};

static inline void bench_close(struct bench *bench)
{
	tools_close(bench->tools);
	buf_release(&bench->text);
	buf_release(&bench->image);
	freep(&bench->image_type);
}

static inline void bench_reopen(struct bench *bench)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tools_close(bench->tools);
	if (tools_open(&bench->config, &bench->tools, &err) < 0)
		fail_msg("%s", err.message);
}

static inline void bench_open(struct bench *bench, void **state)
{
	*bench = (struct bench){.dir = *state, .text = BUF_INIT, .image = BUF_INIT};
	bench->config = (struct tools_config){.folder = bench->dir->path};
	bench_reopen(bench);
}

static inline void bench_done(void *data, size_t index, const struct tool_result *result)
{
	struct bench *bench = data;

	(void)index;
	bench->results++;
	assert_true(utf8_valid(view_of_buf(&result->text)));
	assert_null(memchr(result->text.data, '\0', result->text.len));
	buf_clear(&bench->text);
	buf_append(&bench->text, result->text.data, result->text.len);
	buf_clear(&bench->image);
	buf_append(&bench->image, result->image.data, result->image.len);
	freep(&bench->image_type);
	bench->image_type = result->image_type ? xstrdup(result->image_type) : NULL;
	bench->is_error = result->is_error;
}

/* `input` is JSON in which ' stands for ". */
static inline const char *bench_call(struct bench *bench, const char *name, const char *input)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *arguments = NULL;
	CLEANUP(freep) char *text = xstrdup(input);
	size_t before = bench->results;

	for (char *c = text; *c; c++)
		if (*c == '\'')
			*c = '"';
	if (json_read(view_of(text), "input", SIZE_MAX, &arguments, &err) < 0)
		fail_msg("%s", err.message);
	tools_run(
		bench->tools, &(struct tool_call){"1", name, arguments}, 1, bench_done, bench);
	assert_int_equal(bench->results, before + 1);
	return bench->text.data;
}

static inline void bench_says(struct bench *bench, bool is_error, const char *part)
{
	if (!strstr(bench->text.data, part))
		fail_msg("'%s' is not in '%s'", part, bench->text.data);
	if (bench->is_error != is_error)
		fail_msg("%s: '%s'", is_error ? "no error" : "an error", bench->text.data);
}

#endif
