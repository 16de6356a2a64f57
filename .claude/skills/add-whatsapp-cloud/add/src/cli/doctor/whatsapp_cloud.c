/* Does WhatsApp take the token, and does it know where to post? It is asked. */
#include <string.h>

#include "base/alloc.h"
#include "channels/whatsapp_cloud/api.h"
#include "cli/doctor/doctor.h"
#include "net/network.h"

#define FIELDS "?fields=display_phone_number,verified_name,webhook_configuration"
#define PATH   "/webhook/whatsapp"

struct cloud_asking {
	struct doctor *doctor;
	struct network *network;
	struct cloud_api api;
};

/* Meta names the address in use: that of the number, of the account, or of the app. */
static void report_number(struct doctor *doctor, const json_t *number)
{
	static const char *const places[] = {
		"phone_number", "whatsapp_business_account", "application"};
	const json_t *webhooks = json_object_get(number, "webhook_configuration");
	const char *digits = cloud_text(number, "display_phone_number");
	const char *name = cloud_text(number, "verified_name");
	const char *address = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(places) && !address; i++)
		address = cloud_text(webhooks, places[i]);
	if (webhooks && (!address || !strstr(address, PATH)))
		doctor_problem(doctor, "whatsapp-cloud", NULL,
			"WhatsApp does not post to '" PATH
			"' but %s%s%s: enter the address at Meta, "
			"on the page 'Configuration' of 'WhatsApp'",
			address ? "to '" : "nowhere", address ? address : "",
			address ? "'" : "");
	else
		doctor_ok(doctor, "whatsapp-cloud", "the number is %s, '%s'%s%s%s",
			digits ? digits : "?", name ? name : "?",
			address ? "; WhatsApp posts to '" : "", address ? address : "",
			address ? "'" : "");
}

static void take_number(void *data, const struct cloud_reply *reply)
{
	struct cloud_asking *asking = data;

	if (reply->outcome == CLOUD_DONE)
		report_number(asking->doctor, reply->document);
	else if (reply->outcome == CLOUD_NO_TOKEN || reply->outcome == CLOUD_REFUSED)
		doctor_problem(asking->doctor, "whatsapp-cloud", NULL,
			"%s: check WHATSAPP_TOKEN and WHATSAPP_PHONE_ID in '.env'",
			reply->error);
	else
		doctor_warning(asking->doctor, "whatsapp-cloud", NULL,
			"WhatsApp cannot be reached: %s", reply->error);
	network_close(asking->network);
}

static void run_whatsapp_cloud(struct doctor *doctor)
{
	static const char *const names[] = {"WHATSAPP_TOKEN", "WHATSAPP_PHONE_ID",
		"WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"};
	const struct settings *settings = &doctor->settings;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct cloud_asking asking = {.doctor = doctor};
	struct cloud_call *call;
	uv_loop_t loop;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!settings_get(settings, names[i])) {
			doctor_problem(doctor, "whatsapp-cloud", NULL,
				"%s is not set: put it into '.env'; docs/whatsapp-cloud.md says "
				"where it is",
				names[i]);
			return;
		}
	uv_loop_init(&loop);
	network_new(
		&(struct network_options){&loop, settings_ca_file(settings)}, &asking.network);
	if (cloud_api_init(&asking.api, asking.network,
		    settings_get(settings, "WHATSAPP_API_URL"),
		    settings_get(settings, "WHATSAPP_TOKEN"),
		    settings_get(settings, "WHATSAPP_PHONE_ID"), &err) < 0 ||
		cloud_call(&asking.api, &(struct cloud_request){"GET", FIELDS}, take_number,
			&asking, &call, &err) < 0) {
		doctor_problem(doctor, "whatsapp-cloud", err.hint, "%s", err.message);
		network_close(asking.network);
	}
	uv_run(&loop, UV_RUN_DEFAULT);
	cloud_api_release(&asking.api);
	uv_loop_close(&loop);
}

PROBE(whatsapp_cloud) = {
	.name = "whatsapp-cloud",
	.of_assistant = true,
	.run = run_whatsapp_cloud,
};
