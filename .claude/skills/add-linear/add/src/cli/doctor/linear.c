/* Does Linear take the key, and whose is it? It is asked. */
#include "channels/linear/api.h"
#include "cli/doctor/doctor.h"
#include "net/network.h"

struct linear_asking {
	struct doctor *doctor;
	struct network *network;
};

static void take_viewer(void *data, const struct linear_reply *reply)
{
	struct linear_asking *asking = data;
	const json_t *viewer = json_object_get(reply->data, "viewer");
	const char *name = linear_text(viewer, "displayName");

	if (name)
		doctor_ok(asking->doctor, "linear", "the user is '@%s'", name);
	else if (reply->outcome == LINEAR_NO_KEY)
		doctor_problem(asking->doctor, "linear", NULL,
			"Linear refuses the key in LINEAR_API_KEY (%s): make a new one in Linear "
			"under 'Settings', 'Security & access'",
			reply->error);
	else
		doctor_warning(asking->doctor, "linear", NULL, "Linear cannot be reached: %s",
			reply->error ? reply->error : "it does not say whose key this is");
	network_close(asking->network);
}

static void run_linear(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct settings *settings = &doctor->settings;
	const char *key = settings_get(settings, "LINEAR_API_KEY");
	const char *url = settings_get(settings, "LINEAR_API_URL");
	struct linear_asking asking = {.doctor = doctor};
	struct linear_api api = {0};
	struct linear_call *call;
	uv_loop_t loop;

	if (!key || !*key) {
		doctor_problem(doctor, "linear", NULL,
			"LINEAR_API_KEY is not set: put a key that Linear makes under "
			"'Settings', 'Security & access' into '.env'");
		return;
	}
	uv_loop_init(&loop);
	network_new(
		&(struct network_options){&loop, settings_ca_file(settings)}, &asking.network);
	if (linear_api_init(&api, asking.network, url && *url ? url : NULL, key, &err) < 0 ||
		linear_call(&api, LINEAR_VIEWER, NULL, take_viewer, &asking, &call, &err) < 0) {
		doctor_problem(doctor, "linear", err.hint, "%s", err.message);
		network_close(asking.network);
	}
	uv_run(&loop, UV_RUN_DEFAULT);
	linear_api_release(&api);
	uv_loop_close(&loop);
}

PROBE(linear) = {
	.name = "linear",
	.of_assistant = true,
	.run = run_linear,
};
