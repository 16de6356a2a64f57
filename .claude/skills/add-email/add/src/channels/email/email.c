#include "channels/email/email.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 300000

/* Bytes of a text; the rest of a longer one is a mail of its own. */
#define MAX_TEXT 200000

const char *email_address_of(const char *jid)
{
	const char *address = jid + strlen(EMAIL_PREFIX);

	if (strncmp(jid, EMAIL_PREFIX, strlen(EMAIL_PREFIX)) != 0)
		return NULL;
	for (const char *c = address; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			return NULL;
	return email_is_address(address) ? address : NULL;
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return email_address_of(jid) != NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void email_closed(uv_handle_t *handle)
{
	struct email *email = handle->data;

	if (--email->open_handles)
		return;
	email_memory_release(email);
	email_settings_release(&email->settings);
	free(email->waiting);
	free(email->trouble);
	free(email->name);
	channel_release(&email->channel);
	free(email);
}

void email_finish(struct email *email)
{
	email_send_end(email);
	email_inbox_end(email);
	uv_close((uv_handle_t *)&email->timer, email_closed);
	uv_close((uv_handle_t *)&email->send_timer, email_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	email_finish(timer->data);
}

/* A mail that is under way gets its receipt: without that it would be sent again. */
static void close_email(struct channel *channel)
{
	struct email *email = (struct email *)channel;

	email->closing = true;
	email_inbox_end(email);
	if (email->sendings)
		uv_timer_start(&email->timer, grace_is_over, email->grace_ms, 0);
	else
		email_finish(email);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_email(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(email) = {
	.name = "email",
	.open = open_email,
	.close = close_email,
	.owns_jid = owns_jid,
	.send = email_send,
};

/* A mailbox without settings is there, and says what is missing. */
static int open_email(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(freep) char *memory = setup->recall(setup->host, "email");
	const char *name = setup->setting(setup->host, "ASSISTANT_NAME");
	struct email *email = xcalloc(1, sizeof(*email));

	(void)err;
	channel_init(&email->channel, &channel_kind_email, "email", setup);
	email->channel.form = (struct markup_form){MARKUP_SOURCE, MARKUP_BYTES, MAX_TEXT};
	email->channel.abilities = CHANNEL_FILES;
	email->network = setup->network;
	email->grace_ms = setup->grace_ms;
	email->root_path = setup->root_path;
	email->name = xstrdup(name && *name ? name : "Andy");
	/* Files grow by a third on their way. */
	email->max_mail = setup->max_file * 3 / 2 + 1024 * 1024;
	if (email->max_mail > (int64_t)IMAP_MAX_LITERAL)
		email->max_mail = IMAP_MAX_LITERAL;
	email->backoff = email->send_backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	uv_timer_init(setup->loop, &email->timer);
	uv_timer_init(setup->loop, &email->send_timer);
	email->timer.data = email->send_timer.data = email;
	email->open_handles = 2;
	email_memory_read(email, memory ? memory : "{}");
	setup->add(setup->host, &email->channel);
	if (email_settings_read(&email->settings, setup->setting, setup->host, &fault) < 0)
		channel_set_state(&email->channel, CHANNEL_DOWN, fault.message);
	else
		email_inbox_begin(email);
	return 0;
}
