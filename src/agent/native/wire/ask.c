#include "agent/native/wire/ask.h"

#include <string.h>
#include <time.h>

#include "agent/native/wire/post.h"
#include "format/json.h"
#include "time/backoff.h"

#define MAX_BROKEN      6
#define MAX_BUSY        10
#define MAX_EMPTY       2
#define MAX_OPTIONS     3
#define LONGEST_WAIT    16  /* times the first … */
#define LONGEST_BUSY    120 /* … for a server that is overloaded */
#define MAX_RETRY_AFTER INT64_C(60000)

static void ask_take(struct view bytes, bool is_stream, void *data)
{
	reply_feed(data, bytes, is_stream);
}

/* --- one attempt ------------------------------------------------------------- */

static enum failure_kind ask_judge(
	struct reply *reply, const struct post_answer *answer, char **ret_detail)
{
	switch (reply_end(reply, answer->whole)) {
	case REPLY_DONE:
		return FAILURE_NONE;
	case REPLY_ERROR:
		return failure_of(0, view_of(reply->error), ret_detail);
	case REPLY_EMPTY:
		*ret_detail = xstrdup("the answer was empty");
		return FAILURE_BROKEN;
	case REPLY_CUT:
		break;
	}
	*ret_detail = xstrdup("the answer broke off");
	return FAILURE_BROKEN;
}

static enum failure_kind ask_once(struct ask *ask, const struct wire_request *request,
	struct reply *reply, char **ret_detail)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	CLEANUP(post_answer_release) struct post_answer answer = POST_ANSWER_INIT;
	CLEANUP(freep) char *path = xasprintf("%s%s", ask->prefix, ask->wire->path);
	struct wire_request now = *request;
	json_t *json;
	struct post post = {
		.address = ask->address,
		.path = path,
		.header = ask->wire->header,
		.first_ms = ask->stall_ms * ASK_FIRST_BYTE,
		.stall_ms = ask->stall_ms,
		.alive = ask->alive,
		.data = ask->data,
		.stop = ask->stop,
	};
	int sent;

	now.quirks = ask->quirks;
	now.quirks.no_reasoning |= request->quirks.no_reasoning;
	json = ask->wire->request(&now);
	json_write_npm(json, &(struct json_style){{"", 0}, {"", 0}}, &body);
	json_decref(json);
	post.body = view_of_buf(&body);
	reply_init(reply, ask->wire, request->tools);
	reply->text = ask->text;
	reply->data = ask->data;
	sent = post_send(&post, ask_take, reply, &answer, &err);
	ask->retry_after = answer.retry_after_ms;
	if (ask->stop && *ask->stop)
		return FAILURE_STOPPED;
	if (sent < 0) {
		*ret_detail = xstrdup(err.message);
		return err.kind == ERROR_INVALID ? FAILURE_AWAY : FAILURE_BROKEN;
	}
	if (answer.status == 200)
		return ask_judge(reply, &answer, ret_detail);
	return failure_of(answer.status, view_of_buf(&answer.body), ret_detail);
}

/* --- attempts ---------------------------------------------------------------- */

/* Leave out the option that the server named; false: it was left out already. */
static bool ask_learn(struct ask *ask, const char *detail)
{
	struct wire_quirks *quirks = &ask->quirks;

	if (strcasestr(detail, "stream_options") && !quirks->no_stream_options)
		quirks->no_stream_options = true;
	else if (strcasestr(detail, "max_completion_tokens") &&
		 !quirks->max_completion_tokens && !quirks->no_limit)
		quirks->max_completion_tokens = true;
	else if (strcasestr(detail, "max_") && !quirks->no_limit)
		quirks->no_limit = true;
	else
		return false;
	return true;
}

static bool ask_is_worth(enum failure_kind kind, int attempt, int64_t retry_after, bool empty)
{
	switch (kind) {
	case FAILURE_BROKEN:
		return attempt <= (empty ? MAX_EMPTY : MAX_BROKEN);
	case FAILURE_AWAY:
		return attempt <= MAX_BROKEN;
	case FAILURE_BUSY:
		return attempt <= MAX_BUSY && retry_after <= MAX_RETRY_AFTER;
	default:
		return false;
	}
}

/* False: asked to stop. */
static bool ask_sleep(const struct ask *ask, int64_t ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	while (!(ask->stop && *ask->stop))
		if (nanosleep(&left, &left) == 0)
			return true;
	return false;
}

static int64_t ask_wait(const struct ask *ask, enum failure_kind kind, int attempt)
{
	int64_t longest = kind == FAILURE_BUSY ? LONGEST_BUSY : LONGEST_WAIT;
	int64_t asked = ask->retry_after;

	if (asked >= 0)
		return (asked < MAX_RETRY_AFTER ? asked : MAX_RETRY_AFTER) * ask->retry_ms /
		       ASK_USUAL_RETRY_MS;
	return backoff_ms(ask->retry_ms, 2, attempt - 1, ask->retry_ms * longest);
}

enum failure_kind ask_model(struct ask *ask, const struct wire_request *request,
	struct reply *ret_reply, char **ret_detail)
{
	CLEANUP(freep) char *detail = NULL;
	enum failure_kind kind;
	int attempt = 1;
	int options = 0;

	for (;;) {
		int64_t ms;

		free(detail);
		detail = NULL;
		kind = ask_once(ask, request, ret_reply, &detail);
		if (kind == FAILURE_OPTION) {
			if (options++ < MAX_OPTIONS && ask_learn(ask, detail)) {
				reply_release(ret_reply);
				continue;
			}
			kind = FAILURE_REFUSED;
		}
		if (!ask_is_worth(kind, attempt, ask->retry_after,
			    kind == FAILURE_BROKEN && ret_reply->content))
			break;
		reply_release(ret_reply);
		ms = ask_wait(ask, kind, attempt);
		if (ask->waits)
			ask->waits(ask->data, kind, attempt, ms);
		if (!ask_sleep(ask, ms)) {
			reply_init(ret_reply, ask->wire, request->tools);
			kind = FAILURE_STOPPED;
			break;
		}
		attempt++;
	}
	*ret_detail = TAKE(detail);
	if (!*ret_detail)
		*ret_detail = xstrdup("");
	return kind;
}
