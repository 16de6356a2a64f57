/* base_core_version() of base.h: three places, and a small reader of meson.build. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "engine/core/base.h"
#include "engine/package/semver.h"
#include "format/json.h"
#include "fs/beneath.h"

#define MAX_SIZE ((size_t)16 * 1024 * 1024)

/* --- files ---------------------------------------------------------------------- */

/* Where the files are. */
struct source {
	base_read_function read;
	void *data;
};

static int version_read_folder(
	const struct relpath *path, void *data, struct buf *ret_text, struct error *err)
{
	return beneath_read(*(const int *)data, path, MAX_SIZE, ret_text, err);
}

/* `*ret_found` is false if the file does not exist, or is a folder. */
static int version_read_file(const struct source *source, struct view name,
	struct buf *ret_text, bool *ret_found, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error read_err = ERROR_INIT;

	if (relpath_parse(name, &path, err) < 0)
		return -1;
	*ret_found = source->read(&path, source->data, ret_text, &read_err) == 0;
	if (*ret_found || read_err.errnum == ENOENT || read_err.errnum == EISDIR)
		return 0;
	*err = read_err;
	read_err = ERROR_INIT;
	return -1;
}

static int version_check(
	struct view version, const char *file, char **ret_version, struct error *err)
{
	struct semver semver;

	if (semver_parse(version, &semver, err) < 0) {
		error_prefix(err, "%s", file);
		return error_hint(err, "name the version with --core-version");
	}
	semver_release(&semver);
	*ret_version = xmemdupz(version.data, version.len);
	return 0;
}

/* --- VERSION and package.json ------------------------------------------------------ */

/* These set `*ret_version` if the file exists and states a version. */

static int version_from_file(
	const struct source *source, const char *name, char **ret_version, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, line = view_of("");
	bool found;

	if (version_read_file(source, view_of(name), &text, &found, err) < 0)
		return -1;
	rest = view_of_buf(&text);
	view_next(&rest, '\n', &line);
	return found ? version_check(view_trim(line), name, ret_version, err) : 0;
}

static int version_from_package_json(
	const struct source *source, char **ret_version, struct error *err)
{
	static const char name[] = "package.json";
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *package = NULL;
	json_t *version;
	bool found;

	if (version_read_file(source, view_of(name), &text, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	if (json_read(view_of_buf(&text), name, MAX_SIZE, &package, err) < 0)
		return error_hint(err, "name the version with --core-version");
	version = json_object_get(package, "version");
	if (!version)
		return 0;
	if (!json_is_string(version)) {
		error_set(err, ERROR_INVALID, "%s: 'version' is not a string", name);
		return error_hint(err, "name the version with --core-version");
	}
	return version_check(
		(struct view){json_string_value(version), json_string_length(version)}, name,
		ret_version, err);
}

/* --- meson.build ----------------------------------------------------------------- */

enum token {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_STRING, /* its text is without the quotes */
	TOKEN_SIGN,   /* any other byte */
};

/* From after the opening quotes to the closing ones, or to the end of the text. */
static struct view token_string(struct view *rest, const char *quotes)
{
	struct view all = *rest;
	size_t len = strlen(quotes);

	while (rest->len && !view_starts_with(*rest, quotes)) {
		bool escaped = len == 1 && *rest->data == '\\' && rest->len > 1;

		*rest = view_slice(*rest, escaped ? 2 : 1, rest->len);
	}
	all.len -= rest->len;
	*rest = view_slice(*rest, rest->len < len ? rest->len : len, rest->len);
	return all;
}

static enum token next_token(struct view *rest, struct view *ret_text)
{
	static const char *const quotes[] = {"'''", "'"};
	size_t len = 0;

	while (rest->len && (isspace((unsigned char)*rest->data) || *rest->data == '#')) {
		if (*rest->data == '#')
			view_next(rest, '\n', ret_text);
		else
			*rest = view_slice(*rest, 1, rest->len);
	}
	if (!rest->len)
		return TOKEN_END;
	for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
		if (!view_starts_with(*rest, quotes[i]))
			continue;
		*rest = view_slice(*rest, strlen(quotes[i]), rest->len);
		*ret_text = token_string(rest, quotes[i]);
		return TOKEN_STRING;
	}
	while (len < rest->len &&
		(isalnum((unsigned char)rest->data[len]) || rest->data[len] == '_'))
		len++;
	*ret_text = view_slice(*rest, 0, len ? len : 1);
	*rest = view_slice(*rest, len ? len : 1, rest->len);
	return len ? TOKEN_NAME : TOKEN_SIGN;
}

static bool token_is(struct view *rest, enum token token, const char *text)
{
	struct view found, before = *rest;

	if (next_token(rest, &found) == token && view_equal_str(found, text))
		return true;
	*rest = before;
	return false;
}

/* Go to the value of `version:` in the call of project(). */
static bool meson_find_version(struct view *rest)
{
	struct view text = view_of("");
	int depth = 0;

	while (!token_is(rest, TOKEN_NAME, "project"))
		if (next_token(rest, &text) == TOKEN_END)
			return false;
	do {
		enum token token = next_token(rest, &text);

		if (token == TOKEN_END)
			return false;
		if (token == TOKEN_SIGN && strchr("([{", *text.data))
			depth++;
		else if (token == TOKEN_SIGN && strchr(")]}", *text.data))
			depth--;
		else if (depth == 1 && token == TOKEN_NAME && view_equal_str(text, "version") &&
			 token_is(rest, TOKEN_SIGN, ":"))
			return true;
	} while (depth > 0);
	return false;
}

static int version_from_meson_build(
	const struct source *source, char **ret_version, struct error *err)
{
	static const char name[] = "meson.build";
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, value;
	bool found;

	if (version_read_file(source, view_of(name), &text, &found, err) < 0)
		return -1;
	rest = view_of_buf(&text);
	if (!found || !meson_find_version(&rest))
		return 0;
	if (token_is(&rest, TOKEN_NAME, "files")) {
		if (token_is(&rest, TOKEN_SIGN, "(") &&
			next_token(&rest, &value) == TOKEN_STRING) {
			CLEANUP(freep) char *file = xmemdupz(value.data, value.len);

			return version_from_file(source, file, ret_version, err);
		}
		return 0;
	}
	/* Anything else is computed when meson runs. */
	if (next_token(&rest, &value) != TOKEN_STRING)
		return 0;
	return version_check(value, name, ret_version, err);
}

int base_core_version_by(base_read_function read, void *data, char **ret_version,
	bool *ret_found, struct error *err)
{
	const struct source source = {read, data};
	CLEANUP(freep) char *version = NULL;

	if (version_from_file(&source, "VERSION", &version, err) < 0)
		return -1;
	if (!version && version_from_package_json(&source, &version, err) < 0)
		return -1;
	if (!version && version_from_meson_build(&source, &version, err) < 0)
		return -1;
	*ret_found = version != NULL;
	*ret_version = version ? TAKE(version) : xstrdup("0.0.0");
	return 0;
}

int base_core_version(int root, char **ret_version, bool *ret_found, struct error *err)
{
	return base_core_version_by(version_read_folder, &root, ret_version, ret_found, err);
}
