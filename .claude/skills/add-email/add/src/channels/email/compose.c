#include "channels/email/compose.h"

#include <nettle/base64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "markup/markup.h"
#include "time/civil.h"

#define LINE_BYTES 57 /* 76 characters in base64 */
#define WORD_BYTES 45 /* 75 characters as an encoded word */
#define QUOTED_MAX 75

char *compose_id(const char *key, const char *address)
{
	struct hash hash = hash_of(view_of(key));
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&hash, hex);
	return xasprintf("nanoclaw.%.32s%s", hex, strchr(address, '@'));
}

/* --- encodings --------------------------------------------------------------- */

static void compose_base64(struct view bytes, struct buf *out)
{
	size_t len = BASE64_ENCODE_RAW_LENGTH(bytes.len);
	size_t at = out->len;

	buf_reserve(out, len);
	base64_encode_raw(out->data + at, bytes.len, (const uint8_t *)bytes.data);
	buf_set_len(out, at + len);
}

static void compose_base64_lines(struct view bytes, struct buf *out)
{
	for (size_t at = 0; at < bytes.len; at += LINE_BYTES) {
		size_t end = at + LINE_BYTES < bytes.len ? at + LINE_BYTES : bytes.len;

		compose_base64(view_slice(bytes, at, end), out);
		buf_append_str(out, "\r\n");
	}
}

static bool compose_is_ascii(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

/* RFC 2047: a header has only ASCII in it. */
static void compose_words(const char *text, struct buf *out)
{
	struct view rest = view_of(text);

	if (compose_is_ascii(text) && !strstr(text, "=?") && rest.len < QUOTED_MAX) {
		buf_append_str(out, text);
		return;
	}
	while (rest.len) {
		size_t len = rest.len < WORD_BYTES
				     ? rest.len
				     : utf8_valid_len(view_slice(rest, 0, WORD_BYTES));

		buf_append_str(out, "=?utf-8?B?");
		compose_base64(view_slice(rest, 0, len), out);
		buf_append_str(out, "?=");
		rest = view_slice(rest, len, rest.len);
		if (rest.len)
			buf_append_str(out, "\r\n ");
	}
}

/* RFC 2045, for texts: they can be read as they are. */
static void compose_quoted(struct view text, struct buf *out)
{
	size_t column = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];
		bool last = i + 1 == text.len || text.data[i + 1] == '\n';
		bool literal = (c > ' ' && c <= '~' && c != '=') || (c == ' ' && !last);

		if (c == '\n') {
			buf_append_str(out, "\r\n");
			column = 0;
			continue;
		}
		if (column + (literal ? 1 : 3) > QUOTED_MAX) {
			buf_append_str(out, "=\r\n");
			column = 0;
		}
		if (literal)
			buf_append_char(out, (char)c);
		else
			buf_appendf(out, "=%02X", c);
		column += literal ? 1 : 3;
	}
	buf_append_str(out, "\r\n");
}

/* --- parts ------------------------------------------------------------------- */

static void compose_text(
	const struct outbox_row *row, enum markup_dialect dialect, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	markup_render(view_of(row->content), dialect, &text);
	buf_appendf(out,
		"Content-Type: text/%s; charset=utf-8\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n\r\n",
		dialect == MARKUP_HTML ? "html" : "plain");
	compose_quoted(view_of_buf(&text), out);
}

static void compose_both_texts(const struct outbox_row *row, const char *mark, struct buf *out)
{
	buf_appendf(
		out, "Content-Type: multipart/alternative; boundary=\"a-%s\"\r\n\r\n", mark);
	buf_appendf(out, "--a-%s\r\n", mark);
	compose_text(row, MARKUP_PLAIN, out);
	buf_appendf(out, "--a-%s\r\n", mark);
	compose_text(row, MARKUP_HTML, out);
	buf_appendf(out, "--a-%s--\r\n", mark);
}

static int compose_read(const char *path, struct buf *out, struct error *err)
{
	FILE *file = fopen(path, "re");
	size_t got = 1;

	if (!file)
		return error_errno(err, "cannot open '%s'", path);
	while (got) {
		buf_reserve(out, 65536);
		got = fread(out->data + out->len, 1, 65536, file);
		buf_set_len(out, out->len + got);
	}
	got = (size_t)ferror(file);
	fclose(file);
	return got ? error_set(err, ERROR_FAILED, "cannot read '%s'", path) : 0;
}

static int compose_file(const struct compose *mail, const struct attachment *file,
	const char *mark, struct buf *out, struct error *err)
{
	CLEANUP(freep)
	char *below = attachment_path(file->group_folder, file->file ? file->file : "");
	CLEANUP(freep) char *path = xasprintf("%s/%s", mail->root_path, below);
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	const char *type = file->type && compose_is_ascii(file->type) &&
					   strchr(file->type, '/') &&
					   !strpbrk(file->type, " ;\"")
				   ? file->type
				   : "application/octet-stream";
	const char *name = file->name ? file->name : file->file ? file->file : "file";

	if (compose_read(path, &content, err) < 0)
		return -1;
	buf_appendf(out,
		"--m-%s\r\nContent-Type: %s\r\nContent-Transfer-Encoding: base64\r\n"
		"Content-Disposition: attachment; ",
		mark, type);
	if (compose_is_ascii(name) && !strpbrk(name, "\"\\")) {
		buf_appendf(out, "filename=\"%s\"", name);
	} else { /* RFC 2231 */
		buf_append_str(out, "filename*=utf-8''");
		for (const char *c = name; *c; c++)
			buf_appendf(out, "%%%02X", (unsigned char)*c);
	}
	buf_append_str(out, "\r\n\r\n");
	compose_base64_lines(view_of_buf(&content), out);
	return 0;
}

/* --- the whole --------------------------------------------------------------- */

static void compose_date(int64_t ms, struct buf *out)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct civil at = civil_of(ms / 1000);

	buf_appendf(out, "Date: %.3s, %d %.3s %d %02d:%02d:%02d +0000\r\n",
		days + 3 * at.weekday, at.day, months + 3 * (at.month - 1), at.year, at.hour,
		at.minute, at.second);
}

static void compose_head(
	const struct compose *mail, const struct outbox_row *row, struct buf *out)
{
	buf_append_str(out, "From: ");
	compose_words(mail->name, out);
	buf_appendf(out, " <%s>\r\nTo: <%s>\r\nSubject: ", mail->address, mail->to);
	compose_words(mail->subject, out);
	buf_append_str(out, "\r\n");
	compose_date(row->created_at, out);
	buf_appendf(out, "Message-ID: <%s>\r\n", mail->id);
	if (mail->answers)
		buf_appendf(out, "In-Reply-To: <%s>\r\n", mail->answers);
	if (mail->root)
		buf_appendf(out, "References: <%s>\r\n", mail->root);
	if (mail->root && mail->answers && strcmp(mail->root, mail->answers) != 0) {
		buf_set_len(out, out->len - 2);
		buf_appendf(out, "\r\n <%s>\r\n", mail->answers);
	}
	/* So that no other program answers, and none of the same kind for ever. */
	buf_append_str(out, "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n");
}

int compose_mail(const struct compose *mail, const struct outbox_row *row, struct buf *out,
	struct error *err)
{
	CLEANUP(freep) char *mark = xmemdupz(mail->id, strcspn(mail->id, "@"));

	compose_head(mail, row, out);
	if (!row->attachments.count) {
		compose_both_texts(row, mark, out);
		return 0;
	}
	buf_appendf(out, "Content-Type: multipart/mixed; boundary=\"m-%s\"\r\n\r\n--m-%s\r\n",
		mark, mark);
	compose_both_texts(row, mark, out);
	for (size_t i = 0; i < row->attachments.count; i++)
		if (compose_file(mail, &row->attachments.list[i], mark, out, err) < 0)
			return -1;
	buf_appendf(out, "--m-%s--\r\n", mark);
	return 0;
}
