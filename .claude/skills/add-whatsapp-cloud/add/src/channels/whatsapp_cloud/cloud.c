#include "channels/whatsapp_cloud/cloud.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "net/webhook.h"
#include "time/timestamp.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 60000

/* Characters of a text. */
#define MAX_TEXT 4096

#define DEFAULT_PORT    8321
#define DEFAULT_SECONDS 10
#define MAX_ID          200

const char *cloud_chat_id(const char *jid)
{
	const char *id = jid + strlen(CLOUD_PREFIX);
	size_t len;

	if (strncmp(jid, CLOUD_PREFIX, strlen(CLOUD_PREFIX)) != 0)
		return NULL;
	len = strlen(id);
	for (const char *c = id; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.:=+/", *c))
			return NULL;
	return len && len <= MAX_ID ? id : NULL;
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return cloud_chat_id(jid) != NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void cloud_closed(uv_handle_t *handle)
{
	struct cloud *cloud = handle->data;

	if (--cloud->open_handles)
		return;
	cloud_api_release(&cloud->api);
	free(cloud->verify_token);
	closep(&cloud->root);
	channel_release(&cloud->channel);
	free(cloud);
}

void cloud_finish(struct cloud *cloud)
{
	if (cloud->webhook)
		webhook_close(cloud->webhook);
	cloud->webhook = NULL;
	cloud_send_end(cloud);
	cloud_chats_end(cloud);
	uv_close((uv_handle_t *)&cloud->timer, cloud_closed);
	uv_close((uv_handle_t *)&cloud->send_timer, cloud_closed);
	uv_close((uv_handle_t *)&cloud->typing_timer, cloud_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	cloud_finish(timer->data);
}

/* Texts that are under way get their answers: without these they would be sent again. */
static void close_cloud(struct channel *channel)
{
	struct cloud *cloud = (struct cloud *)channel;

	cloud->closing = true;
	cloud_connect_end(cloud);
	cloud_fetch_end(cloud);
	uv_timer_stop(&cloud->typing_timer);
	if (cloud->sendings)
		uv_timer_start(&cloud->timer, grace_is_over, cloud->grace_ms, 0);
	else
		cloud_finish(cloud);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_cloud(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(whatsapp_cloud) = {
	.name = "whatsapp-cloud",
	.open = open_cloud,
	.close = close_cloud,
	.owns_jid = owns_jid,
	.send = cloud_send,
	.fetch = cloud_fetch,
	.typing = cloud_typing,
};

static struct cloud *new_cloud(const struct channel_setup *setup)
{
	struct cloud *cloud = xcalloc(1, sizeof(*cloud));
	uv_timer_t *timers[] = {&cloud->timer, &cloud->send_timer, &cloud->typing_timer};

	channel_init(&cloud->channel, &channel_kind_whatsapp_cloud, "whatsapp-cloud", setup);
	cloud->channel.form =
		(struct markup_form){MARKUP_WHATSAPP, MARKUP_CHARACTERS, MAX_TEXT};
	cloud->channel.abilities = CHANNEL_TYPING | CHANNEL_REACT | CHANNEL_FILES;
	cloud->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 3);
	cloud->grace_ms = setup->grace_ms;
	cloud->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	for (size_t i = 0; i < ARRAY_SIZE(timers); i++) {
		uv_timer_init(setup->loop, timers[i]);
		timers[i]->data = cloud;
	}
	cloud->open_handles = ARRAY_SIZE(timers);
	return cloud;
}

static int read_number(const struct channel_setup *setup, const char *name, long otherwise,
	long max, long *ret_number, struct error *err)
{
	const char *text = setup->setting(setup->host, name);
	char *end;

	*ret_number = otherwise;
	if (!text)
		return 0;
	*ret_number = strtol(text, &end, 10);
	if (end == text || *end || *ret_number < 0 || *ret_number > max)
		return error_set(
			err, ERROR_INVALID, "%s must be a number from 0 to %ld", name, max);
	return 0;
}

static int cloud_configure(
	struct cloud *cloud, const struct channel_setup *setup, struct error *err)
{
	static const char *const names[] = {"WHATSAPP_TOKEN", "WHATSAPP_PHONE_ID",
		"WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"};
	const char *values[ARRAY_SIZE(names)];
	long port;
	long seconds;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		values[i] = setup->setting(setup->host, names[i]);
		if (!values[i] || !*values[i])
			return error_set(err, ERROR_INVALID,
				"%s is not set: put it into '.env', then restart", names[i]);
	}
	if (read_number(setup, "WHATSAPP_WEBHOOK_PORT", DEFAULT_PORT, 65535, &port, err) < 0 ||
		read_number(setup, "WHATSAPP_STATUS_SECONDS", DEFAULT_SECONDS, 3600, &seconds,
			err) < 0 ||
		cloud_api_init(&cloud->api, setup->network,
			setup->setting(setup->host, "WHATSAPP_API_URL"), values[0], values[1],
			err) < 0)
		return -1;
	cloud->verify_token = xstrdup(values[3]);
	cloud->status_ms = (int64_t)seconds * 1000;
	cloud->sure_at = timestamp_steady() + cloud->status_ms;
	return cloud_inbox_open(cloud, setup->loop, (uint16_t)port, values[2], err);
}

/* Without its settings the channel opens all the same, and reports what is missing. */
static int open_cloud(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	struct cloud *cloud = new_cloud(setup);

	(void)err;
	setup->add(setup->host, &cloud->channel);
	if (cloud_configure(cloud, setup, &fault) < 0)
		channel_set_state(&cloud->channel, CHANNEL_DOWN, fault.message);
	else
		cloud_connect_begin(cloud);
	return 0;
}
