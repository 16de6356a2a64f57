/* Are the settings of IRC sound, and does the server answer? */
#include <uv.h>

#include "channels/irc/reach.h"
#include "cli/doctor/doctor.h"

struct irc_asking {
	struct doctor *doctor;
	struct network *network;
	struct irc_settings settings;
};

static const char *get_setting(void *data, const char *name)
{
	return settings_get(data, name);
}

static void take_outcome(void *data, const char *why)
{
	struct irc_asking *asking = data;
	const struct irc_settings *settings = &asking->settings;

	if (why)
		doctor_warning(asking->doctor, "irc", NULL,
			"'%s' port %u cannot be reached: %s", settings->host, settings->port,
			why);
	else
		doctor_ok(asking->doctor, "irc",
			"'%s' port %u answers; the assistant is '%s' there", settings->host,
			settings->port, settings->nick);
	network_close(asking->network);
}

static void run_irc(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct irc_asking asking = {.doctor = doctor};
	uv_loop_t loop;

	if (irc_settings_read(&asking.settings, get_setting, &doctor->settings, &err) < 0) {
		doctor_problem(doctor, "irc", NULL, "%s", err.message);
		return;
	}
	uv_loop_init(&loop);
	network_new(&(struct network_options){&loop, settings_ca_file(&doctor->settings)},
		&asking.network);
	irc_reach(asking.network, &asking.settings, take_outcome, &asking);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	irc_settings_release(&asking.settings);
}

PROBE(irc) = {
	.name = "irc",
	.of_assistant = true,
	.run = run_irc,
};
