#include "host/base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "gate/credentials.h"
#include "host/base/installation.h"
#include "proc/log.h"

#define MAX_FILE ((size_t)256 * 1024)

void settings_release(struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		free(settings->list[i].name);
		credentials_wipe(settings->list[i].value);
	}
	free(settings->list);
	*settings = SETTINGS_INIT;
}

static bool is_setting_name(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) && text.data[i] != '_')
			return false;
	return text.len && !isdigit((unsigned char)text.data[0]);
}

/*
 * Quoted text stays as it is, and may span lines, which are taken from `rest`. Other text ends
 * at a comment.
 */
static struct view setting_value(struct view text, struct view *rest, size_t *number)
{
	text = view_trim(text);
	if (text.len && (text.data[0] == '"' || text.data[0] == '\'')) {
		size_t left = (size_t)(rest->data + rest->len - text.data) - 1;
		const char *end = memchr(text.data + 1, text.data[0], left);
		struct view line;

		if (end) {
			while (rest->data <= end && view_next(rest, '\n', &line))
				++*number;
			return (struct view){text.data + 1, (size_t)(end - text.data) - 1};
		}
	}
	for (size_t i = 1; i < text.len; i++)
		if (text.data[i] == '#' && isspace((unsigned char)text.data[i - 1]))
			return view_trim(view_slice(text, 0, i));
	return text;
}

int settings_parse(
	struct view text, const char *name, struct settings *ret_settings, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	struct view line;

	for (size_t number = 1; view_next(&text, '\n', &line); number++) {
		const char *equals;
		struct view key, value;

		line = view_trim(line);
		if (!line.len || line.data[0] == '#')
			continue;
		if (view_starts_with(line, "export "))
			line = view_trim(view_slice(line, strlen("export "), line.len));
		equals = memchr(line.data, '=', line.len);
		key = view_trim(
			view_slice(line, 0, equals ? (size_t)(equals - line.data) : line.len));
		if (!equals || !is_setting_name(key) || memchr(line.data, '\0', line.len)) {
			error_set(err, ERROR_INVALID, "%s:%zu:1: not a line like NAME=value",
				name, number);
			return error_hint(err, "a value of several lines must be in quotes");
		}
		line = view_slice(line, (size_t)(equals - line.data) + 1, line.len);
		value = setting_value(line, &text, &number);
		GROW(settings.list, settings.count, settings.cap);
		settings.list[settings.count++] = (struct setting){
			xmemdupz(key.data, key.len), xmemdupz(value.data, value.len)};
	}
	*ret_settings = settings;
	settings = SETTINGS_INIT;
	return 0;
}

int settings_read(int root, struct settings *ret_settings, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int failed;

	if (relpath_parse(view_of(".env"), &path, err) < 0)
		return -1;
	if (beneath_read(root, &path, MAX_FILE, &text, &missing) < 0) {
		if (missing.errnum == ENOENT) {
			*ret_settings = SETTINGS_INIT;
			return 0;
		}
		return error_set(err, ERROR_INVALID, "%s", missing.message);
	}
	failed = settings_parse(view_of_buf(&text), ".env", ret_settings, err);
	explicit_bzero(text.data, text.len);
	return failed;
}

int settings_check_file(int root, const struct settings *settings, struct error *err)
{
	bool has_credential = false;
	const char *fault;
	struct stat st;

	if (fstatat(root, ".env", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	fault = credentials_file_fault(&st);
	if (fault) {
		error_set(err, ERROR_INVALID, "'.env' is not used: %s", fault);
		return error_hint(err, "'chmod 600 .env' makes it private");
	}
	for (size_t i = 0; i < settings->count; i++)
		has_credential |=
			*settings->list[i].value && credentials_is_ours(settings->list[i].name);
	if ((st.st_mode & 044) && has_credential)
		log_warning(
			"others may read '.env', which has a key in it; 'chmod 600 .env' makes it private");
	return 0;
}

const struct setting *settings_find(const struct settings *settings, const char *name)
{
	/* The last line of a name counts, as in a shell. */
	for (size_t i = settings->count; i > 0; i--)
		if (!strcmp(settings->list[i - 1].name, name))
			return &settings->list[i - 1];
	return NULL;
}

const char *settings_in_file(const struct settings *settings, const char *name)
{
	const struct setting *setting = settings_find(settings, name);

	return setting && *setting->value ? setting->value : NULL;
}

const char *settings_get(const struct settings *settings, const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : settings_in_file(settings, name);
}

void settings_forget_credentials(struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		if (!credentials_is_ours(settings->list[i].name))
			continue;
		credentials_wipe(settings->list[i].value);
		settings->list[i].value = xstrdup("");
	}
}

int settings_number(const struct settings *settings, const char *name, int64_t least,
	int64_t most, int64_t otherwise, int64_t *ret_number, struct error *err)
{
	const char *text = settings_get(settings, name);
	char *end;
	long long number;

	*ret_number = otherwise;
	if (!text)
		return 0;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || *end || end == text || number < least || number > most) {
		CLEANUP(freep) char *shown = quote(view_of(text));

		error_set(err, ERROR_INVALID,
			"%s is %s, and must be a number from %" PRId64 " to %" PRId64, name,
			shown, least, most);
		return error_hint(err, "change it in '.env' or in the environment");
	}
	*ret_number = number;
	return 0;
}

const char *settings_assistant(const struct settings *settings)
{
	const char *name = settings_get(settings, "ASSISTANT_NAME");

	return name ? name : "Andy";
}

const char *settings_ca_file(const struct settings *settings)
{
	const char *file = settings_get(settings, "NANOCLAW_CA_FILE");

	return file ? file : getenv("SSL_CERT_FILE");
}

/* --- writing ---------------------------------------------------------------- */

static bool value_is_word(const char *value)
{
	for (; *value; value++)
		if (!isalnum((unsigned char)*value) && !strchr("-_.", *value))
			return false;
	return true;
}

bool settings_write(struct buf *out, const char *name, const char *value)
{
	char mark = strchr(value, '\'') ? '"' : '\'';

	/* A shell that sources the file must not find a command in it. */
	if (mark == '"' && strpbrk(value, "\"$`\\"))
		return false;
	if (value_is_word(value))
		buf_appendf(out, "%s=%s\n", name, value);
	else
		buf_appendf(out, "%s=%c%s%c\n", name, mark, value, mark);
	return true;
}

/* Does the line set one of these? */
static bool line_sets(struct view line, const struct new_setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(settings[i].name);

		if (view_starts_with(line, settings[i].name) && line.len > len &&
			line.data[len] == '=')
			return true;
	}
	return false;
}

int settings_set(int root, const struct new_setting *settings, size_t count, struct error *err)
{
	CLEANUP(buf_release) struct buf changed = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct stat st;
	struct view rest, line;

	if (!count)
		return 0;
	if (beneath_path_read_if(root, ".env", MAX_FILE, &text, err) < 0)
		return -1;
	if (fstatat(root, ".env", &st, AT_SYMLINK_NOFOLLOW) < 0)
		st.st_mode = 0600;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (!line_sets(line, settings, count))
			buf_appendf(&changed, "%.*s\n", VIEW_ARGS(line));
	for (size_t i = 0; i < count; i++)
		if (settings[i].value &&
			!settings_write(&changed, settings[i].name, settings[i].value))
			return error_set(err, ERROR_INVALID,
				"the value of %s cannot be written to '.env'",
				settings[i].name);
	if (view_equal(view_of_buf(&changed), view_of_buf(&text)))
		return 0;
	return replace_file(
		root, ".env", view_of_buf(&changed), st.st_mode & 0700, NULL, 0, err);
}

/* --- what a backup keeps ------------------------------------------------------- */

bool setting_is_plain(const struct setting *setting)
{
	static const char *const names[] = {"ASSISTANT_NAME", "NANOCLAW_AGENTS",
		"NANOCLAW_CONTEXT", "NANOCLAW_MODEL", "NANOCLAW_PROVIDER", "NANOCLAW_SANDBOX",
		"NANOCLAW_VISION", "TZ"};
	static const char *const units[] = {"_DAYS", "_DOLLARS", "_HOURS", "_MEGABYTES", "_MS",
		"_PERCENT", "_SECONDS", "_TOKENS", "_TRIES", "_TURNS"};
	const char *value = setting->value;
	struct view name = view_of(setting->name);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (view_equal_str(name, names[i]))
			return true;
	/* A command line may hold a key. */
	if (view_equal_str(name, "NANOCLAW_AGENT"))
		return !strcmp(value, AGENT_OFFLINE) || !strcmp(value, AGENT_CLAUDE) ||
		       !strcmp(value, AGENT_NATIVE);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (view_starts_with(name, "NANOCLAW_") && view_ends_with(name, units[i]))
			return !value[strspn(value, "0123456789.")];
	return false;
}

int settings_add_missing(int root, int from, struct error *err)
{
	CLEANUP(settings_release) struct settings ours = SETTINGS_INIT;
	CLEANUP(settings_release) struct settings theirs = SETTINGS_INIT;
	CLEANUP(freep) struct new_setting *list = NULL;
	size_t count = 0;

	if (settings_read(root, &ours, err) < 0 || settings_read(from, &theirs, err) < 0)
		return -1;
	list = xcalloc(theirs.count + 1, sizeof(*list));
	for (size_t i = 0; i < theirs.count; i++)
		if (setting_is_plain(&theirs.list[i]) &&
			!settings_find(&ours, theirs.list[i].name))
			list[count++] =
				(struct new_setting){theirs.list[i].name, theirs.list[i].value};
	return settings_set(root, list, count, err);
}
