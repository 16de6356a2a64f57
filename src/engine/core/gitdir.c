#include "engine/core/gitdir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/view.h"
#include "fs/file.h"

#define LINK_MAX_SIZE ((size_t)16 * 1024)

static int open_folder(int dirfd, const char *path)
{
	return openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Open the folder that the file in `fd` names after `prefix`, from `dirfd`. */
static int open_named(int dirfd, int fd, const char *prefix)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t len = strlen(prefix);

	if (file_read_fd(fd, "gitdir", LINK_MAX_SIZE, &text, &err) < 0)
		return -1;
	while (text.len && strchr("\r\n", text.data[text.len - 1]))
		buf_set_len(&text, text.len - 1);
	if (!view_starts_with(view_of_buf(&text), prefix) || text.len == len)
		return -1;
	return open_folder(dirfd, text.data + len);
}

void gitdir_open(int root, struct gitdir *ret_gitdir)
{
	CLEANUP(closep)
	int fd = openat(root, ".git", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	CLEANUP(closep) int common = -1;
	bool missing = fd < 0 && errno == ENOENT;
	struct stat st = {0};

	*ret_gitdir = GITDIR_INIT;
	if (missing)
		return;
	if (fd >= 0 && fstat(fd, &st) == 0)
		ret_gitdir->fd = S_ISDIR(st.st_mode)   ? open_folder(fd, ".")
				 : S_ISREG(st.st_mode) ? open_named(root, fd, "gitdir: ")
						       : -1;
	if (ret_gitdir->fd < 0) {
		ret_gitdir->unknown = "its repository cannot be opened";
		return;
	}
	common = openat(
		ret_gitdir->fd, "commondir", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ret_gitdir->common = common >= 0 ? open_named(ret_gitdir->fd, common, "")
					 : open_folder(ret_gitdir->fd, ".");
}

void gitdir_release(struct gitdir *gitdir)
{
	closep(&gitdir->fd);
	closep(&gitdir->common);
}

/* --- settings: the files ------------------------------------------------------------------ */

/* A symbolic link is followed, as git does. */
static void gitconfig_read_file(int dirfd, const char *path, struct buf *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep)
	int fd = openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	if (file_read_fd(fd, path, GITCONFIG_MAX_SIZE, text, &err) < 0)
		buf_clear(text);
}

/* `name` below the folder in a variable, unless that is not set or is relative. */
static void gitconfig_read_below(const char *folder, const char *name, struct buf *text)
{
	CLEANUP(freep) char *path = NULL;

	if (!folder || folder[0] != '/')
		return;
	path = xasprintf("%s/%s", folder, name);
	gitconfig_read_file(AT_FDCWD, path, text);
}

void gitconfig_read(int common, struct gitconfig *ret_config)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	*ret_config = GITCONFIG_INIT;
	gitconfig_read_file(AT_FDCWD, "/etc/gitconfig", &ret_config->files[0]);
	if (xdg && *xdg)
		gitconfig_read_below(xdg, "git/config", &ret_config->files[1]);
	else
		gitconfig_read_below(home, ".config/git/config", &ret_config->files[1]);
	gitconfig_read_below(home, ".gitconfig", &ret_config->files[2]);
	if (common >= 0)
		gitconfig_read_file(common, "config", &ret_config->files[3]);
}

void gitconfig_release(struct gitconfig *config)
{
	for (size_t i = 0; i < GITCONFIG_FILES; i++)
		buf_release(&config->files[i]);
}

/* --- their syntax --------------------------------------------------------------- */

#define END (-1)

struct reader {
	struct view rest;
	struct buf section; /* the last one: "core", "branch.main" */
	struct buf name;
	struct buf value;
};

static void reader_release(struct reader *r)
{
	buf_release(&r->section);
	buf_release(&r->name);
	buf_release(&r->value);
}

/* CR LF counts as LF. */
static int reader_next(struct reader *r)
{
	if (view_starts_with(r->rest, "\r\n"))
		r->rest = view_slice(r->rest, 1, r->rest.len);
	if (!r->rest.len)
		return END;
	r->rest = view_slice(r->rest, 1, r->rest.len);
	return (unsigned char)r->rest.data[-1];
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_key_char(int c)
{
	return c != END && (isalnum(c) || c == '-');
}

/* The part in quotes of [section "part"], and the bracket. */
static bool reader_subsection(struct reader *r)
{
	int c;

	do
		c = reader_next(r);
	while (is_blank(c));
	if (c != '"')
		return false;
	buf_append_char(&r->section, '.');
	while ((c = reader_next(r)) != '"') {
		if (c == '\\')
			c = reader_next(r);
		if (c == '\n' || c == END)
			return false;
		buf_append_char(&r->section, (char)c);
	}
	return reader_next(r) == ']';
}

static bool reader_section(struct reader *r)
{
	int c;

	buf_clear(&r->section);
	while ((c = reader_next(r)) != ']') {
		if (is_blank(c))
			return reader_subsection(r);
		if (!is_key_char(c) && c != '.')
			return false;
		buf_append_char(&r->section, (char)tolower(c));
	}
	return true;
}

static bool reader_value(struct reader *r)
{
	static const char escapes[] = "tbn\\\"", meanings[] = "\t\b\n\\\"";
	bool quoted = false, comment = false;
	const char *escape;
	size_t spaces = 0;
	int c;

	while ((c = reader_next(r)) != END && c != '\n') {
		if (comment)
			continue;
		if (!quoted && is_blank(c)) {
			spaces += r->value.len > 0;
			continue;
		}
		if (!quoted && (c == '#' || c == ';')) {
			comment = true;
			continue;
		}
		buf_append_repeated(&r->value, ' ', spaces);
		spaces = 0;
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (c == '\\') {
			c = reader_next(r);
			if (c == '\n')
				continue; /* the value continues in the next line */
			escape = c > 0 ? strchr(escapes, c) : NULL;
			if (!escape)
				return false;
			c = meanings[escape - escapes];
		}
		buf_append_char(&r->value, (char)c);
	}
	return !quoted;
}

static bool reader_setting(struct reader *r, int c)
{
	buf_clear(&r->name);
	buf_clear(&r->value);
	for (; is_key_char(c); c = reader_next(r))
		buf_append_char(&r->name, (char)tolower(c));
	while (c == ' ' || c == '\t')
		c = reader_next(r);
	if (c == '=')
		return reader_value(r);
	buf_append_str(&r->value, "true");
	return c == '\n' || c == END;
}

/* Up to and with the next setting; false at the end, and at a fault. */
static bool reader_next_setting(struct reader *r)
{
	int c;

	while ((c = reader_next(r)) != END) {
		if (is_blank(c) || c == '\n')
			continue;
		if (c == '#' || c == ';') {
			while (c != '\n' && c != END)
				c = reader_next(r);
		} else if (c != '[') {
			return isalpha(c) && reader_setting(r, c);
		} else if (!reader_section(r)) {
			return false;
		}
	}
	return false;
}

bool gitconfig_find(
	struct view text, const char *section, const char *key, struct buf *ret_value)
{
	CLEANUP(reader_release) struct reader r = {text, BUF_INIT, BUF_INIT, BUF_INIT};
	bool found = false;

	if (view_starts_with(text, "\xef\xbb\xbf"))
		r.rest = view_slice(text, 3, text.len);
	while (reader_next_setting(&r)) {
		if (!view_equal_str(view_of_buf(&r.section), section) ||
			!view_equal_str(view_of_buf(&r.name), key))
			continue;
		buf_clear(ret_value);
		buf_append(ret_value, r.value.data, r.value.len);
		found = true;
	}
	return found;
}

/* --- values --------------------------------------------------------------------- */

bool gitconfig_value(const struct gitconfig *config, const char *section, const char *key,
	struct buf *ret_value)
{
	for (size_t i = GITCONFIG_FILES; i > 0; i--)
		if (gitconfig_find(view_of_buf(&config->files[i - 1]), section, key, ret_value))
			return true;
	return false;
}

int gitconfig_bool(const struct gitconfig *config, const char *section, const char *key)
{
	static const char *const yes[] = {"true", "yes", "on"};
	static const char *const no[] = {"false", "no", "off", ""};
	CLEANUP(buf_release) struct buf value = BUF_INIT;
	long number;
	char *end;

	if (!gitconfig_value(config, section, key, &value))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!strcasecmp(value.data, yes[i]))
			return 1;
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (!strcasecmp(value.data, no[i]))
			return 0;
	/* A number is true unless it is 0; it may have a unit. */
	number = strtol(value.data, &end, 0);
	if (end == value.data || (*end && (!strchr("kKmMgG", *end) || end[1])))
		return -1;
	return number != 0;
}
