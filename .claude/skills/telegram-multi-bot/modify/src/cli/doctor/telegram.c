/* Does Telegram take the token, and does nothing else receive the bot's messages? It is asked. */
#include <string.h>

#include "channels/telegram/api.h"
#include "channels/telegram/bots.h"
#include "cli/doctor/doctor.h"
#include "net/network.h"

/* Somebody waits for it. */
#define ANSWER_MS 10000

struct asking {
	struct doctor *doctor;
	const char *setting; /* that has the token */
	struct network *network;
	struct telegram_api api;
	char *username;
};

static void finish_asking(struct asking *asking)
{
	network_close(asking->network);
}

static int ask(struct asking *asking, const char *method, telegram_call_function function,
	struct error *err)
{
	struct telegram_call *call;

	return telegram_call(&asking->api,
		&(struct telegram_request){
			.method = method, .parameters = json_object(), .wait_ms = ANSWER_MS},
		function, asking, &call, err);
}

static void take_webhook(void *data, const struct telegram_reply *reply)
{
	struct asking *asking = data;
	const char *url = telegram_text(reply->result, "url");

	if (url && *url)
		doctor_problem(asking->doctor, "telegram", NULL,
			"'@%s' has a webhook, so another program receives its messages: delete "
			"the webhook, or use a bot of your own",
			asking->username);
	else
		doctor_ok(asking->doctor, "telegram", "the bot is '@%s'", asking->username);
	finish_asking(asking);
}

static void take_bot(void *data, const struct telegram_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct asking *asking = data;
	const char *username = telegram_text(reply->result, "username");

	if (username) {
		asking->username = xstrdup(username);
		if (!json_is_true(
			    json_object_get(reply->result, "can_read_all_group_messages")))
			doctor_warning(asking->doctor, "telegram", NULL,
				"in groups, '@%s' sees only commands, replies and mentions: send "
				"/setprivacy to @BotFather if it has to see everything",
				username);
		if (ask(asking, "getWebhookInfo", take_webhook, &err) == 0)
			return;
	} else if (reply->code == 401 || reply->code == 404) {
		doctor_problem(asking->doctor, "telegram", NULL,
			"%s: Telegram refuses the token (%s): get a new one from @BotFather",
			asking->setting, reply->description);
	} else {
		doctor_warning(asking->doctor, "telegram", NULL,
			"Telegram cannot be reached: %s", reply->description);
	}
	finish_asking(asking);
}

static void ask_telegram(struct asking *asking, uv_loop_t *loop, const char *token)
{
	const struct settings *settings = &asking->doctor->settings;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	network_new(
		&(struct network_options){loop, settings_ca_file(settings)}, &asking->network);
	if (telegram_api_init(&asking->api, asking->network,
		    settings_get(settings, "TELEGRAM_API_URL"), token, &err) < 0 ||
		ask(asking, "getMe", take_bot, &err) < 0) {
		doctor_problem(asking->doctor, "telegram", err.hint, "%s: %s", asking->setting,
			err.message);
		finish_asking(asking);
	}
	uv_run(loop, UV_RUN_DEFAULT);
	telegram_api_release(&asking->api);
	free(asking->username);
}

static void check_bot(struct doctor *doctor, const char *setting)
{
	const char *token = settings_get(&doctor->settings, setting);
	struct asking asking = {.doctor = doctor, .setting = setting};
	uv_loop_t loop;

	if (!token) {
		doctor_problem(doctor, "telegram", NULL,
			"%s is not set: put the token that @BotFather gives into '.env'",
			setting);
		return;
	}
	uv_loop_init(&loop);
	ask_telegram(&asking, &loop, token);
	uv_loop_close(&loop);
}

static void check_other_bot(const char *name, const char *token_setting, void *data)
{
	(void)name;
	check_bot(data, token_setting);
}

static void run_telegram(struct doctor *doctor)
{
	const char *bots = settings_get(&doctor->settings, "TELEGRAM_BOTS");

	telegram_bots_each(bots, check_other_bot, doctor);
	if (!bots || settings_get(&doctor->settings, "TELEGRAM_BOT_TOKEN"))
		check_bot(doctor, "TELEGRAM_BOT_TOKEN");
}

PROBE(telegram) = {
	.name = "telegram",
	.of_assistant = true,
	.run = run_telegram,
};
