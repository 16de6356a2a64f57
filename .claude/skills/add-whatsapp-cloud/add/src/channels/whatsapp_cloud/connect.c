#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/whatsapp_cloud/cloud.h"
#include "time/timestamp.h"

#define REFUSED_MS ((int64_t)60 * 60 * 1000)
#define FORGED_MS  ((int64_t)60 * 60 * 1000)
#define DEAF_WAITS 6 /* as often as a status may take */

static void connect_now(uv_timer_t *timer);

static void connect_later(struct cloud *cloud, int64_t wait)
{
	if (!cloud->closing)
		uv_timer_start(&cloud->timer, connect_now, (uint64_t)wait, 0);
}

static void connect_stop(struct cloud *cloud)
{
	uv_timer_stop(&cloud->timer);
	if (cloud->call)
		cloud_call_cancel(cloud->call);
	cloud->call = NULL;
}

/* The log has a line for each change, not for each attempt. */
static void connect_failed(struct cloud *cloud, const char *why)
{
	CLEANUP(freep) char *detail = xasprintf("WhatsApp cannot be reached: %s", why);
	struct channel *channel = &cloud->channel;

	if (cloud->unreachable) {
		free(channel->detail);
		channel->detail = TAKE(detail);
	} else {
		cloud->unreachable = true;
		channel_set_state(channel, CHANNEL_DISCONNECTED, detail);
	}
	connect_later(cloud, backoff_away(&cloud->backoff));
}

void cloud_connect_refused(struct cloud *cloud, const char *why)
{
	CLEANUP(freep)
	char *detail =
		xasprintf("%s: check WHATSAPP_TOKEN, which needs the permission "
			  "'whatsapp_business_messaging', and WHATSAPP_PHONE_ID in '.env', "
			  "then restart",
			why);

	if (cloud->closing)
		return;
	connect_stop(cloud);
	cloud->unreachable = false;
	cloud->channel.retry_at = timestamp_clock() + REFUSED_MS;
	channel_set_state(&cloud->channel, CHANNEL_DOWN, detail);
	connect_later(cloud, REFUSED_MS);
}

void cloud_connect_check(struct cloud *cloud, const char *why)
{
	if (cloud->closing || cloud->channel.state != CHANNEL_CONNECTED)
		return;
	connect_stop(cloud);
	connect_failed(cloud, why);
}

static void connect_watch(uv_timer_t *timer);

static void take_number(void *data, const struct cloud_reply *reply)
{
	struct cloud *cloud = data;
	struct channel *channel = &cloud->channel;

	cloud->call = NULL;
	if (reply->outcome == CLOUD_NO_TOKEN || reply->outcome == CLOUD_REFUSED) {
		cloud_connect_refused(cloud, reply->error);
	} else if (reply->outcome != CLOUD_DONE) {
		connect_failed(cloud, reply->error);
	} else {
		cloud->unreachable = cloud->deaf = false;
		backoff_reset(&cloud->backoff);
		channel_set_state(channel, CHANNEL_CONNECTED, NULL);
		channel->events->ready(channel, NULL);
		if (cloud->taken_at)
			connect_watch(&cloud->timer);
	}
}

static void connect_now(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct cloud *cloud = timer->data;

	if (cloud_call(&cloud->api,
		    &(struct cloud_request){"GET", "?fields=display_phone_number"}, take_number,
		    cloud, &cloud->call, &err) < 0)
		connect_failed(cloud, err.message);
}

void cloud_connect_begin(struct cloud *cloud)
{
	connect_later(cloud, 0);
}

void cloud_connect_end(struct cloud *cloud)
{
	connect_stop(cloud);
}

/* --- is the webhook heard? --------------------------------------------------- */

/* The timer is free for this while the channel is connected. */
static void connect_watch(uv_timer_t *timer)
{
	struct cloud *cloud = timer->data;
	int64_t wait = cloud->taken_at + DEAF_WAITS * cloud->status_ms - timestamp_steady();

	if (!cloud->taken_at || cloud->deaf || cloud->closing)
		return;
	if (wait > 0) {
		uv_timer_start(timer, connect_watch, (uint64_t)wait, 0);
		return;
	}
	cloud->deaf = true;
	channel_set_state(&cloud->channel, CHANNEL_CONNECTED,
		"texts go out, but WhatsApp posts nothing to the webhook: check its address at "
		"Meta, the subscription to 'messages', and the proxy or tunnel before it");
}

void cloud_connect_expect(struct cloud *cloud)
{
	if (cloud->taken_at)
		return;
	cloud->taken_at = timestamp_steady();
	if (cloud->channel.state == CHANNEL_CONNECTED)
		connect_watch(&cloud->timer);
}

void cloud_connect_heard(struct cloud *cloud, bool is_signed)
{
	int64_t now = timestamp_steady();

	if (is_signed) {
		cloud->taken_at = 0;
		if (cloud->deaf && cloud->channel.state == CHANNEL_CONNECTED)
			channel_set_state(&cloud->channel, CHANNEL_CONNECTED, NULL);
		cloud->deaf = false;
	} else if (cloud->channel.state == CHANNEL_CONNECTED &&
		   (!cloud->forged_at || now - cloud->forged_at > FORGED_MS)) {
		cloud->forged_at = now;
		channel_set_state(&cloud->channel, CHANNEL_CONNECTED,
			"something was posted to the webhook with a wrong signature, and refused: "
			"if messages do not arrive, check WHATSAPP_APP_SECRET");
	}
}
