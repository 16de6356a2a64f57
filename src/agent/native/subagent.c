/*
 * An agent that works for another one, in the same process and with the same model and tools.
 * It has its own conversation and log, and cannot start further agents. Its log is in a folder
 * beside its parent's and is named after the call, so that an interrupted call resumes where it
 * was.
 */

#include "agent/native/native.h"
#include "agent/native/offer.h"
#include "format/json.h"

static int subagent_work(
	struct native *parent, struct native *child, const json_t *input, char **ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	enum native_outcome outcome;
	const char *id = "call";
	const json_t *call;
	size_t i;

	json_array_foreach(parent->running, i, call)
		if (offer_resolve(call).input == input) {
			id = json_member(call, "id");
			break;
		}
	if (native_open_named(child, id, &err) < 0) {
		*ret_text = xstrdup(err.message);
		return -1;
	}
	if (child->history.answer) {
		*ret_text = xstrdup(child->history.answer);
		return 0;
	}
	outcome = native_turn(child, json_member(input, "prompt"), ret_text);
	parent->requests += child->requests;
	reply_usage_add(&parent->spent, &child->spent);
	return outcome == NATIVE_ANSWERED ? 0 : -1;
}

int native_subagent(void *data, const json_t *input, struct tool_result *result)
{
	struct native *parent = data;
	struct setup setup = *parent->setup;
	CLEANUP(freep) char *sessions = xasprintf("%s/%s", setup.sessions, parent->session);
	CLEANUP(freep) char *text = NULL;
	struct native child = {
		.setup = &setup,
		.stop = parent->stop,
		.folder = parent->folder,
	};
	int done;

	if (!view_trim(view_of(json_member(input, "prompt"))).len) {
		buf_append_str(&result->text, "'prompt' must say what to do");
		return -1;
	}
	setup.sessions = sessions;
	native_prepare_child(&child, parent);
	done = subagent_work(parent, &child, input, &text);
	native_release(&child);
	buf_append_str(&result->text, text);
	return done;
}
