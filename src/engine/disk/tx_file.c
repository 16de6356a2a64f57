#include "engine/disk/tx_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

struct layer_file layer_file_of(const struct tx_file *file)
{
	struct layer_file id = layer_file_of_content(view_of_buf(&file->content), file->mode);

	id.kind = file->kind;
	id.executable = id.executable && file->kind == TX_FILE;
	return id;
}

struct layer_file layer_file_of_content(struct view content, mode_t mode)
{
	return (struct layer_file){
		.kind = TX_FILE,
		.mode_known = true,
		.executable = mode & 0100,
		.hash = hash_of(content),
	};
}

int layer_file_at(int folder, const char *name, bool is_link, struct layer_file *ret_file,
	struct error *err)
{
	struct layer_file file = {.kind = is_link ? TX_SYMLINK : TX_FILE, .mode_known = true};
	CLEANUP(closep) int fd = -1;
	char target[PATH_MAX];
	struct stat st;
	ssize_t len;

	if (is_link) {
		len = readlinkat(folder, name, target, sizeof(target));
		if (len < 0)
			return error_errno(err, "cannot read the link");
		file.hash = hash_of((struct view){target, (size_t)len});
		*ret_file = file;
		return 0;
	}
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "cannot open");
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_INVALID, "not a regular file");
	file.executable = st.st_mode & S_IXUSR;
	if (hash_of_fd(fd, &file.hash, err) < 0)
		return -1;
	*ret_file = file;
	return 0;
}

const char *layer_file_mode(const struct layer_file *file)
{
	if (file->kind == TX_SYMLINK)
		return "120000";
	return file->executable ? "100755" : "100644";
}

bool layer_file_set_mode(struct layer_file *file, struct view mode)
{
	file->kind = view_equal_str(mode, "120000") ? TX_SYMLINK : TX_FILE;
	file->executable = view_equal_str(mode, "100755");
	return file->kind == TX_SYMLINK || file->executable || view_equal_str(mode, "100644");
}

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == TX_ABSENT)
		return true;
	return hash_equal(&a->hash, &b->hash) &&
	       (!a->mode_known || !b->mode_known || a->executable == b->executable);
}

char *layer_key(struct view path)
{
	return utf8_valid(path) && path.data[0] != '"' ? xmemdupz(path.data, path.len)
						       : layer_quote(path);
}

char *layer_quote(struct view path)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	buf_append_char(&out, '"');
	for (size_t i = 0; i < path.len; i++) {
		unsigned char c = (unsigned char)path.data[i];

		if (c < ' ' || c >= 0x7f || c == '"' || c == '\\')
			buf_appendf(&out, "\\%03o", c);
		else
			buf_append_char(&out, (char)c);
	}
	buf_append_char(&out, '"');
	return buf_take(&out);
}

/* Parse a byte that layer_quote() escaped, if the text starts with one. */
static bool unquote_byte(struct view *text, unsigned *ret_byte)
{
	unsigned byte = 0;

	if (text->len < 4 || text->data[0] != '\\' || text->data[1] > '3')
		return false;
	for (size_t i = 1; i < 4; i++) {
		if (text->data[i] < '0' || text->data[i] > '7')
			return false;
		byte = byte << 3 | (unsigned)(text->data[i] - '0');
	}
	*text = view_slice(*text, 4, text->len);
	*ret_byte = byte;
	return true;
}

char *layer_path(struct view key)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (key.len < 2 || key.data[0] != '"' || key.data[key.len - 1] != '"')
		return xmemdupz(key.data, key.len);
	key = view_slice(key, 1, key.len - 1);
	while (key.len) {
		unsigned byte;

		if (!unquote_byte(&key, &byte)) {
			byte = (unsigned char)key.data[0];
			key = view_slice(key, 1, key.len);
		}
		buf_append_char(&out, (char)byte);
	}
	return buf_take(&out);
}

bool layer_may_record(const struct relpath *path)
{
	struct view rest = relpath_view(path), component;

	while (relpath_next(&rest, &component))
		if (view_equal_str(component, ".env"))
			return false;
	return !relpath_protected(path);
}

/* --- with the content ------------------------------------------------------------ */

bool tx_file_exists(const struct tx_file *file)
{
	return file->kind == TX_FILE || file->kind == TX_SYMLINK;
}

bool tx_file_equal(const struct tx_file *a, const struct tx_file *b)
{
	struct layer_file x = layer_file_of(a), y = layer_file_of(b);

	return layer_file_equal(&x, &y);
}

bool tx_file_same(const struct tx_file *a, const struct tx_file *b)
{
	if (!tx_file_exists(a) || !tx_file_exists(b))
		return tx_file_exists(a) == tx_file_exists(b);
	return tx_file_equal(a, b);
}

void tx_file_copy(const struct tx_file *from, struct tx_file *to)
{
	buf_clear(&to->content);
	buf_append(&to->content, from->content.data, from->content.len);
	to->kind = from->kind;
	to->mode = from->mode;
}

void tx_file_release(struct tx_file *file)
{
	buf_release(&file->content);
}
