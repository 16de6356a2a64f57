/* Search the lines of files. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/regular_file.h"
#include "agent/native/tools/search/line_pattern.h"
#include "agent/native/tools/search/path_pattern.h"
#include "agent/native/tools/search/search_tree.h"
#include "agent/native/tools/tool_input.h"
#include "format/clean_text.h"
#include "format/line_reader.h"

#define GREP_CHUNK       ((size_t)64 * 1024)
#define GREP_CONTEXT_MAX 20

/* Bytes of a line to search, and to show. */
#define GREP_LINE_MAX  ((size_t)1024 * 1024)
#define GREP_LINE_SHOW ((size_t)400)

#define GREP_NOTE 160

enum grep_output {
	GREP_LINES,
	GREP_FILES,
	GREP_COUNT,
};

struct grep_search {
	const struct tool_place *place;
	const char *folder; /* or the file */
	struct line_pattern pattern;
	struct path_pattern *files; /* or NULL: all */
	bool files_by_name;         /* their pattern has no '/' */
	enum grep_output output;
	size_t context;
	struct buf *out;
	struct buf chunk;
	size_t matches;
	size_t in_files;
	bool full; /* the result has no more room */

	/* Of the file that is searched. */
	char *shown;
	size_t line;
	size_t found;
	size_t after;                        /* lines to show as context */
	size_t last_shown;                   /* 0: none */
	struct buf before[GREP_CONTEXT_MAX]; /* line n is in the one of n % context */
};

static void grep_release(struct grep_search *search)
{
	line_pattern_release(&search->pattern);
	path_pattern_freep(&search->files);
	buf_release(&search->chunk);
	for (size_t i = 0; i < GREP_CONTEXT_MAX; i++)
		buf_release(&search->before[i]);
}

/* --- one line ---------------------------------------------------------------- */

/* ':' for a match, '-' for context; `start` is where the match begins. */
static void grep_show(
	struct grep_search *search, size_t number, char sign, struct view line, size_t start)
{
	size_t from = start > GREP_LINE_SHOW / 2 ? start - GREP_LINE_SHOW / 4 : 0;
	struct view part;

	if (search->context && search->last_shown && number > search->last_shown + 1)
		buf_append_str(search->out, "--\n");
	buf_appendf(search->out, "%s%c%zu%c", search->shown, sign, number, sign);
	from = from ? clean_text_cut(line, from) : 0;
	part = view_slice(line, from, line.len);
	part.len = clean_text_cut(part, GREP_LINE_SHOW);
	buf_append_str(search->out, from ? "…" : "");
	clean_text_append(search->out, part);
	buf_append_str(search->out, from + part.len < line.len ? "…\n" : "\n");
	search->last_shown = number;
	search->full = search->out->len + GREP_NOTE >= search->place->max;
}

static void grep_show_before(struct grep_search *search)
{
	size_t first = search->line > search->context ? search->line - search->context : 1;

	if (first <= search->last_shown)
		first = search->last_shown + 1;
	for (size_t n = first; n < search->line && !search->full; n++)
		grep_show(search, n, '-', view_of_buf(&search->before[n % search->context]), 0);
}

/* Returns false if no more lines of the file are needed. */
static bool grep_line(struct view line, bool too_long, void *data)
{
	struct grep_search *search = data;
	size_t start = 0;

	(void)too_long;
	search->line++;
	if (line_pattern_find(&search->pattern, line, &start)) {
		search->found++;
		if (search->output == GREP_FILES)
			return false;
		if (search->output == GREP_LINES) {
			if (search->context)
				grep_show_before(search);
			if (!search->full)
				grep_show(search, search->line, ':', line, start);
			search->after = search->context;
		}
	} else if (search->after) {
		search->after--;
		grep_show(search, search->line, '-', line, 0);
	} else if (search->context) {
		struct buf *kept = &search->before[search->line % search->context];

		buf_set_len(kept, 0);
		buf_append(kept, line.data,
			line.len < GREP_LINE_SHOW + 8 ? line.len : GREP_LINE_SHOW + 8);
	}
	return !search->full;
}

/* --- one file ---------------------------------------------------------------- */

static void grep_lines(struct grep_search *search, int fd)
{
	struct line_reader reader;
	bool first = true;
	ssize_t got;

	line_reader_init(&reader, GREP_LINE_MAX);
	buf_reserve(&search->chunk, GREP_CHUNK);
	while ((got = read(fd, search->chunk.data, GREP_CHUNK)) > 0) {
		buf_set_len(&search->chunk, (size_t)got);
		/* A file with a NUL at its beginning is not text. */
		if (first && memchr(search->chunk.data, '\0', (size_t)got))
			break;
		first = false;
		line_reader_feed(&reader, search->chunk.data, (size_t)got, grep_line, search);
		if (search->full || (search->output == GREP_FILES && search->found))
			break;
	}
	/* The last line may have no newline. */
	if (got == 0 && reader.pending.len && !search->full)
		line_reader_feed(&reader, "\n", 1, grep_line, search);
	line_reader_release(&reader);
}

static void grep_file(struct grep_search *search, int fd, const char *path)
{
	CLEANUP(freep)
	char *shown = search_tree_name(search->place->folder, search->folder, path);

	search->shown = shown;
	search->line = search->found = search->after = search->last_shown = 0;
	if (search->context && search->output == GREP_LINES && search->matches)
		search->last_shown = 0;
	grep_lines(search, fd);
	if (!search->found)
		return;
	search->matches += search->found;
	search->in_files++;
	if (search->output == GREP_FILES)
		buf_appendf(search->out, "%s\n", shown);
	else if (search->output == GREP_COUNT)
		buf_appendf(search->out, "%s:%zu\n", shown, search->found);
	search->full |= search->out->len + GREP_NOTE >= search->place->max;
}

static enum walk_result grep_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct grep_search *search = data;
	struct view name = search->files_by_name ? view_of(entry->name)
						 : (struct view){entry->path, entry->path_len};
	CLEANUP(closep) int fd = -1;
	struct stat st;

	(void)err;
	if (entry->kind != WALK_FILE ||
		(search->files && !path_pattern_matches(search->files, name)))
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name,
		O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		grep_file(search, fd, entry->path);
	return search->full ? WALK_STOP : WALK_GO_ON;
}

/* --- all --------------------------------------------------------------------- */

static int grep_parse(const json_t *input, struct grep_search *search, struct error *err)
{
	static const char *const outputs[] = {"lines", "files", "count"};
	bool ignore_case = false;
	bool literal = false;
	const char *pattern;
	const char *files = NULL;
	const char *output = "lines";
	long long context = 0;

	if (input_string(input, "pattern", &pattern, err) < 0 ||
		input_option(input, "glob", &files, err) < 0 ||
		input_option(input, "output", &output, err) < 0 ||
		input_number(input, "context", 0, GREP_CONTEXT_MAX, &context, err) < 0 ||
		input_flag(input, "ignore_case", &ignore_case, err) < 0 ||
		input_flag(input, "literal", &literal, err) < 0)
		return -1;
	search->context = (size_t)context;
	search->files_by_name = files && !strchr(files, '/');
	while (search->output <= GREP_COUNT && strcmp(output, outputs[search->output]) != 0)
		search->output++;
	if (search->output > GREP_COUNT)
		return error_set(err, ERROR_INVALID, "'output' is 'lines', 'files' or 'count'");
	if (files && path_pattern_parse(files, &search->files, err) < 0)
		return -1;
	return line_pattern_parse(pattern, literal, ignore_case, &search->pattern, err);
}

int tool_grep(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(grep_release)
	struct grep_search search = {
		.place = place, .out = &result->text, .chunk = BUF_INIT, .output = GREP_LINES};
	CLEANUP(freep) char *path = NULL;
	CLEANUP(closep) int fd = -1;
	struct stat st;

	for (size_t i = 0; i < GREP_CONTEXT_MAX; i++)
		search.before[i] = BUF_INIT;
	if (grep_parse(input, &search, err) < 0 ||
		input_folder(input, place->folder, &path, err) < 0 ||
		regular_file_open(path, true, &fd, &st, err) < 0)
		return -1;
	search.folder = path;
	if (S_ISREG(st.st_mode))
		grep_file(&search, fd, "");
	else if (search_tree(path, SIZE_MAX, grep_visit, &search, err) < 0)
		return -1;
	if (!search.matches)
		buf_append_str(search.out, "no line matches");
	else if (search.full)
		buf_append_str(search.out,
			"… (there may be more: name a path or glob, or ask for files)");
	return 0;
}
