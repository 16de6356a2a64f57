/* Does Slack take both tokens, and may the app do what the channel does? It is asked. */
#include <string.h>

#include "channels/slack/api.h"
#include "cli/doctor/doctor.h"
#include "net/network.h"

struct slack_asking {
	struct doctor *doctor;
	struct network *network;
	struct slack_api api;
	char *bot;
};

/* A scope that is missing has a price; docs/slack.md has the same list. */
static const struct {
	const char *scope;
	const char *without;
} scopes[] = {
	{"app_mentions:read", "it does not hear mentions in channels that it is not in"},
	{"channels:history", "it does not hear public channels"},
	{"channels:read", "public channels have no names"},
	{"chat:write", "it cannot say anything"},
	{"files:read", "it does not get files"},
	{"files:write", "it cannot send files"},
	{"groups:history", "it does not hear private channels"},
	{"groups:read", "private channels have no names"},
	{"im:history", "it does not hear direct messages"},
	{"mpim:history", "it does not hear group messages"},
	{"mpim:read", "group messages have no names"},
	{"users:read", "people have no names"},
};

static bool has_scope(struct view list, const char *scope)
{
	struct view piece;

	while (view_next(&list, ',', &piece))
		if (view_equal_str(view_trim(piece), scope))
			return true;
	return false;
}

static void check_scopes(struct doctor *doctor, struct view list)
{
	for (size_t i = 0; list.data && i < ARRAY_SIZE(scopes); i++)
		if (!has_scope(list, scopes[i].scope))
			doctor_warning(doctor, "slack", NULL,
				"the app lacks the scope '%s', so %s: add it at "
				"https://api.slack.com/apps, and install the app again",
				scopes[i].scope, scopes[i].without);
}

static void report_failure(
	struct slack_asking *asking, const char *variable, const struct slack_reply *reply)
{
	if (reply->outcome == SLACK_NO_TOKEN)
		doctor_problem(asking->doctor, "slack", NULL,
			"Slack refuses the token in %s (%s): get another one from "
			"https://api.slack.com/apps, and put it into '.env'",
			variable, reply->error);
	else if (reply->needed)
		doctor_problem(asking->doctor, "slack", NULL,
			"the token in %s lacks the scope '%s': make another one", variable,
			reply->needed);
	else
		doctor_warning(asking->doctor, "slack", NULL, "Slack cannot be reached: %s",
			reply->error);
	network_close(asking->network);
}

/* The address is good for a connection, which nobody makes. */
static void take_url(void *data, const struct slack_reply *reply)
{
	struct slack_asking *asking = data;

	if (reply->outcome != SLACK_DONE) {
		report_failure(asking, "SLACK_APP_TOKEN", reply);
		return;
	}
	doctor_ok(asking->doctor, "slack", "the bot is '@%s'", asking->bot);
	network_close(asking->network);
}

static void take_bot(void *data, const struct slack_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack_asking *asking = data;
	const char *bot = slack_text(reply->document, "user");
	struct slack_call *call;

	if (reply->outcome != SLACK_DONE) {
		report_failure(asking, "SLACK_BOT_TOKEN", reply);
		return;
	}
	asking->bot = xstrdup(bot ? bot : "?");
	check_scopes(asking->doctor, reply->scopes);
	if (slack_call(&asking->api, SLACK_APP, "apps.connections.open", json_object(),
		    take_url, asking, &call, &err) < 0)
		report_failure(asking, "", &(struct slack_reply){.error = err.message});
}

static void ask_slack(
	struct slack_asking *asking, uv_loop_t *loop, const char *bot, const char *app)
{
	const struct settings *settings = &asking->doctor->settings;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack_call *call;

	network_new(
		&(struct network_options){loop, settings_ca_file(settings)}, &asking->network);
	if (slack_api_init(&asking->api, asking->network,
		    settings_get(settings, "SLACK_API_URL"), bot, app, &err) < 0 ||
		slack_call(&asking->api, SLACK_BOT, "auth.test", json_object(), take_bot,
			asking, &call, &err) < 0) {
		doctor_problem(asking->doctor, "slack", err.hint, "%s", err.message);
		network_close(asking->network);
	}
	uv_run(loop, UV_RUN_DEFAULT);
	slack_api_release(&asking->api);
	free(asking->bot);
}

static void run_slack(struct doctor *doctor)
{
	const char *bot = settings_get(&doctor->settings, "SLACK_BOT_TOKEN");
	const char *app = settings_get(&doctor->settings, "SLACK_APP_TOKEN");
	struct slack_asking asking = {.doctor = doctor};
	uv_loop_t loop;

	if (!bot || !app) {
		doctor_problem(doctor, "slack", NULL,
			"%s is not set: put it into '.env'; docs/slack.md says where it is",
			bot ? "SLACK_APP_TOKEN" : "SLACK_BOT_TOKEN");
		return;
	}
	uv_loop_init(&loop);
	ask_slack(&asking, &loop, bot, app);
	uv_loop_close(&loop);
}

PROBE(slack) = {
	.name = "slack",
	.of_assistant = true,
	.run = run_slack,
};
