/*
 * A body of the type multipart/form-data: texts, and files that are read while they are sent.
 *
 *	struct http_multipart *form = http_multipart_new();
 *
 *	http_multipart_text(form, "caption", view_of(text));
 *	http_multipart_file(form, "photo", "cat.png", "image/png", fd, size);
 *	http_call(network, &(struct http_call_request){.form = form, …}, …);
 *
 * http_call() takes the form; http_multipart_free() is for one that is not sent.
 */
#ifndef NET_HTTP_MULTIPART_H
#define NET_HTTP_MULTIPART_H

#include "net/http.h"

struct http_multipart;

struct http_multipart *http_multipart_new(void);
void http_multipart_free(struct http_multipart *form);

void http_multipart_text(struct http_multipart *form, const char *name, struct view text);

/*
 * `file` is taken. Characters of its name that have no place in a header become '_'. `type` is its
 * MIME type; NULL: not known.
 */
void http_multipart_file(struct http_multipart *form, const char *name, const char *file_name,
	const char *type, int file, int64_t size);

/* For http_call(): no part is added after http_multipart_close(). */
int64_t http_multipart_close(struct http_multipart *form);
const char *http_multipart_type(const struct http_multipart *form);
enum http_giving http_multipart_give(
	struct http_multipart *form, char *bytes, size_t room, size_t *ret_len);

#endif
