#include "net/http_multipart.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"

#define BOUNDARY_SIZE 33

/* Bytes, optionally followed by a file. */
struct piece {
	struct buf text;
	size_t given;
	int file; /* -1: none */
	int64_t left;
};

struct http_multipart {
	char boundary[BOUNDARY_SIZE];
	char *type;
	struct piece *pieces;
	size_t count;
	size_t cap;
	size_t next;
};

struct http_multipart *http_multipart_new(void)
{
	struct http_multipart *form = xcalloc(1, sizeof(*form));
	unsigned char bytes[BOUNDARY_SIZE / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(form->boundary + 2 * i, 3, "%02x", bytes[i]);
	form->type = xasprintf("multipart/form-data; boundary=%s", form->boundary);
	return form;
}

void http_multipart_free(struct http_multipart *form)
{
	if (!form)
		return;
	for (size_t i = 0; i < form->count; i++) {
		buf_release(&form->pieces[i].text);
		closep(&form->pieces[i].file);
	}
	free(form->pieces);
	free(form->type);
	free(form);
}

static struct piece *form_add(struct http_multipart *form)
{
	struct piece *piece;

	GROW(form->pieces, form->count, form->cap);
	piece = &form->pieces[form->count++];
	*piece = (struct piece){.text = BUF_INIT, .file = -1};
	return piece;
}

void http_multipart_text(struct http_multipart *form, const char *name, struct view text)
{
	struct piece *piece = form_add(form);

	buf_appendf(&piece->text, "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n",
		form->boundary, name);
	buf_append(&piece->text, text.data, text.len);
	buf_append_str(&piece->text, "\r\n");
}

void http_multipart_file(struct http_multipart *form, const char *name, const char *file_name,
	const char *type, int file, int64_t size)
{
	CLEANUP(freep) char *safe = xstrdup(file_name);
	struct piece *piece = form_add(form);

	for (char *c = safe; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f || strchr("\"\\%", *c))
			*c = '_';
	buf_appendf(&piece->text,
		"--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		"Content-Type: %s\r\n\r\n",
		form->boundary, name, safe,
		type && http_is_value(view_of(type)) ? type : "application/octet-stream");
	piece->file = file;
	piece->left = size;
	buf_append_str(&form_add(form)->text, "\r\n");
}

int64_t http_multipart_close(struct http_multipart *form)
{
	int64_t length = 0;

	buf_appendf(&form_add(form)->text, "--%s--\r\n", form->boundary);
	for (size_t i = 0; i < form->count; i++)
		length += (int64_t)form->pieces[i].text.len + form->pieces[i].left;
	return length;
}

const char *http_multipart_type(const struct http_multipart *form)
{
	return form->type;
}

/* A file that has become shorter since its size was taken ends the request. */
enum http_giving http_multipart_give(
	struct http_multipart *form, char *bytes, size_t room, size_t *ret_len)
{
	struct piece *piece;
	ssize_t n;

	*ret_len = 0;
	while (form->next < form->count &&
		form->pieces[form->next].given == form->pieces[form->next].text.len &&
		!form->pieces[form->next].left)
		form->next++;
	if (form->next == form->count)
		return HTTP_GIVE_BYTES;
	piece = &form->pieces[form->next];
	if (piece->given < piece->text.len) {
		size_t left = piece->text.len - piece->given;

		*ret_len = left < room ? left : room;
		memcpy(bytes, piece->text.data + piece->given, *ret_len);
		piece->given += *ret_len;
		return HTTP_GIVE_BYTES;
	}
	n = read(piece->file, bytes, (int64_t)room < piece->left ? room : (size_t)piece->left);
	if (n <= 0)
		return HTTP_GIVE_UP;
	piece->left -= n;
	*ret_len = (size_t)n;
	return HTTP_GIVE_BYTES;
}
