#include "scenario_file.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX (8 * 1024 * 1024)

enum part {
	PART_HEADER,
	PART_FILES,
	PART_RUN,
	PART_AFTER,
};

/* The file whose content is being read. */
struct open_file {
	struct tree_entry entry;
	struct buf content;
	bool is_open;
	bool removed;
	bool hex;
	bool crlf;
	bool no_newline;
	bool has_mode;
};

struct parser {
	struct scenario *scenario;
	enum part part;
	unsigned number; /* of the current line */
	struct open_file file;
	struct lines seen; /* paths in this part */
	bool continued;    /* the last command line ended in a backslash */
	struct error *err;
};

static int fail(struct parser *p, unsigned number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct parser *p, unsigned number, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	return error_set(
		p->err, ERROR_INVALID, "%s:%u: %s", p->scenario->path, number, text.data);
}

/* --- files ------------------------------------------------------------------- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int decode_hex(struct parser *p, struct buf *content)
{
	CLEANUP(buf_release) struct buf bytes = BUF_INIT;
	int high = -1;

	for (size_t i = 0; i < content->len; i++) {
		int value = hex_value(content->data[i]);

		if (isspace((unsigned char)content->data[i]))
			continue;
		if (value < 0)
			return fail(p, p->file.entry.line, "'%s' is not hexadecimal",
				p->file.entry.path);
		if (high < 0) {
			high = value;
		} else {
			buf_append_char(&bytes, (char)(high << 4 | value));
			high = -1;
		}
	}
	if (high >= 0)
		return fail(p, p->file.entry.line, "'%s' has half a byte at its end",
			p->file.entry.path);
	buf_clear(content);
	buf_append(content, bytes.data, bytes.len);
	return 0;
}

static void add_carriage_returns(struct buf *content)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < content->len; i++) {
		if (content->data[i] == '\n')
			buf_append_char(&text, '\r');
		buf_append_char(&text, content->data[i]);
	}
	buf_clear(content);
	buf_append(content, text.data, text.len);
}

static int finish_content(struct parser *p)
{
	struct open_file *file = &p->file;

	if (file->entry.kind != TREE_FILE || file->removed)
		return file->content.len
			       ? fail(p, file->entry.line, "only a file has content: '%s'",
					 file->entry.path)
			       : 0;
	if (file->hex && decode_hex(p, &file->content) < 0)
		return -1;
	if (file->no_newline && view_ends_with(view_of_buf(&file->content), "\n"))
		buf_set_len(&file->content, file->content.len - 1);
	if (file->crlf)
		add_carriage_returns(&file->content);
	file->entry.len = file->content.len;
	file->entry.data = buf_take(&file->content);
	return 0;
}

static int close_file(struct parser *p)
{
	struct tree *tree = p->part == PART_AFTER ? &p->scenario->after : &p->scenario->before;
	struct open_file *file = &p->file;

	if (!file->is_open)
		return 0;
	if (finish_content(p) < 0)
		return -1;
	if (!file->removed)
		tree_put(tree, file->entry);
	else if (!tree_remove(tree, file->entry.path))
		return fail(p, file->entry.line, "'%s' was not there before", file->entry.path);
	else
		free(file->entry.path);
	buf_release(&file->content);
	*file = (struct open_file){0};
	return 0;
}

static int read_flag(struct parser *p, struct view flag)
{
	struct open_file *file = &p->file;
	CLEANUP(freep) char *text = xmemdupz(flag.data, flag.len);

	if (view_equal_str(flag, "hex")) {
		file->hex = true;
	} else if (view_equal_str(flag, "crlf")) {
		file->crlf = true;
	} else if (view_equal_str(flag, "no-newline")) {
		file->no_newline = true;
	} else if (flag.len >= 3 && flag.len <= 4 && strspn(text, "01234567") == flag.len) {
		file->entry.mode = (mode_t)strtoul(text, NULL, 8);
		file->has_mode = true;
	} else {
		return fail(p, p->number, "no such flag: '%s'", text);
	}
	return 0;
}

/* Split off " [FLAG...]" at the end of a marker. */
static int read_flags(struct parser *p, struct view *name)
{
	size_t start = name->len;
	struct view flags;
	struct view flag;

	if (!view_ends_with(*name, "]"))
		return 0;
	while (start && name->data[start - 1] != '[')
		start--;
	if (start < 2 || name->data[start - 2] != ' ')
		return 0;
	flags = view_slice(*name, start, name->len - 1);
	*name = view_trim(view_slice(*name, 0, start - 1));
	while (view_next(&flags, ' ', &flag))
		if (flag.len && read_flag(p, flag) < 0)
			return -1;
	return 0;
}

static bool path_is_safe(const char *path)
{
	CLEANUP(freep) char *slashed = xasprintf("/%s/", path);

	return *path && !strstr(slashed, "//") && !strstr(slashed, "/./") &&
	       !strstr(slashed, "/../");
}

static int check_path(struct parser *p, const char *path)
{
	if (!path_is_safe(path))
		return fail(p, p->number, "not a path within the scenario: '%s'", path);
	for (size_t i = 0; i < p->seen.count; i++)
		if (!strcmp(p->seen.items[i].text, path))
			return fail(p, p->number, "'%s' stands in line %u already", path,
				p->seen.items[i].number);
	lines_add(&p->seen, view_of(path), p->number);
	return 0;
}

/* `-- NAME --`: begins a file. */
static int open_file(struct parser *p, struct view name)
{
	struct open_file *file = &p->file;
	const char *arrow;

	*file = (struct open_file){.content = BUF_INIT, .is_open = true};
	file->entry.line = p->number;
	if (read_flags(p, &name) < 0)
		return -1;
	if (view_starts_with(name, "!")) {
		if (p->part != PART_AFTER)
			return fail(p, p->number, "only files in '== after ==' can be gone");
		file->removed = true;
		name = view_slice(name, 1, name.len);
	}
	arrow = memmem(name.data, name.len, " -> ", 4);
	if (arrow) {
		size_t len = (size_t)(arrow - name.data);
		struct view target = view_trim(view_slice(name, len + 4, name.len));

		file->entry.kind = TREE_LINK;
		file->entry.data = xmemdupz(target.data, target.len);
		file->entry.len = target.len;
		name = view_trim(view_slice(name, 0, len));
	} else if (view_ends_with(name, "/")) {
		file->entry.kind = TREE_DIR;
		name = view_slice(name, 0, name.len - 1);
	}
	if (!file->has_mode && file->entry.kind != TREE_LINK)
		file->entry.mode = file->entry.kind == TREE_DIR ? 0755 : 0644;
	file->entry.path = xmemdupz(name.data, name.len);
	return check_path(p, file->entry.path);
}

/* --- header and commands ----------------------------------------------------- */

static void add_words(struct lines *lines, struct view words, unsigned number)
{
	struct view word;

	while (view_next(&words, ' ', &word))
		if (word.len)
			lines_add(lines, word, number);
}

/* A folder of the source tree: the nearest one upward from the scenario's own. */
static char *find_in_source(const char *scenario, struct view path)
{
	CLEANUP(freep) char *folder = realpath(scenario, NULL);
	char *slash;
	struct stat st;

	while (folder && (slash = strrchr(folder, '/'))) {
		CLEANUP(freep) char *found = NULL;

		*slash = '\0';
		found = xasprintf("%s/%.*s", folder, VIEW_ARGS(path));
		if (!stat(found, &st) && S_ISDIR(st.st_mode))
			return TAKE(found);
	}
	return NULL;
}

/* Begin with a copy of a folder; its permissions are those that git would give. */
static int start_from(struct parser *p, struct view path)
{
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);
	CLEANUP(freep) char *folder = NULL;
	struct tree *tree = &p->scenario->before;

	if (tree->count)
		return fail(p, p->number, "there is a folder to start from already");
	if (!path_is_safe(text) || !(folder = find_in_source(p->scenario->path, path)))
		return fail(p, p->number, "no such folder in the source tree: '%s'", text);
	if (tree_read(tree, folder, p->err) < 0)
		return -1;
	for (size_t i = 0; i < tree->count; i++) {
		struct tree_entry *entry = &tree->entries[i];

		entry->mtime = (struct timespec){0};
		entry->line = p->number;
		if (entry->kind == TREE_DIR || entry->kind == TREE_FILE)
			entry->mode =
				entry->kind == TREE_DIR || entry->mode & 0100 ? 0755 : 0644;
	}
	return 0;
}

static int header_line(struct parser *p, struct view line)
{
	struct scenario *s = p->scenario;
	struct view value = line;
	struct view word;

	if (view_starts_with(line, "#")) {
		value = view_trim(view_slice(line, 1, line.len));
		if (s->claim)
			return 0;
		if (!value.len || memchr(value.data, '#', value.len))
			return fail(p, p->number, "a claim is text without '#'");
		s->claim = xmemdupz(value.data, value.len);
		return 0;
	}
	if (!line.len)
		return 0;
	view_next(&value, ':', &word);
	value = view_trim(value);
	if (view_equal_str(word, "needs")) {
		add_words(&s->needs, value, p->number);
	} else if (view_equal_str(word, "ignore")) {
		add_words(&s->ignore, value, p->number);
		add_words(&s->unlisted, value, p->number);
	} else if (view_equal_str(word, "unlisted")) {
		add_words(&s->unlisted, value, p->number);
	} else if (view_equal_str(word, "faults")) {
		add_words(&s->faults, value, p->number);
	} else if (view_equal_str(word, "leftover")) {
		add_words(&s->leftover, value, p->number);
	} else if (view_equal_str(word, "tree") && value.len) {
		return start_from(p, value);
	} else if (view_equal_str(word, "recover") && value.len) {
		free(s->recover);
		s->recover =
			view_equal_str(value, "-") ? NULL : xmemdupz(value.data, value.len);
	} else {
		return fail(p, p->number, "not a directive: '%.*s'", VIEW_ARGS(line));
	}
	return 0;
}

static void add_command(struct parser *p, struct view text, bool crash)
{
	struct scenario *s = p->scenario;

	GROW(s->commands, s->count, s->cap);
	s->commands[s->count++] = (struct scenario_command){
		.line = xmemdupz(text.data, text.len),
		.number = p->number,
		.end = p->number,
		.crash = crash,
		.input = BUF_INIT,
	};
	p->continued = view_ends_with(text, "\\");
}

static void continue_command(struct parser *p, struct view line)
{
	struct scenario_command *command = &p->scenario->commands[p->scenario->count - 1];
	CLEANUP(freep) char *begun = TAKE(command->line);

	command->line = xasprintf("%s\n%.*s", begun, VIEW_ARGS(line));
	command->end = p->number;
	p->continued = view_ends_with(line, "\\");
}

static int read_status(struct parser *p, struct scenario_command *command, struct view text)
{
	CLEANUP(freep) char *digits = xmemdupz(text.data, text.len);
	char *end;
	long status = strtol(digits, &end, 10);

	if (!*digits || *end || status < 0 || status > 255)
		return fail(p, p->number, "not an exit code: '%s'", digits);
	if (command->status_number)
		return fail(p, p->number, "a second exit code for the same command");
	command->status = (int)status;
	command->status_number = p->number;
	return 0;
}

/* Whether the line is `sign` and a text, which may be missing with its space. */
static bool takes(struct view line, const char *sign, struct view *ret_text)
{
	size_t len = strlen(sign);

	if (!view_starts_with(line, sign) || (line.len > len && line.data[len] != ' '))
		return false;
	*ret_text = view_slice(line, line.len > len ? len + 1 : len, line.len);
	return true;
}

static int input_line(struct parser *p, struct scenario_command *command, struct view text)
{
	if (command->end + 1 != p->number)
		return fail(p, p->number, "input stands directly below its command");
	buf_append(&command->input, text.data, text.len);
	buf_append_char(&command->input, '\n');
	command->end = p->number;
	return 0;
}

static int run_line(struct parser *p, struct view line)
{
	struct scenario *s = p->scenario;
	struct scenario_command *command = s->count ? &s->commands[s->count - 1] : NULL;
	struct view text;

	if (p->continued) {
		continue_command(p, line);
		return 0;
	}
	if (!line.len || view_starts_with(line, "#"))
		return 0;
	if (takes(line, "$", &text) || takes(line, "$!", &text)) {
		if (!view_trim(text).len)
			return fail(p, p->number, "there is no command");
		add_command(p, text, view_starts_with(line, "$!"));
		return 0;
	}
	if (!command)
		return fail(p, p->number, "expected a command: '$ ...'");
	if (takes(line, "?", &text))
		return read_status(p, command, view_trim(text));
	if (takes(line, "<", &text))
		return input_line(p, command, text);
	if (takes(line, ">", &text))
		lines_add(&command->out, text, p->number);
	else if (takes(line, "2>", &text))
		lines_add(&command->err, text, p->number);
	else
		return fail(p, p->number, "expected '$', '$!', '<', '?', '>' or '2>': '%.*s'",
			VIEW_ARGS(line));
	return 0;
}

/* --- the whole --------------------------------------------------------------- */

static int begin_part(struct parser *p, enum part part)
{
	struct scenario *s = p->scenario;

	if (part == PART_RUN && p->part >= PART_RUN)
		return fail(p, p->number, "a second '== run =='");
	if (part == PART_AFTER && p->part != PART_RUN)
		return fail(p, p->number, "'== after ==' follows '== run =='");
	if (p->continued)
		return fail(p, p->number, "the command above is not finished");
	if (close_file(p) < 0)
		return -1;
	lines_release(&p->seen);
	if (part == PART_RUN)
		tree_copy(&s->after, &s->before);
	if (part == PART_AFTER)
		s->after_number = p->number;
	p->part = part;
	return 0;
}

static bool is_marker(struct view line, struct view *ret_name)
{
	if (line.len < 7 || !view_starts_with(line, "-- ") || !view_ends_with(line, " --"))
		return false;
	*ret_name = view_trim(view_slice(line, 3, line.len - 3));
	return ret_name->len > 0;
}

static int parse_line(struct parser *p, struct view line)
{
	struct view name;

	if (view_equal_str(line, "== run =="))
		return begin_part(p, PART_RUN);
	if (view_equal_str(line, "== after =="))
		return begin_part(p, PART_AFTER);
	if (p->part == PART_RUN)
		return run_line(p, line);
	if (is_marker(line, &name)) {
		if (close_file(p) < 0)
			return -1;
		if (p->part == PART_HEADER)
			p->part = PART_FILES;
		return open_file(p, name);
	}
	if (p->part == PART_HEADER)
		return header_line(p, line);
	if (!p->file.is_open)
		return line.len ? fail(p, p->number, "expected '-- PATH --': '%.*s'",
					  VIEW_ARGS(line))
				: 0;
	buf_append(&p->file.content, line.data, line.len);
	buf_append_char(&p->file.content, '\n');
	return 0;
}

static int parse(struct parser *p, struct view text)
{
	struct view line;

	if (memchr(text.data, '\0', text.len))
		return fail(p, 1, "a scenario is text; write other bytes as [hex]");
	while (view_next(&text, '\n', &line)) {
		p->number++;
		if (parse_line(p, line) < 0)
			return -1;
	}
	if (!p->scenario->claim)
		return fail(p, 1, "the first line says what is claimed: '# ...'");
	if (p->continued)
		return fail(p, p->number, "the last command is not finished");
	if (!p->scenario->count)
		return fail(p, p->number, "there is no '== run ==' with a command");
	return close_file(p);
}

static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct view name = view_of(slash ? slash + 1 : path);

	if (view_ends_with(name, ".t"))
		name.len -= 2;
	return xmemdupz(name.data, name.len);
}

int scenario_parse(
	struct scenario *scenario, const char *path, struct view text, struct error *err)
{
	struct parser p = {.scenario = scenario, .err = err};
	int result;

	scenario->path = xstrdup(path);
	scenario->name = name_of(path);
	scenario->recover = xstrdup("nanoclaw status");
	/* Each operation adds to it; undo-*.t are about what. */
	add_words(&scenario->unlisted, view_of(".nanoclaw/history"), 0);
	add_words(&scenario->unlisted, view_of(".nanoclaw/.gitignore"), 0);
	result = parse(&p, text);
	lines_release(&p.seen);
	if (p.file.is_open) {
		free(p.file.entry.path);
		free(p.file.entry.data);
		buf_release(&p.file.content);
	}
	return result;
}

int scenario_read(struct scenario *scenario, const char *path, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(FILE_MAX);
	FILE *file = fopen(path, "re");
	size_t n;

	if (!file)
		return error_errno(err, "cannot open '%s'", path);
	do {
		size_t room = buf_reserve(&text, 65536);

		n = fread(text.data + text.len, 1, room, file);
		buf_set_len(&text, text.len + n);
	} while (n);
	if (ferror(file) || text.len == FILE_MAX) {
		fclose(file);
		return error_set(err, ERROR_FAILED, "cannot read '%s'", path);
	}
	fclose(file);
	return scenario_parse(scenario, path, view_of_buf(&text), err);
}

int scenario_list(struct lines *paths, const char *file_or_folder, struct error *err)
{
	CLEANUP(freep) char *pattern = xasprintf("%s/*.t", file_or_folder);
	const char *shard = getenv("NANOCLAW_SHARD");
	static size_t files; /* that were named one by one */
	size_t first = 1, step = 1;
	struct stat st;
	glob_t found;

	if (shard && (sscanf(shard, "%zu/%zu", &first, &step) != 2 || !first || first > step))
		return error_set(err, ERROR_INVALID, "NANOCLAW_SHARD is '%s', not K/N", shard);

	if (stat(file_or_folder, &st) < 0)
		return error_errno(err, "cannot find '%s'", file_or_folder);
	if (!S_ISDIR(st.st_mode)) {
		if (files++ % step == first - 1)
			lines_add(paths, view_of(file_or_folder), 0);
		return 0;
	}
	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = first - 1; i < found.gl_pathc; i += step)
			lines_add(paths, view_of(found.gl_pathv[i]), 0);
	globfree(&found);
	return 0;
}

void scenario_release(struct scenario *scenario)
{
	free(scenario->path);
	free(scenario->name);
	free(scenario->claim);
	free(scenario->recover);
	lines_release(&scenario->needs);
	lines_release(&scenario->ignore);
	lines_release(&scenario->unlisted);
	lines_release(&scenario->faults);
	lines_release(&scenario->leftover);
	tree_release(&scenario->before);
	tree_release(&scenario->after);
	for (size_t i = 0; i < scenario->count; i++) {
		free(scenario->commands[i].line);
		buf_release(&scenario->commands[i].input);
		lines_release(&scenario->commands[i].out);
		lines_release(&scenario->commands[i].err);
	}
	free(scenario->commands);
	*scenario = SCENARIO_INIT;
}
