#include "web/routes.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "format/json.h"

const struct route routes[] = {
	{"abort", ROUTE_ACTION, "abort", .destructive = true},
	{"audit", ROUTE_READ, "audit [--kind {kind}] [--last {limit}] [--before {before}]"},
	{"channel-pair", ROUTE_ACTION, "channel pair [--folder {group}] -- {channel}"},
	{"channels", ROUTE_READ, "channel list"},
	{"conflict", ROUTE_READ, "conflict show -- {path}"},
	{"conflict-take", ROUTE_ACTION,
		"conflict take [--hunk {hunk}] [--if-hash {hash}] -- {path} {side}"},
	{"conflict-write", ROUTE_ACTION,
		"conflict write [--hunk {hunk}] [--if-hash {hash}] -- {path}", "text"},
	{"conflicts", ROUTE_READ, "conflict list"},
	{"continue", ROUTE_JOB, "continue --yes"},
	{"diff", ROUTE_READ, "diff [-- {path}]"},
	{"diff-by", ROUTE_READ, "diff --by -- {path}"},
	{"doctor", ROUTE_READ, "doctor"},
	{"doctor-fix", ROUTE_JOB, "doctor --fix --yes"},
	{"engine-history", ROUTE_READ, "undo --list"},
	{"group", ROUTE_READ, "group show -- {group}"},
	{"group-set", ROUTE_ACTION, "group config -- {group} {setting} {value}"},
	{"group-unset", ROUTE_ACTION, "group config --unset -- {group} {setting}"},
	{"groups", ROUTE_READ, "group list"},
	{"logs", ROUTE_READ, "logs [--last {limit}]"},
	{"matrix", ROUTE_READ, "matrix"},
	{"matrix-run", ROUTE_JOB, "matrix run --yes"},
	{"memory", ROUTE_READ, "memory show -- {group}"},
	{"memory-save", ROUTE_ACTION, "memory write --if-hash {hash} -- {group}", "text"},
	{"messages", ROUTE_READ,
		"history --waiting [--last {limit}] [--before {before}] -- {group}"},
	{"patches", ROUTE_READ, "customize list"},
	{"rebuild", ROUTE_JOB, "rebuild --yes"},
	{"redo", ROUTE_JOB, "redo --yes"},
	{"redo-preview", ROUTE_ACTION, "redo --dry-run --yes"},
	{"resolutions", ROUTE_READ, "resolution list"},
	{"send", ROUTE_ACTION, "send -- {group}", "text"},
	{"skill", ROUTE_READ, "skill show -- {skill}"},
	{"skill-apply", ROUTE_JOB, "skill apply --yes -- {skill}"},
	{"skill-apply-preview", ROUTE_ACTION, "skill apply --dry-run --yes -- {skill}"},
	{"skill-remove", ROUTE_JOB, "skill remove --yes -- {skill}", .destructive = true},
	{"skill-remove-preview", ROUTE_ACTION, "skill remove --dry-run --yes -- {skill}"},
	{"skill-update", ROUTE_JOB, "skill update --yes [-- {skill}]"},
	{"skill-update-preview", ROUTE_ACTION, "skill update --dry-run --yes [-- {skill}]"},
	{"skills", ROUTE_READ, "skill list"},
	{"stack", ROUTE_READ, "diff --by"},
	{"status", ROUTE_READ, "status"},
	{"task-add", ROUTE_ACTION,
		"task add [--cron {cron}] [--every {every}] [--at {at}] [--tz {tz}] -- {group} "
		"{prompt}"},
	{"task-cancel", ROUTE_ACTION, "task cancel -- {id}", .destructive = true},
	{"task-pause", ROUTE_ACTION, "task pause -- {id}"},
	{"task-resume", ROUTE_ACTION, "task resume -- {id}"},
	{"task-runs", ROUTE_READ, "task runs -- {id}"},
	{"tasks", ROUTE_READ, "task list [-- {group}]"},
	{"trace", ROUTE_READ, "trace -- {turn}"},
	{"turn-stop", ROUTE_ACTION, "turn stop -- {turn}", .destructive = true},
	{"turns", ROUTE_READ, "trace"},
	{"undo", ROUTE_JOB, "undo --yes [-- {count}]", .destructive = true},
	{"undo-preview", ROUTE_ACTION, "undo --dry-run --yes [-- {count}]"},
	{"update", ROUTE_JOB, "update --yes -- {source}"},
	{"update-preview", ROUTE_READ, "update --preview -- {source}"},
	{"usage", ROUTE_READ, "usage [--by {by}] [--days {days}] [-- {group}]"},
	{"user-skill", ROUTE_READ, "user-skill show -- {id}"},
	{"user-skill-check", ROUTE_READ, "user-skill check"},
	{"user-skills", ROUTE_READ, "user-skill list"},
	{"verify", ROUTE_READ, "verify"},
	{0},
};

const struct route *route_find(struct view name)
{
	for (const struct route *route = routes; route->name; route++)
		if (view_equal_str(name, route->name))
			return route;
	return NULL;
}

/* --- parameters -------------------------------------------------------------- */

enum parameter_kind {
	PARAMETER_CHOICE, /* one of the words in `choices` */
	PARAMETER_HASH,
	PARAMETER_LINE, /* printable text */
	PARAMETER_NAME, /* the same without a slash */
	PARAMETER_NUMBER,
	PARAMETER_PATH, /* below the project */
	PARAMETER_TEXT, /* with line breaks */
};

static const char *const parameter_kinds[] = {
	"choice", "hash", "line", "name", "number", "path", "text"};

static const struct parameter {
	const char *name;
	enum parameter_kind kind;
	size_t max;          /* bytes */
	const char *choices; /* separated by spaces */
} parameters[] = {
	{"at", PARAMETER_LINE, 200},
	{"before", PARAMETER_NAME, 64},
	{"by", PARAMETER_CHOICE, 16, "group model day"},
	{"channel", PARAMETER_NAME, 200},
	{"count", PARAMETER_NUMBER, 4},
	{"cron", PARAMETER_LINE, 200},
	{"days", PARAMETER_NUMBER, 4},
	{"every", PARAMETER_LINE, 200},
	{"group", PARAMETER_NAME, 200},
	{"hash", PARAMETER_HASH, 64},
	{"hunk", PARAMETER_NUMBER, 6},
	{"id", PARAMETER_NAME, 200},
	{"kind", PARAMETER_CHOICE, 16, "tool egress budget agent"},
	{"limit", PARAMETER_NUMBER, 4},
	{"path", PARAMETER_PATH, 4096},
	{"prompt", PARAMETER_TEXT, 64 * 1024},
	{"setting", PARAMETER_NAME, 200},
	{"side", PARAMETER_CHOICE, 32, "ours theirs both both-theirs-first"},
	{"skill", PARAMETER_NAME, 200},
	{"source", PARAMETER_LINE, 4096},
	{"text", PARAMETER_TEXT, 1024 * 1024},
	{"turn", PARAMETER_NAME, 200},
	{"tz", PARAMETER_LINE, 64},
	{"value", PARAMETER_TEXT, 64 * 1024},
};

static const struct parameter *parameter_find(struct view name)
{
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++)
		if (view_equal_str(name, parameters[i].name))
			return &parameters[i];
	return NULL;
}

static bool is_choice(const char *choices, struct view value)
{
	struct view rest = view_of(choices), word;

	while (view_next(&rest, ' ', &word))
		if (view_equal(word, value))
			return true;
	return false;
}

static bool is_all(struct view value, const char *characters)
{
	for (size_t i = 0; i < value.len; i++)
		if (!value.data[i] || !strchr(characters, value.data[i]))
			return false;
	return value.len > 0;
}

/* Neither absolute, nor with a part that is empty, "." or "..". */
static bool is_path(struct view value)
{
	struct view part;

	if (!utf8_all_printable(value) || !value.len)
		return false;
	while (view_next(&value, '/', &part))
		if (!part.len || view_equal_str(part, ".") || view_equal_str(part, ".."))
			return false;
	return true;
}

static bool parameter_takes(const struct parameter *parameter, struct view value)
{
	if (value.len > parameter->max || !utf8_valid(value) ||
		memchr(value.data, '\0', value.len))
		return false;
	switch (parameter->kind) {
	case PARAMETER_CHOICE:
		return is_choice(parameter->choices, value);
	case PARAMETER_HASH:
		return value.len == 64 && is_all(value, "0123456789abcdef");
	case PARAMETER_LINE:
		return value.len && utf8_all_printable(value);
	case PARAMETER_NAME:
		return value.len && utf8_all_printable(value) &&
		       !memchr(value.data, '/', value.len);
	case PARAMETER_NUMBER:
		return is_all(value, "0123456789");
	case PARAMETER_PATH:
		return is_path(value);
	case PARAMETER_TEXT:
		return true;
	}
	return false;
}

/* The name in "{name}", with further brackets around it; empty if it is another word. */
static struct view parameter_in(struct view word)
{
	const char *open = memchr(word.data, '{', word.len);
	const char *end =
		open ? memchr(open, '}', word.len - (size_t)(open - word.data)) : NULL;

	if (!end)
		return view_of("");
	return (struct view){open + 1, (size_t)(end - open - 1)};
}

/* `*ret_text` is NULL without a value; to be freed. */
static int parameter_read(
	json_t *values, struct view name, bool required, char **ret_text, struct error *err)
{
	const struct parameter *parameter = parameter_find(name);
	json_t *value = json_object_get(values, parameter->name);
	CLEANUP(freep) char *text = NULL;

	if (json_is_string(value))
		text = xmemdupz(json_string_value(value), json_string_length(value));
	else if (json_is_number(value))
		text = xasprintf("%.0f", json_number_value(value));
	else if (value && !json_is_null(value))
		return error_set(err, ERROR_INVALID, "'%.*s' is not a text", VIEW_ARGS(name));
	if (text &&
		!parameter_takes(parameter,
			(struct view){text, json_is_string(value) ? json_string_length(value)
								  : strlen(text)}))
		return error_set(err, ERROR_INVALID, "'%.*s' is not a valid %s",
			VIEW_ARGS(name), parameter_kinds[parameter->kind]);
	if (!text && required)
		return error_set(err, ERROR_INVALID, "'%.*s' is missing", VIEW_ARGS(name));
	*ret_text = TAKE(text);
	return 0;
}

static bool route_takes(const struct route *route, const char *name)
{
	CLEANUP(freep) char *in_command = xasprintf("{%s}", name);

	return strstr(route->command, in_command) ||
	       (route->input && !strcmp(route->input, name));
}

int route_call(const struct route *route, json_t *values, struct string_array *ret_words,
	struct buf *ret_input, struct error *err)
{
	struct view rest = view_of(route->command), word;
	CLEANUP(freep) char *input = NULL;
	CLEANUP(freep) char *option = NULL; /* waits for its value */
	bool in_brackets = false;
	const char *name;
	json_t *value;

	json_object_foreach(values, name, value)
		if (!route_takes(route, name))
			return error_set(
				err, ERROR_INVALID, "there is no parameter '%s'", name);
	while (view_next(&rest, ' ', &word)) {
		CLEANUP(freep) char *text = NULL;
		struct view parameter = parameter_in(word);
		bool opens = view_starts_with(word, "[");
		bool closes = view_ends_with(word, "]");

		in_brackets = in_brackets || opens;
		if (!parameter.len) {
			struct view plain = view_slice(word, opens, word.len);

			freep(&option);
			option = NULL;
			if (in_brackets || (plain.len > 2 && view_starts_with(rest, "{")))
				option = xmemdupz(plain.data, plain.len);
			else
				string_array_addf(ret_words, "%.*s", VIEW_ARGS(plain));
			continue;
		}
		if (parameter_read(values, parameter, !in_brackets, &text, err) < 0)
			return -1;
		if (text && option && !strcmp(option, "--"))
			string_array_add(ret_words, "--");
		if (text && option && strcmp(option, "--") != 0)
			string_array_addf(ret_words, "%s=%s", option, text);
		else if (text)
			string_array_add(ret_words, text);
		freep(&option);
		option = NULL;
		in_brackets = in_brackets && !closes;
	}
	if (route->input) {
		if (parameter_read(values, view_of(route->input), true, &input, err) < 0)
			return -1;
		buf_append_str(ret_input, input);
	}
	return 0;
}

/* --- for the client ---------------------------------------------------------- */

static json_t *parameter_json(struct view name, bool required)
{
	const struct parameter *parameter = parameter_find(name);
	json_t *json = json_build("name:s kind:s required:b max:I", parameter->name,
		parameter_kinds[parameter->kind], required, parameter->max);
	struct view rest, word;

	if (parameter->choices) {
		json_t *choices = json_array();

		rest = view_of(parameter->choices);
		while (view_next(&rest, ' ', &word))
			json_array_append_new(choices, json_stringn(word.data, word.len));
		json_put(json, "choices:o", choices);
	}
	return json;
}

json_t *routes_json(void)
{
	json_t *list = json_array();

	for (const struct route *route = routes; route->name; route++) {
		json_t *words = json_array(), *taken = json_array();
		struct view rest = view_of(route->command), word;
		bool in_brackets = false;

		while (view_next(&rest, ' ', &word)) {
			struct view parameter = parameter_in(word);

			in_brackets = in_brackets || view_starts_with(word, "[");
			json_array_append_new(words, json_stringn(word.data, word.len));
			if (parameter.len)
				json_array_append_new(
					taken, parameter_json(parameter, !in_brackets));
			in_brackets = in_brackets && !view_ends_with(word, "]");
		}
		if (route->input)
			json_array_append_new(
				taken, parameter_json(view_of(route->input), true));
		json_add(list,
			"name:s method:s command:o parameters:o job:b destructive:b stdin:S",
			route->name, route->kind == ROUTE_READ ? "GET" : "POST", words, taken,
			route->kind == ROUTE_JOB, route->destructive, route->input);
	}
	return json_build("commands:o", list);
}
