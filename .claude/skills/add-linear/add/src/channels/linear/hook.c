#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "channels/linear/linear.h"
#include "format/json.h"
#include "net/webhook.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define DEFAULT_PORT 8322
#define MAX_BODY     ((size_t)4 * 1024 * 1024)

/* As Linear's own library has it: older ones may have been recorded and sent again. */
#define MOST_AGE_MS 60000

static void hook_forged(void *data)
{
	struct linear *linear = data;

	if (!linear->was_forged)
		log_warning("channel 'linear': something without the signature of "
			    "LINEAR_WEBHOOK_SECRET was posted to the webhook");
	linear->was_forged = true;
}

/* It says that there is news. What that is, a poll says: so nothing depends on its arrival. */
static int hook_take(void *data, struct view body)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	struct linear *linear = data;
	const char *type;
	double age;

	if (json_read(body, "the webhook", MAX_BODY, &document, &ignored) < 0)
		return 0;
	type = linear_text(document, "type");
	age = (double)timestamp_clock() -
	      json_number_value(json_object_get(document, "webhookTimestamp"));
	if (type && (!strcmp(type, "Comment") || !strcmp(type, "Issue")) &&
		fabs(age) <= MOST_AGE_MS)
		linear_poll_soon(linear);
	return 0;
}

int linear_hook_open(
	struct linear *linear, const struct channel_setup *setup, struct error *err)
{
	const char *secret = setup->setting(setup->host, "LINEAR_WEBHOOK_SECRET");
	const char *port = setup->setting(setup->host, "LINEAR_WEBHOOK_PORT");
	char *end = NULL;
	unsigned long number = port && *port ? strtoul(port, &end, 10) : DEFAULT_PORT;

	if (!secret || !*secret)
		return 0;
	if ((end && *end) || number > 65535)
		return error_set(err, ERROR_INVALID,
			"LINEAR_WEBHOOK_PORT must be a port, such as '%d'", DEFAULT_PORT);
	if (webhook_open(
		    &(struct webhook_options){
			    .loop = setup->loop,
			    .port = (uint16_t)number,
			    .path = "/webhook/linear",
			    .header = "linear-signature",
			    .prefix = "",
			    .secret = secret,
			    .max_body = MAX_BODY,
			    .take = hook_take,
			    .forged = hook_forged,
			    .data = linear,
		    },
		    &linear->webhook, err) < 0)
		return -1;
	log_note("Linear's webhook is http://127.0.0.1:%u/webhook/linear",
		webhook_port(linear->webhook));
	return 0;
}

void linear_hook_close(struct linear *linear)
{
	if (linear->webhook)
		webhook_close(linear->webhook);
	linear->webhook = NULL;
}
