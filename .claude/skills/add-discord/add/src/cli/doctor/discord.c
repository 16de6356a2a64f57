/* Does Discord take the token, and may the bot read what people write? It is asked. */
#include "channels/discord/api.h"
#include "cli/doctor/doctor.h"
#include "net/network.h"

/* Flags of an application that may read texts; the second one is for bots in few servers. */
#define READS_TEXTS (1 << 18 | 1 << 19)

struct discord_asking {
	struct doctor *doctor;
	struct network *network;
	struct discord_api api;
	char *bot;
};

static void report_failure(struct discord_asking *asking, const struct discord_reply *reply)
{
	if (reply->outcome == DISCORD_NO_TOKEN)
		doctor_problem(asking->doctor, "discord", NULL,
			"Discord refuses the token in DISCORD_BOT_TOKEN: get another one from the "
			"page 'Bot' at https://discord.com/developers/applications, and put it "
			"into '.env'");
	else
		doctor_warning(asking->doctor, "discord", NULL, "Discord cannot be reached: %s",
			reply->error);
	network_close(asking->network);
}

static void take_application(void *data, const struct discord_reply *reply)
{
	struct discord_asking *asking = data;
	const json_t *flags = json_object_get(reply->document, "flags");

	if (reply->outcome != DISCORD_DONE && reply->outcome != DISCORD_REFUSED) {
		report_failure(asking, reply);
		return;
	}
	if (json_is_number(flags) && !((int64_t)json_number_value(flags) & READS_TEXTS))
		doctor_problem(asking->doctor, "discord", NULL,
			"the bot '%s' may not read what people write: at "
			"https://discord.com/developers/applications, on the page 'Bot', turn on "
			"'Message Content Intent', and save",
			asking->bot);
	else
		doctor_ok(asking->doctor, "discord", "the bot is '%s'", asking->bot);
	network_close(asking->network);
}

static void take_bot(void *data, const struct discord_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct discord_asking *asking = data;
	const char *name = discord_text(reply->document, "username");

	if (reply->outcome != DISCORD_DONE) {
		report_failure(asking, reply);
		return;
	}
	asking->bot = xstrdup(name ? name : "?");
	if (discord_call(&asking->api, &(struct discord_request){"GET", "applications/@me"},
		    take_application, asking, NULL, &err) < 0)
		report_failure(asking, &(struct discord_reply){.error = err.message});
}

static void ask_discord(struct discord_asking *asking, uv_loop_t *loop, const char *token)
{
	const struct settings *settings = &asking->doctor->settings;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	network_new(
		&(struct network_options){loop, settings_ca_file(settings)}, &asking->network);
	if (discord_api_init(&asking->api, asking->network,
		    settings_get(settings, "DISCORD_API_URL"), token, &err) < 0 ||
		discord_call(&asking->api, &(struct discord_request){"GET", "users/@me"},
			take_bot, asking, NULL, &err) < 0) {
		doctor_problem(asking->doctor, "discord", err.hint, "%s", err.message);
		network_close(asking->network);
	}
	uv_run(loop, UV_RUN_DEFAULT);
	discord_api_release(&asking->api);
	free(asking->bot);
}

static void run_discord(struct doctor *doctor)
{
	const char *token = settings_get(&doctor->settings, "DISCORD_BOT_TOKEN");
	struct discord_asking asking = {.doctor = doctor};
	uv_loop_t loop;

	if (!token) {
		doctor_problem(doctor, "discord", NULL,
			"DISCORD_BOT_TOKEN is not set: put it into '.env'; docs/discord.md says "
			"where it is");
		return;
	}
	uv_loop_init(&loop);
	ask_discord(&asking, &loop, token);
	uv_loop_close(&loop);
}

PROBE(discord) = {
	.name = "discord",
	.of_assistant = true,
	.run = run_discord,
};
