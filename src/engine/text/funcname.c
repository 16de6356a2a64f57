#include "engine/text/funcname.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

#define PATTERNS_MAX 4
/* A longer line is not a heading. */
#define LINE_MAX_LEN 1000
#define KEYS_MAX     32

/*
 * Patterns are tried in order, one per line; a pattern that begins with '!' excludes. Without
 * patterns, the heading is the path of keys, by indentation.
 */
struct funcname_language {
	const char *endings; /* with a space before and after each */
	const char *patterns;
};

/* clang-format off */
static const struct funcname_language languages[] = {
	{" .c .h .cc .cpp .cxx .hh .hpp .hxx ",
		"!^[ \t]*[A-Za-z_][A-Za-z_0-9]*:[ \t]*($|/[/*])\n"
		"^[A-Za-z_].*"},
	{" .go ",
		"^[ \t]*func[ \t]*.*\n"
		"^[ \t]*type[ \t].*(struct|interface)[ \t]*(\\{[ \t]*)?"},
	{" .cjs .cts .js .jsx .mjs .mts .ts .tsx ",
		"!^[ \t]*(if|for|while|switch|catch|return|else|do|throw|await)[^A-Za-z0-9_$]\n"
		"^[ \t]*(export[ \t]+)?(default[ \t]+)?(declare[ \t]+)?(abstract[ \t]+)?"
		"(async[ \t]+)?(function|class|interface|enum|namespace|type)[* \t].*\n"
		"^(export[ \t]+)?(const|let|var)[ \t]+[A-Za-z_$].*\n"
		"^[ \t]+((public|private|protected|static|readonly|async|get|set|override)"
		"[ \t]+)*[*#]?[A-Za-z_$][A-Za-z0-9_$]*[ \t]*\\(.*\\{[ \t]*$"},
	{" .markdown .md ",
		"^ {0,3}#{1,6}[ \t].*"},
	{" .py .pyi ",
		"^[ \t]*(class|(async[ \t]+)?def)[ \t].*"},
	{" .rs ",
		"^[ \t]*(pub(\\([^)]+\\))?[ \t]+)?"
		"((async|const|unsafe|extern([ \t]+\"[^\"]+\"))[ \t]+)*"
		"(struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*$"},
	{" .bash .sh .zsh ",
		"^[ \t]*[A-Za-z_][A-Za-z0-9_-]*[ \t]*\\([ \t]*\\).*\n"
		"^[ \t]*function[ \t]+[A-Za-z_].*"},
	{" .json .yaml .yml ", NULL},
	/* Any other, and the last: a line that begins with a letter, '_' or '$'. */
	{"", "^[A-Za-z_$].*"},
};
/* clang-format on */

struct patterns {
	regex_t compiled[PATTERNS_MAX];
	bool excludes[PATTERNS_MAX];
	size_t count;
};

/* The first line of a script without an ending names its language. */
static const char *ending_of(const char *path, struct view text)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	struct view first;

	if (dot)
		return dot;
	if (!view_next(&text, '\n', &first) || !view_starts_with(first, "#!"))
		return "";
	first = view_trim(first);
	return view_ends_with(first, "sh")        ? ".sh"
	       : view_ends_with(first, "node")    ? ".js"
	       : view_ends_with(first, "python3") ? ".py"
						  : "";
}

void funcname_open(struct funcname *ret_names, const char *path, struct view text)
{
	struct patterns *patterns = xcalloc(1, sizeof(*patterns));
	const char *ending = ending_of(path, text);
	CLEANUP(freep) char *word = xasprintf(" %s ", ending);
	struct view line, rest;

	ret_names->language = languages;
	while (ret_names->language + 1 < languages + ARRAY_SIZE(languages) &&
		(!*ending || !strstr(ret_names->language->endings, word)))
		ret_names->language++;
	ret_names->patterns = patterns;
	rest = view_of(ret_names->language->patterns ? ret_names->language->patterns : "");
	while (view_next(&rest, '\n', &line)) {
		size_t i = patterns->count;
		CLEANUP(freep) char *pattern = xmemdupz(line.data, line.len);

		patterns->excludes[i] = *pattern == '!';
		if (regcomp(&patterns->compiled[i], pattern + patterns->excludes[i],
			    REG_EXTENDED | REG_NOSUB))
			break;
		patterns->count++;
	}
	while (view_next(&text, '\n', &line)) {
		GROW(ret_names->lines, ret_names->count, ret_names->cap);
		ret_names->lines[ret_names->count++] = line;
	}
}

void funcname_release(struct funcname *names)
{
	struct patterns *patterns = names->patterns;

	for (size_t i = 0; patterns && i < patterns->count; i++)
		regfree(&patterns->compiled[i]);
	free(patterns);
	free(names->lines);
}

/* --- headings -------------------------------------------------------------------- */

static bool is_heading(const struct funcname *names, struct view line)
{
	struct patterns *patterns = names->patterns;
	CLEANUP(freep) char *text = NULL;

	if (!line.len || line.len > LINE_MAX_LEN || !utf8_valid(line))
		return false;
	text = xmemdupz(line.data, line.len);
	for (size_t i = 0; i < patterns->count; i++)
		if (!regexec(&patterns->compiled[i], text, 0, NULL, 0))
			return !patterns->excludes[i];
	return false;
}

/* Without what only opens it, and not too long. */
static char *shorten_heading(struct view line)
{
	line = view_trim(line);
	while (line.len && strchr("{:[(", line.data[line.len - 1]))
		line = view_trim(view_slice(line, 0, line.len - 1));
	if (line.len > FUNCNAME_MAX)
		line = view_slice(line, 0, utf8_valid_len(view_slice(line, 0, FUNCNAME_MAX)));
	return xmemdupz(line.data, line.len);
}

/* --- keys ------------------------------------------------------------------------ */

static size_t indent_of(struct view line)
{
	size_t indent = 0;

	while (indent < line.len && (line.data[indent] == ' ' || line.data[indent] == '\t'))
		indent++;
	return indent;
}

/* `key:` or `"key":`, also as the first of an item of a list. */
static struct view key_of(struct view line)
{
	struct view rest = view_slice(line, indent_of(line), line.len), key;
	size_t end = 0;

	while (view_starts_with(rest, "- "))
		rest = view_slice(rest, 2, rest.len);
	if (rest.len && rest.data[0] == '"') {
		for (end = 1; end < rest.len && rest.data[end] != '"'; end++)
			;
		key = view_slice(rest, 1, end);
		rest = view_slice(rest, end < rest.len ? end + 1 : end, rest.len);
		return view_starts_with(rest, ":") ? key : view_of("");
	}
	while (end < rest.len &&
		(isalnum((unsigned char)rest.data[end]) || strchr("_-./$@", rest.data[end])))
		end++;
	key = view_slice(rest, 0, end);
	return view_starts_with(view_slice(rest, end, rest.len), ":") ? key : view_of("");
}

/* From the line up, each key that is less indented than the one below it. */
static char *find_keys(const struct funcname *names, size_t line)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view keys[KEYS_MAX];
	size_t count = 0, indent = SIZE_MAX;

	for (size_t i = line + 1; i-- > 0 && count < KEYS_MAX && indent;) {
		struct view key = key_of(names->lines[i]);

		if (!view_trim(names->lines[i]).len || indent_of(names->lines[i]) >= indent)
			continue;
		if (i == line || key.len)
			indent = indent_of(names->lines[i]);
		if (key.len)
			keys[count++] = key;
	}
	while (count-- > 0)
		buf_appendf(&text, "%s%.*s", text.len ? "." : "", VIEW_ARGS(keys[count]));
	return text.len && text.len <= FUNCNAME_MAX ? buf_take(&text) : NULL;
}

char *funcname_find(const struct funcname *names, size_t line)
{
	if (!names->count)
		return NULL;
	if (line >= names->count)
		line = names->count - 1;
	if (!names->language->patterns)
		return find_keys(names, line);
	/* Where nothing is known, every line that was changed would be its own heading. */
	for (size_t i = *names->language->endings ? line + 1 : line; i-- > 0;)
		if (is_heading(names, names->lines[i]))
			return shorten_heading(names->lines[i]);
	return NULL;
}
