/* Are the settings of the mailbox sound, and does its server let us in? */
#include <uv.h>

#include "channels/email/imap.h"
#include "cli/doctor/doctor.h"

struct email_asking {
	struct doctor *doctor;
	struct network *network;
	struct imap *imap;
	struct email_settings settings;
};

static const char *get_setting(void *data, const char *name)
{
	return settings_get(data, name);
}

static void end_asking(struct email_asking *asking)
{
	imap_close(asking->imap);
	asking->imap = NULL;
	network_close(asking->network);
}

static void take_login(void *data)
{
	struct email_asking *asking = data;

	doctor_ok(asking->doctor, "email", "'%s' accepts the login; the assistant is '%s'",
		asking->settings.imap.host, asking->settings.address);
	if (!asking->settings.verifier)
		doctor_warning(asking->doctor, "email", NULL,
			"EMAIL_VERIFIED_BY is 'nobody': anyone can write in the name of those in "
			"EMAIL_ALLOW");
	end_asking(asking);
}

static void take_untagged(void *data, const struct imap_response *response)
{
	(void)data;
	(void)response;
}

static void take_failure(void *data, bool refused, const char *why)
{
	struct email_asking *asking = data;

	asking->imap = NULL;
	if (refused)
		doctor_problem(asking->doctor, "email", NULL,
			"'%s' does not accept EMAIL_USER and EMAIL_PASSWORD: %s",
			asking->settings.imap.host, why);
	else
		doctor_warning(asking->doctor, "email", NULL,
			"'%s' port %u cannot be reached: %s", asking->settings.imap.host,
			asking->settings.imap.port, why);
	end_asking(asking);
}

static void run_email(struct doctor *doctor)
{
	static const struct imap_handlers handlers = {take_login, take_untagged, take_failure};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct email_asking asking = {.doctor = doctor};
	uv_loop_t loop;

	if (email_settings_read(&asking.settings, get_setting, &doctor->settings, &err) < 0) {
		doctor_problem(doctor, "email", NULL, "%s", err.message);
		return;
	}
	uv_loop_init(&loop);
	network_new(&(struct network_options){&loop, settings_ca_file(&doctor->settings)},
		&asking.network);
	asking.imap = imap_open(asking.network, &asking.settings, &handlers, &asking);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	email_settings_release(&asking.settings);
}

PROBE(email) = {
	.name = "email",
	.of_assistant = true,
	.run = run_email,
};
