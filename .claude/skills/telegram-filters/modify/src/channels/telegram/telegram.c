#include "channels/telegram/telegram.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 60000

/* UTF-16 units of a text. */
#define MAX_TEXT 4096

int64_t telegram_chat_id(const struct telegram *telegram, const char *jid)
{
	size_t len = strlen(telegram->prefix);
	const char *digits;
	long long id;
	char *end;

	if (strncmp(jid, telegram->prefix, len) != 0)
		return 0;
	digits = jid + len;
	if (digits[*digits == '-'] < '1' || digits[*digits == '-'] > '9' || strlen(digits) > 17)
		return 0;
	id = strtoll(digits, &end, 10);
	return *end ? 0 : id;
}

char *telegram_jid(const struct telegram *telegram, int64_t chat_id)
{
	return xasprintf("%s%" PRId64, telegram->prefix, chat_id);
}

/* Only these number their messages by themselves; elsewhere each bot counts its own. */
static bool is_supergroup(int64_t chat_id)
{
	return chat_id < -1000000000000;
}

char *telegram_message_id(const struct telegram *telegram, int64_t chat_id, int64_t message_id)
{
	return is_supergroup(chat_id)
		       ? xasprintf("%" PRId64, message_id)
		       : xasprintf("%" PRId64 "/%" PRId64, telegram->bot, message_id);
}

int64_t telegram_message_number(
	const struct telegram *telegram, int64_t chat_id, const char *id)
{
	const char *slash = id ? strchr(id, '/') : NULL;

	if (!id || !slash != is_supergroup(chat_id) ||
		(slash && strtoll(id, NULL, 10) != telegram->bot))
		return 0;
	return strtoll(slash ? slash + 1 : id, NULL, 10);
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	return telegram_chat_id((const struct telegram *)channel, jid) != 0;
}

/* --- the end ----------------------------------------------------------------- */

static void telegram_closed(uv_handle_t *handle)
{
	struct telegram *telegram = handle->data;

	if (--telegram->open_handles)
		return;
	telegram_api_release(&telegram->api);
	free(telegram->prefix);
	free(telegram->username);
	closep(&telegram->root);
	channel_release(&telegram->channel);
	free(telegram);
}

void telegram_finish(struct telegram *telegram)
{
	telegram_send_end(telegram);
	uv_close((uv_handle_t *)&telegram->timer, telegram_closed);
	uv_close((uv_handle_t *)&telegram->typing_timer, telegram_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	telegram_finish(timer->data);
}

/* Texts that are under way get their answers: without these they would be sent again. */
static void close_telegram(struct channel *channel)
{
	struct telegram *telegram = (struct telegram *)channel;

	telegram->closing = true;
	telegram_poll_end(telegram);
	telegram_typing_end(telegram);
	telegram_fetch_end(telegram);
	if (telegram->sending_count)
		uv_timer_start(&telegram->timer, grace_is_over, telegram->grace_ms, 0);
	else
		telegram_finish(telegram);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_telegram(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(telegram) = {
	.name = "telegram",
	.open = open_telegram,
	.close = close_telegram,
	.owns_jid = owns_jid,
	.send = telegram_send,
	.fetch = telegram_fetch,
	.typing = telegram_typing,
};

static struct telegram *new_telegram(
	const struct channel_setup *setup, const char *name, const char *prefix)
{
	struct telegram *telegram = xcalloc(1, sizeof(*telegram));

	channel_init(&telegram->channel, &channel_kind_telegram, name, setup);
	telegram->channel.form = (struct markup_form){MARKUP_TELEGRAM, MARKUP_UTF16, MAX_TEXT};
	telegram->channel.abilities = CHANNEL_TYPING | CHANNEL_EDIT | CHANNEL_FILES;
	telegram->prefix = xstrdup(prefix);
	telegram->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 3);
	telegram->grace_ms = setup->grace_ms;
	telegram->ignore = setup->setting(setup->host, "TELEGRAM_IGNORE");
	telegram->trouble = 200;
	telegram->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	uv_timer_init(setup->loop, &telegram->timer);
	uv_timer_init(setup->loop, &telegram->typing_timer);
	telegram->timer.data = telegram->typing_timer.data = telegram;
	telegram->open_handles = 2;
	return telegram;
}

/* One without a token is there, and says what is missing. */
static void open_bot(const struct channel_setup *setup, const char *name, const char *prefix,
	const char *token_setting)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	struct telegram *telegram = new_telegram(setup, name, prefix);
	const char *token = setup->setting(setup->host, token_setting);
	const char *url = setup->setting(setup->host, "TELEGRAM_API_URL");
	CLEANUP(freep)
	char *missing =
		xasprintf("%s is not set: put it into '.env', then restart", token_setting);

	setup->add(setup->host, &telegram->channel);
	if (!token) {
		channel_set_state(&telegram->channel, CHANNEL_DOWN, missing);
	} else if (telegram_api_init(&telegram->api, setup->network, url, token, &fault) < 0) {
		error_prefix(&fault, "%s", token_setting);
		channel_set_state(&telegram->channel, CHANNEL_DOWN, fault.message);
	} else {
		telegram_poll_begin(telegram);
	}
}

static int open_telegram(const struct channel_setup *setup, struct error *err)
{
	(void)err;
	open_bot(setup, "telegram", "tg:", "TELEGRAM_BOT_TOKEN");
	return 0;
}
