#include "channels/email/mail.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/email/gmime.h"
#include "channels/email/settings.h"
#include "channels/email/text.h"
#include "format/clean_text.h"

/* Parts that are looked at: a mail with more of them is not from a person. */
#define MAX_PARTS 200

void mail_release(struct mail *mail)
{
	free(mail->from);
	free(mail->name);
	free(mail->id);
	free(mail->root);
	free(mail->subject);
	free(mail->text);
	for (size_t i = 0; i < mail->attachment_count; i++) {
		free((char *)(uintptr_t)mail->attachments[i].name);
		free((char *)(uintptr_t)mail->attachments[i].type);
		free((char *)(uintptr_t)mail->attachments[i].content.data);
	}
	*mail = (struct mail){0};
}

/* A copy that is valid UTF-8, with at most `max` bytes. */
static char *mail_clean(const char *text, size_t max)
{
	CLEANUP(buf_release) struct buf clean = BUF_INIT;

	clean_text_append(&clean, view_of(text ? text : ""));
	buf_set_len(&clean, clean_text_cut(view_of_buf(&clean), max));
	return buf_take(&clean);
}

/* One line, for names and subjects. */
static char *mail_clean_line(const char *text, size_t max)
{
	char *clean = mail_clean(text, max);

	for (char *at = clean; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = ' ';
	return clean;
}

/* --- the head ---------------------------------------------------------------- */

static const char *mail_header(
	const struct gmime *gmime, GMimeMessage *message, const char *name)
{
	return gmime->object_header((GMimeObject *)message, name);
}

static void mail_take_sender(
	const struct gmime *gmime, GMimeMessage *message, struct mail *mail)
{
	InternetAddressList *list = gmime->message_from(message);
	InternetAddress *sender;
	const char *address = NULL;

	if (list && gmime->addresses_length(list) == 1) {
		sender = gmime->addresses_get(list, 0);
		if (gmime->is_a((GTypeInstance *)sender, gmime->mailbox_type()))
			address = gmime->mailbox_address((InternetAddressMailbox *)sender);
		mail->name = mail_clean_line(gmime->address_name(sender), 100);
	}
	if (address && email_is_address(address))
		mail->from = email_lower(address);
	if (!mail->name || !*mail->name) {
		free(mail->name);
		mail->name = xstrdup(mail->from ? mail->from : "");
	}
}

/* The first "<id>" of a header, without its brackets; NULL if there is none that can be used. */
static char *mail_first_id(const char *header)
{
	const char *start = header ? strchr(header, '<') : NULL;
	const char *end = start ? strchr(start, '>') : NULL;
	CLEANUP(freep) char *id = end ? xmemdupz(start + 1, (size_t)(end - start) - 1) : NULL;

	if (!id || !*id || strlen(id) > MAIL_MAX_ID || !utf8_all_printable(view_of(id)) ||
		strpbrk(id, " \t<\"\\"))
		return NULL;
	return TAKE(id);
}

static void mail_take_ids(const struct gmime *gmime, GMimeMessage *message, struct mail *mail)
{
	mail->id = mail_first_id(mail_header(gmime, message, "Message-ID"));
	mail->root = mail_first_id(mail_header(gmime, message, "References"));
	if (!mail->root)
		mail->root = mail_first_id(mail_header(gmime, message, "In-Reply-To"));
	if (!mail->root && mail->id)
		mail->root = xstrdup(mail->id);
}

/* RFC 3834: programs say that they are programs, and two that answer each other never end. */
static bool mail_is_automatic(const struct gmime *gmime, GMimeMessage *message)
{
	const char *submitted = mail_header(gmime, message, "Auto-Submitted");
	const char *precedence = mail_header(gmime, message, "Precedence");
	const char *bounce = mail_header(gmime, message, "Return-Path");

	return (submitted && strncasecmp(submitted, "no", 2) != 0) ||
	       (precedence && strcasestr("bulk list junk auto_reply", precedence)) ||
	       (bounce && strstr(bounce, "<>")) || mail_header(gmime, message, "List-Id") ||
	       mail_header(gmime, message, "X-Autoreply");
}

/*
 * Without comments and quoted texts. There a server repeats what a sender chose, such as the address
 * "x; dmarc=pass"@evil.example. NULL: one of them does not end.
 */
static char *results_bare(const char *results)
{
	CLEANUP(buf_release) struct buf bare = BUF_INIT;
	unsigned comments = 0;
	bool quoted = false;

	for (const char *c = results; *c; c++) {
		if (*c == '\\' && c[1] && (quoted || comments))
			c++;
		else if (*c == '"' && !comments)
			quoted = !quoted;
		else if (*c == '(' && !quoted)
			comments++;
		else if (*c == ')' && comments)
			comments--;
		else if (!quoted && !comments)
			buf_append_char(&bare, strchr("\t\r\n", *c) ? ' ' : *c);
	}
	return quoted || comments ? NULL : buf_take(&bare);
}

/* "dmarc=pass action=none header.from=example.org": of this sender's domain, if it says so. */
static bool result_passes(struct view item, const char *domain)
{
	struct view word = {"", 0};

	view_next(&item, ' ', &word);
	if (!view_equal_str(word, "dmarc=pass"))
		return false;
	while (view_next(&item, ' ', &word))
		if (view_starts_with(word, "header.from=") &&
			!view_equal_str(
				view_slice(word, strlen("header.from="), word.len), domain))
			return false;
	return true;
}

/*
 * Does the mail server vouch for the sender (RFC 8601)? Its header stands above all others, and
 * begins with its name: what a sender wrote into the mail comes below it. One result that is not a
 * pass is enough to refuse it.
 */
static bool mail_is_verified(const struct gmime *gmime, GMimeMessage *message,
	const char *verifier, const char *from)
{
	const char *results = mail_header(gmime, message, "Authentication-Results");
	CLEANUP(freep) char *lower = email_lower(results ? results : "");
	CLEANUP(freep) char *bare = results_bare(lower);
	struct view text = view_trim(view_of(bare ? bare : ""));
	const char *domain = from ? strchr(from, '@') + 1 : "";
	bool passes = false;
	struct view rest;
	struct view item;

	if (!view_starts_with(text, verifier))
		return false;
	rest = view_slice(text, strlen(verifier), text.len);
	if (rest.len && !strchr("; ", rest.data[0]))
		return false;
	while (view_next(&rest, ';', &item)) {
		item = view_trim(item);
		if (!view_starts_with(item, "dmarc"))
			continue;
		if (!result_passes(item, domain))
			return false;
		passes = true;
	}
	return passes;
}

/* --- the body ---------------------------------------------------------------- */

struct mail_reading {
	const struct gmime *gmime;
	struct mail *mail;
	char *plain; /* the first text, or NULL */
	char *html;
};

static void mail_take_text(struct mail_reading *reading, GMimeTextPart *part, bool html)
{
	char **to = html ? &reading->html : &reading->plain;
	char *text;

	if (*to)
		return;
	text = reading->gmime->text_part_text(part);
	*to = mail_clean(text, CHANNEL_MAX_TEXT - MAIL_MAX_SUBJECT - 100);
	reading->gmime->free(text);
}

static void mail_take_attachment(
	struct mail_reading *reading, GMimePart *part, GMimeContentType *type)
{
	const struct gmime *gmime = reading->gmime;
	struct mail *mail = reading->mail;
	GMimeDataWrapper *content = gmime->part_content(part);
	GMimeStream *memory;
	GByteArray *bytes;
	char *name = type ? gmime->content_type_name(type) : NULL;
	const char *file = gmime->part_filename(part);

	if (content && mail->attachment_count < ARRAY_SIZE(mail->attachments)) {
		memory = gmime->memory_new();
		gmime->data_write(content, memory);
		bytes = gmime->memory_bytes((GMimeStreamMem *)memory);
		mail->attachments[mail->attachment_count++] = (struct attachment_arrival){
			.name = file ? mail_clean_line(file, ATTACHMENT_MAX_NAME) : NULL,
			.type = name ? mail_clean_line(name, 100) : NULL,
			.size = bytes->len,
			.content = {xmemdupz(bytes->data ? (const char *)bytes->data : "",
					    bytes->len),
				bytes->len},
		};
		gmime->unref(memory);
	}
	gmime->free(name);
}

static void mail_take_part(struct mail_reading *reading, GMimeObject *object)
{
	const struct gmime *gmime = reading->gmime;
	GMimeContentType *type = gmime->object_content_type(object);
	GTypeInstance *instance = (GTypeInstance *)object;
	bool html = type && gmime->content_type_is(type, "text", "html");

	if (!gmime->is_a(instance, gmime->part_type()))
		return;
	if (gmime->is_a(instance, gmime->text_part_type()) &&
		!gmime->part_is_attachment((GMimePart *)object) &&
		(html || gmime->content_type_is(type, "text", "plain")))
		mail_take_text(reading, (GMimeTextPart *)object, html);
	else
		mail_take_attachment(reading, (GMimePart *)object, type);
}

static void mail_take_body(const struct gmime *gmime, GMimeMessage *message, struct mail *mail)
{
	struct mail_reading reading = {.gmime = gmime, .mail = mail};
	GMimePartIter *iter = gmime->iter_new((GMimeObject *)message);
	unsigned parts = 0;

	do {
		GMimeObject *part = gmime->iter_current(iter);

		if (part)
			mail_take_part(&reading, part);
	} while (++parts < MAX_PARTS && gmime->iter_next(iter));
	gmime->iter_free(iter);
	if (!reading.plain && reading.html)
		reading.plain = text_of_html(reading.html);
	mail->text = text_without_quotes(reading.plain ? reading.plain : "");
	free(reading.plain);
	free(reading.html);
}

/* --- all --------------------------------------------------------------------- */

int mail_parse(
	struct view bytes, const char *verifier, struct mail *ret_mail, struct error *err)
{
	const struct gmime *gmime = gmime_load(err);
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *message;
	GDateTime *date;

	if (!gmime)
		return -1;
	stream = gmime->memory_of(bytes.data, bytes.len);
	parser = gmime->parser_new(stream);
	message = gmime->parser_message(parser, NULL);
	gmime->unref(parser);
	gmime->unref(stream);
	if (!message)
		return error_set(err, ERROR_INVALID, "it is not a mail");
	*ret_mail = (struct mail){0};
	mail_take_sender(gmime, message, ret_mail);
	mail_take_ids(gmime, message, ret_mail);
	ret_mail->subject = mail_clean_line(gmime->message_subject(message), MAIL_MAX_SUBJECT);
	date = gmime->message_date(message);
	ret_mail->time = date ? gmime->date_time_to_unix(date) * 1000 : 0;
	ret_mail->automatic = mail_is_automatic(gmime, message);
	ret_mail->verified =
		!verifier || mail_is_verified(gmime, message, verifier, ret_mail->from);
	mail_take_body(gmime, message, ret_mail);
	gmime->unref(message);
	return 0;
}
