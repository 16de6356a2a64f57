#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "channels/linear/linear.h"
#include "time/timestamp.h"

static const char create_document[] =
	"mutation Comment($input: CommentCreateInput!) {"
	" commentCreate(input: $input) { success comment { id } } }";
static const char update_document[] =
	"mutation Edit($id: String!, $input: CommentUpdateInput!) {"
	" commentUpdate(id: $id, input: $input) { success } }";
static const char look_document[] = "query Look($id: String!) { comment(id: $id) { id } }";
static const char states_document[] = "query States($id: String!) { issue(id: $id) {"
				      " team { states(first: 100) { nodes { id name } } } } }";
static const char state_document[] = "mutation State($id: String!, $input: IssueUpdateInput!) {"
				     " issueUpdate(id: $id, input: $input) { success } }";

/* A row that has no receipt yet. */
struct linear_sending {
	struct linear *linear;
	struct linear_call *call;
	enum outbox_action action;
	char *key;
	char *id;     /* of the comment: made from the key, so that none comes twice */
	char *issue;  /* "ENG-123" */
	char *parent; /* the comment that it replies to; or NULL */
	char *content;
	char *refusal; /* why Linear did not take it; or NULL */
	bool is_busy;  /* it may take it later */
};

static void sending_free(struct linear_sending *sending)
{
	if (sending->call)
		linear_call_cancel(sending->call);
	free(sending->key);
	free(sending->id);
	free(sending->issue);
	free(sending->parent);
	free(sending->content);
	free(sending->refusal);
	free(sending);
}

static void sending_done(struct linear_sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct linear *linear = sending->linear;
	const struct channel_events *events = linear->channel.events;

	linear->sending = NULL;
	events->receipt(&linear->channel, sending->key, receipt, detail, later);
	sending_free(sending);
	if (linear->closing && !linear->sending) {
		uv_timer_stop(&linear->timer);
		linear_finish(linear);
	}
}

/* Nothing can be told from this reply but that it has to be tried again. */
static void sending_put_off(struct linear_sending *sending, const struct linear_reply *reply)
{
	struct linear *linear = sending->linear;

	switch (reply->outcome) {
	case LINEAR_UNANSWERED:
		linear_poll_check(linear, reply->error);
		sending_done(sending, RECEIPT_LOST, reply->error, 0);
		break;
	case LINEAR_NO_KEY:
		linear_poll_refused(linear, reply->error);
		sending_done(sending, RECEIPT_LOST, reply->error, 0);
		break;
	case LINEAR_LATER:
		sending_done(sending, RECEIPT_LATER, reply->error,
			timestamp_clock() + reply->wait_ms);
		break;
	case LINEAR_DONE:
	case LINEAR_BUSY:
	case LINEAR_REFUSED:
		sending_done(sending, RECEIPT_FAILED,
			reply->error ? reply->error : "the answer makes no sense", 0);
		break;
	}
}

static void sending_call(struct linear_sending *sending, const char *document,
	json_t *variables, linear_call_function function)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (linear_call(&sending->linear->api, document, variables, function, sending,
		    &sending->call, &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
}

/* --- comments ---------------------------------------------------------------- */

static void take_created(void *data, const struct linear_reply *reply);

static void sending_create(struct linear_sending *sending)
{
	json_t *input = json_pack("{s:s, s:s, s:s}", "id", sending->id, "issueId",
		sending->issue, "body", sending->content);

	if (sending->parent)
		json_object_set_new(input, "parentId", json_string(sending->parent));
	sending_call(
		sending, create_document, json_pack("{s:o}", "input", input), take_created);
}

/* Linear refused a comment. Is it there already? Or is the comment gone that it replies to? */
static void take_look(void *data, const struct linear_reply *reply)
{
	struct linear_sending *sending = data;
	const json_t *comment = json_object_get(reply->data, "comment");

	sending->call = NULL;
	if (reply->outcome != LINEAR_DONE && reply->outcome != LINEAR_REFUSED) {
		sending_put_off(sending, reply);
	} else if (linear_text(comment, "id")) {
		sending_done(sending, RECEIPT_SENT, sending->id, 0);
	} else if (sending->is_busy) {
		sending_done(sending, RECEIPT_FAILED, sending->refusal, 0);
	} else if (sending->parent) {
		free(sending->parent);
		sending->parent = NULL;
		sending_create(sending);
	} else {
		sending_done(sending, RECEIPT_REFUSED, sending->refusal, 0);
	}
}

static void take_created(void *data, const struct linear_reply *reply)
{
	struct linear_sending *sending = data;
	const char *id = linear_text(
		json_object_get(json_object_get(reply->data, "commentCreate"), "comment"),
		"id");

	sending->call = NULL;
	if (id) {
		sending_done(sending, RECEIPT_SENT, id, 0);
	} else if (reply->outcome == LINEAR_REFUSED || reply->outcome == LINEAR_BUSY) {
		free(sending->refusal);
		sending->refusal =
			xasprintf("Linear does not take the comment: %s", reply->error);
		sending->is_busy = reply->outcome == LINEAR_BUSY;
		sending_call(sending, look_document, json_pack("{s:s}", "id", sending->id),
			take_look);
	} else {
		sending_put_off(sending, reply);
	}
}

/* --- changes, which may be made twice ---------------------------------------- */

static void take_changed(void *data, const struct linear_reply *reply)
{
	struct linear_sending *sending = data;

	sending->call = NULL;
	if (reply->outcome == LINEAR_DONE)
		sending_done(sending, RECEIPT_SENT, NULL, 0);
	else if (reply->outcome == LINEAR_REFUSED)
		sending_done(sending, RECEIPT_REFUSED, reply->error, 0);
	else
		sending_put_off(sending, reply);
}

static void append_name(struct buf *out, const char *name)
{
	buf_appendf(out, "%s'%s'", out->len ? ", " : "", name ? name : "");
}

static void take_states(void *data, const struct linear_reply *reply)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	CLEANUP(freep) char *refusal = NULL;
	struct linear_sending *sending = data;
	const json_t *team = json_object_get(json_object_get(reply->data, "issue"), "team");
	const json_t *nodes = json_object_get(json_object_get(team, "states"), "nodes");
	const char *id = NULL;
	json_t *state;
	size_t i;

	sending->call = NULL;
	if (reply->outcome != LINEAR_DONE && reply->outcome != LINEAR_REFUSED) {
		sending_put_off(sending, reply);
		return;
	}
	json_array_foreach(nodes, i, state) {
		const char *name = linear_text(state, "name");

		append_name(&names, name);
		if (name && !strcasecmp(name, sending->content))
			id = linear_text(state, "id");
	}
	if (id) {
		sending_call(sending, state_document,
			json_pack(
				"{s:s, s:{s:s}}", "id", sending->issue, "input", "stateId", id),
			take_changed);
		return;
	}
	refusal = names.len ? xasprintf("%s has no state '%s', only %s", sending->issue,
				      sending->content, names.data)
			    : xasprintf("the states of %s cannot be read: %s", sending->issue,
				      reply->error ? reply->error : "it is gone");
	sending_done(sending, RECEIPT_REFUSED, refusal, 0);
}

int linear_check_state(
	const struct channel *channel, const char *thread, const char *state, struct error *err)
{
	const struct linear *linear = (const struct linear *)channel;
	CLEANUP(freep) char *team = xmemdupz(thread, strcspn(thread, "-"));
	const json_t *known = json_object_get(linear->states, team);
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	json_t *name;
	size_t i;

	json_array_foreach(known, i, name) {
		append_name(&names, json_string_value(name));
		if (!strcasecmp(json_string_value(name) ? json_string_value(name) : "", state))
			return 0;
	}
	return known ? error_set(err, ERROR_INVALID,
			       "there is no state '%s'; the states are %s", state, names.data)
		     : 0;
}

/* --- rows -------------------------------------------------------------------- */

/* A random UUID in form, but the same for the same key. */
static char *uuid_of(const char *key)
{
	struct hash hash = hash_of(view_of(key));
	char hex[HASH_HEX_SIZE];

	hash.bytes[6] = (hash.bytes[6] & 0x0f) | 0x40;
	hash.bytes[8] = (hash.bytes[8] & 0x3f) | 0x80;
	hash_to_hex(&hash, hex);
	return xasprintf(
		"%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

enum channel_sent linear_send(struct channel *channel, const struct outbox_row *row)
{
	struct linear *linear = (struct linear *)channel;
	struct linear_sending *sending;
	const char *slash;

	if (channel->state != CHANNEL_CONNECTED || linear->closing || linear->sending)
		return CHANNEL_NOT_NOW;
	if (!row->thread && row->action != OUTBOX_EDIT) {
		channel->events->receipt(channel, row->key, RECEIPT_REFUSED,
			"in Linear, a text has to be about an issue", 0);
		return CHANNEL_TAKEN;
	}
	sending = linear->sending = xcalloc(1, sizeof(*sending));
	slash = row->thread ? strchr(row->thread, '/') : NULL;
	*sending = (struct linear_sending){
		.linear = linear,
		.action = row->action,
		.key = xstrdup(row->key),
		.id = uuid_of(row->key),
		.issue = row->thread ? xmemdupz(row->thread, strcspn(row->thread, "/")) : NULL,
		.parent = slash ? xstrdup(slash + 1) : NULL,
		.content = xstrdup(row->content),
	};
	switch (row->action) {
	case OUTBOX_EDIT:
		sending_call(sending, update_document,
			json_pack("{s:s, s:{s:s}}", "id", row->target, "input", "body",
				row->content),
			take_changed);
		break;
	case OUTBOX_STATE:
		sending_call(sending, states_document, json_pack("{s:s}", "id", sending->issue),
			take_states);
		break;
	case OUTBOX_TEXT:
	case OUTBOX_REACT:
		sending_create(sending);
		break;
	}
	return CHANNEL_TAKEN;
}

void linear_send_end(struct linear *linear)
{
	if (linear->sending)
		sending_free(linear->sending);
	linear->sending = NULL;
}
