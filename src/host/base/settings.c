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

#define MAX_PLAIN 128 /* bytes of a value that a backup keeps */

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
	if (beneath_read(root, &path, SETTINGS_MAX, &text, &missing) < 0) {
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

static bool is_word(const char *value, const char *others)
{
	for (; *value; value++)
		if (!isalnum((unsigned char)*value) && !strchr(others, *value))
			return false;
	return true;
}

bool settings_write(struct buf *out, const char *name, const char *value)
{
	char mark = strchr(value, '\'') ? '"' : '\'';

	/* A shell that sources the file must not find a command in it. */
	if (mark == '"' && strpbrk(value, "\"$`\\"))
		return false;
	if (is_word(value, "-_."))
		buf_appendf(out, "%s=%s\n", name, value);
	else
		buf_appendf(out, "%s=%c%s%c\n", name, mark, value, mark);
	return true;
}

/* Does the line set one of these? Not in a value of several lines, if it has none of these names. */
static bool line_sets(struct view line, const struct settings *old,
	const struct new_setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(settings[i].name);

		if (view_starts_with(line, settings[i].name) && line.len > len &&
			line.data[len] == '=' && settings_find(old, settings[i].name))
			return true;
	}
	return false;
}

/* Quotes that are never closed, for example, would take in the lines after them. */
static int settings_check_others(const struct settings *is, const struct settings *was,
	const struct new_setting *settings, size_t count, struct error *err)
{
	for (size_t i = 0; i < is->count; i++) {
		const struct setting *same = settings_find(was, is->list[i].name);
		bool meant = same && !strcmp(same->value, settings_find(is, same->name)->value);

		for (size_t k = 0; k < count && !meant; k++)
			meant = !strcmp(settings[k].name, is->list[i].name);
		if (!meant)
			return error_set(err, ERROR_INVALID,
				"it would change %s in '.env'; look for quotes that are not closed",
				is->list[i].name);
	}
	return 0;
}

int settings_set(int root, const struct new_setting *settings, size_t count, struct error *err)
{
	CLEANUP(buf_release) struct buf changed = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(settings_release) struct settings was = SETTINGS_INIT;
	CLEANUP(settings_release) struct settings is = SETTINGS_INIT;
	struct stat st;
	struct view rest, line;

	if (!count)
		return 0;
	if (beneath_path_read_if(root, ".env", SETTINGS_MAX, &text, err) < 0 ||
		settings_parse(view_of_buf(&text), ".env", &was, err) < 0)
		return -1;
	if (fstatat(root, ".env", &st, AT_SYMLINK_NOFOLLOW) < 0)
		st.st_mode = 0600;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (!line_sets(line, &was, settings, count))
			buf_appendf(&changed, "%.*s\n", VIEW_ARGS(line));
	for (size_t i = 0; i < count; i++)
		if (settings[i].value &&
			!settings_write(&changed, settings[i].name, settings[i].value))
			return error_set(err, ERROR_INVALID,
				"the value of %s cannot be written to '.env'",
				settings[i].name);
	if (view_equal(view_of_buf(&changed), view_of_buf(&text)))
		return 0;
	if (settings_parse(view_of_buf(&changed), ".env", &is, err) < 0 ||
		settings_check_others(&is, &was, settings, count, err) < 0 ||
		settings_check_others(&was, &is, settings, count, err) < 0)
		return -1;
	return replace_file(
		root, ".env", view_of_buf(&changed), st.st_mode & 0700, NULL, 0, err);
}

/* --- what a backup keeps ------------------------------------------------------- */

/* Together they say to whom prompts go. The addresses are not plain. */
static const char *const model_names[] = {"ANTHROPIC_BASE_URL", "NANOCLAW_AGENT",
	"NANOCLAW_MODEL", "NANOCLAW_MODEL_URL", "NANOCLAW_PROVIDER"};

static bool is_model(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(model_names); i++)
		if (!strcmp(name, model_names[i]))
			return true;
	return false;
}

/* By itself, and without quotes that take in the lines after it, or a text that is no word. */
static bool setting_is_plain(const struct setting *setting)
{
	static const char *const names[] = {"NANOCLAW_AGENTS", "NANOCLAW_CONTEXT",
		"NANOCLAW_MODEL", "NANOCLAW_PROVIDER", "NANOCLAW_SANDBOX", "NANOCLAW_VISION",
		"TZ"};
	static const char *const units[] = {"_DAYS", "_DOLLARS", "_HOURS", "_MEGABYTES", "_MS",
		"_PERCENT", "_SECONDS", "_TOKENS", "_TRIES", "_TURNS"};
	const char *value = setting->value;
	struct view name = view_of(setting->name);

	if (strlen(value) > MAX_PLAIN || strpbrk(value, "\r\n"))
		return false;
	if (view_equal_str(name, "ASSISTANT_NAME"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (view_equal_str(name, names[i]))
			return is_word(value, "-_.:/+@");
	/* A command line may hold a key. */
	if (view_equal_str(name, "NANOCLAW_AGENT"))
		return !strcmp(value, AGENT_OFFLINE) || !strcmp(value, AGENT_CLAUDE) ||
		       !strcmp(value, AGENT_NATIVE);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (view_starts_with(name, "NANOCLAW_") && view_ends_with(name, units[i]))
			return !value[strspn(value, "0123456789.")];
	return false;
}

bool settings_is_plain(const struct settings *settings, const struct setting *setting)
{
	bool plain = setting_is_plain(setting);

	/* Half of them would lead prompts elsewhere. */
	for (size_t i = 0; plain && is_model(setting->name) && i < ARRAY_SIZE(model_names);
		i++) {
		struct setting other = {(char *)(uintptr_t)model_names[i],
			(char *)(uintptr_t)settings_get(settings, model_names[i])};

		plain = !other.value || setting_is_plain(&other);
	}
	return plain;
}

int settings_add_missing(int root, int from, struct error *err)
{
	CLEANUP(settings_release) struct settings ours = SETTINGS_INIT;
	CLEANUP(settings_release) struct settings theirs = SETTINGS_INIT;
	CLEANUP(freep) struct new_setting *list = NULL;
	bool has_model = false;
	size_t count = 0;

	if (settings_read(root, &ours, err) < 0 || settings_read(from, &theirs, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(model_names); i++)
		has_model |= settings_get(&ours, model_names[i]) != NULL;
	list = xcalloc(theirs.count + 1, sizeof(*list));
	for (size_t i = 0; i < theirs.count; i++) {
		const struct setting *s = &theirs.list[i];

		if (settings_is_plain(&theirs, s) && !settings_find(&ours, s->name) &&
			!(has_model && is_model(s->name)))
			list[count++] = (struct new_setting){s->name, s->value};
	}
	return settings_set(root, list, count, err);
}
