#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/linear/linear.h"
#include "format/json.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define OVERLAP_MS ((int64_t)2 * 60 * 1000)
#define REFUSED_MS ((int64_t)60 * 60 * 1000)
#define PAGE       25

/* After a webhook: several come together. */
#define SOON_MS 1000

/* The newest comes first, so the last ones are the oldest: pages go on towards the present. */
static const char news_document[] =
	"query News($comments: CommentFilter!, $issues: IssueFilter!, $last: Int!,"
	" $commentsBefore: String, $issuesBefore: String) {"
	" comments(last: $last, before: $commentsBefore, filter: $comments, orderBy: updatedAt) {"
	"  nodes { id body createdAt updatedAt editedAt user { id name displayName email app }"
	"   parent { id } issue { id } }"
	"  pageInfo { hasPreviousPage startCursor } }"
	" issues(last: $last, before: $issuesBefore, filter: $issues, orderBy: updatedAt) {"
	"  nodes { id updatedAt }"
	"  pageInfo { hasPreviousPage startCursor } } }";

static void poll_now(uv_timer_t *timer);
static void poll_page(struct linear *linear);
static void poll_issue(struct linear *linear);

static void poll_later(struct linear *linear, int64_t wait)
{
	uv_timer_start(&linear->timer, poll_now, (uint64_t)wait, 0);
}

/* --- trouble ----------------------------------------------------------------- */

/* The log has a line for each change, not for each attempt. */
static void poll_trouble(
	struct linear *linear, enum channel_state state, int trouble, const char *detail)
{
	struct channel *channel = &linear->channel;

	if (channel->state == state && linear->trouble == trouble) {
		free(channel->detail);
		channel->detail = xstrdup(detail);
		return;
	}
	linear->trouble = trouble;
	channel_set_state(channel, state, detail);
}

void linear_poll_refused(struct linear *linear, const char *why)
{
	CLEANUP(freep)
	char *detail = xasprintf(
		"Linear refuses the key (%s): make a new one in Linear under 'Settings', "
		"'Security & access', put it into '.env' as LINEAR_API_KEY, then restart",
		why);

	if (linear->closing)
		return;
	linear_poll_end(linear);
	linear->channel.retry_at = timestamp_clock() + REFUSED_MS;
	poll_trouble(linear, CHANNEL_DOWN, LINEAR_NO_KEY, detail);
	poll_later(linear, REFUSED_MS);
}

static void poll_failed(struct linear *linear, const struct linear_reply *reply)
{
	CLEANUP(freep) char *detail = NULL;
	int64_t wait = reply->outcome == LINEAR_UNANSWERED ? backoff_away(&linear->backoff)
							   : backoff_next(&linear->backoff);

	if (reply->outcome == LINEAR_NO_KEY) {
		linear_poll_refused(linear, reply->error);
		return;
	}
	if (reply->outcome == LINEAR_LATER) {
		/* Texts wait by themselves, if they have to. */
		log_note("channel 'linear': Linear allows no more calls for now (%s)",
			reply->error);
		poll_later(linear, reply->wait_ms > wait ? reply->wait_ms : wait);
		return;
	}
	detail = xasprintf(reply->outcome == LINEAR_UNANSWERED
				   ? "Linear cannot be reached: %s"
				   : "Linear does not say what is new: %s",
		reply->error);
	poll_trouble(linear, CHANNEL_DISCONNECTED, (int)reply->outcome, detail);
	poll_later(linear, wait);
}

void linear_poll_check(struct linear *linear, const char *why)
{
	if (linear->closing || linear->channel.state != CHANNEL_CONNECTED)
		return;
	linear_poll_end(linear);
	poll_failed(linear, &(struct linear_reply){.outcome = LINEAR_UNANSWERED, .error = why});
}

static void poll_call(struct linear *linear, const char *document, json_t *variables,
	linear_call_function function)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (linear_call(&linear->api, document, variables, function, linear, &linear->call,
		    &err) < 0)
		poll_failed(linear, &(struct linear_reply){.outcome = LINEAR_UNANSWERED,
					    .error = err.message});
}

/* --- a page of news ---------------------------------------------------------- */

/* Messages in the order of their times; the mark goes on when all pages are stored. */
struct poll_item {
	int64_t time;
	const json_t *issue;
	const json_t *comment;
};

static int poll_compare(const void *a, const void *b)
{
	const struct poll_item *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static char *poll_note(const struct linear *linear, int64_t mark)
{
	char begin_text[TIMESTAMP_SIZE];
	char mark_text[TIMESTAMP_SIZE];

	timestamp_format(linear->begin, begin_text);
	timestamp_format(mark, mark_text);
	return xasprintf("{\"begin\":\"%s\",\"mark\":\"%s\"}", begin_text, mark_text);
}

static int poll_store(struct linear *linear)
{
	const struct channel_events *events = linear->channel.events;
	size_t count = json_array_size(linear->news);
	CLEANUP(freep) struct poll_item *items = xcalloc(count + 1, sizeof(*items));
	CLEANUP(freep) char *note = poll_note(linear, linear->newest);
	json_t *item;
	size_t i;

	json_array_foreach(linear->news, i, item) {
		const json_t *issue =
			json_object_get(linear->issues, linear_text(item, "issue"));
		const json_t *comment = json_object_get(item, "comment");

		items[i] =
			(struct poll_item){linear_issue_when(issue, comment), issue, comment};
	}
	qsort(items, count, sizeof(*items), poll_compare);
	events->begin(linear->channel.host);
	for (i = 0; i < count; i++)
		linear_issue_take(linear, items[i].issue, items[i].comment);
	if (linear->is_last && (linear->newest > linear->mark || linear->is_new))
		events->remember(&linear->channel, note);
	if (events->commit(linear->channel.host) < 0)
		return -1;
	json_array_foreach(linear->news, i, item)
		json_object_set(linear->seen, linear_text(item, "change"),
			json_object_get(item, "time"));
	return 0;
}

/* Changes that the next poll will not have again. */
static void poll_forget(struct linear *linear)
{
	const char *change;
	json_t *time;
	void *next;

	json_object_foreach_safe(linear->seen, next, change, time)
	{
		if (json_integer_value(time) < linear->mark - 2 * OVERLAP_MS)
			json_object_del(linear->seen, change);
	}
}

static void poll_stored(struct linear *linear)
{
	int64_t wait = linear->interval;

	if (!linear->is_last) {
		poll_page(linear);
		return;
	}
	linear->mark = linear->newest;
	linear->is_new = false;
	linear->trouble = 0;
	poll_forget(linear);
	backoff_reset(&linear->backoff);
	linear->channel.last_event = timestamp_clock();
	if (linear->channel.state != CHANNEL_CONNECTED) {
		channel_set_state(&linear->channel, CHANNEL_CONNECTED, NULL);
		linear->channel.events->ready(&linear->channel, NULL);
	}
	if (linear->wait > linear->interval) {
		log_note(
			"channel 'linear': Linear has few calls left for us, and is asked again in "
			"%lld minutes",
			(long long)(linear->wait / 60000 + 1));
		wait = linear->wait;
	} else if (linear->again && wait > SOON_MS) {
		wait = SOON_MS;
	}
	poll_later(linear, wait);
	linear->again = false;
}

/* When all issues of the page are there, its messages are stored. */
static void poll_go_on(struct linear *linear)
{
	if (json_array_size(linear->wanted)) {
		poll_issue(linear);
	} else if (poll_store(linear) < 0) {
		poll_trouble(linear, CHANNEL_DISCONNECTED, -1,
			"its messages could not be stored, and are fetched again");
		poll_later(linear, backoff_next(&linear->backoff));
	} else {
		poll_stored(linear);
	}
}

static void take_issue(void *data, const struct linear_reply *reply)
{
	struct linear *linear = data;
	const json_t *issue = json_object_get(reply->data, "issue");
	const char *id = json_string_value(json_array_get(linear->wanted, 0));

	linear->call = NULL;
	if (reply->outcome != LINEAR_DONE && reply->outcome != LINEAR_REFUSED) {
		poll_failed(linear, reply);
		return;
	}
	if (json_is_object(issue))
		json_object_set(linear->issues, id, (json_t *)(uintptr_t)issue);
	else
		log_note("channel 'linear': an issue with news cannot be read, and is passed "
			 "over: %s",
			reply->error ? reply->error : "it is gone");
	json_array_remove(linear->wanted, 0);
	poll_go_on(linear);
}

static void poll_issue(struct linear *linear)
{
	poll_call(linear, linear_issue_document,
		json_pack("{s:O}", "id", json_array_get(linear->wanted, 0)), take_issue);
}

static void poll_note_change(struct linear *linear, json_t *node, bool is_comment)
{
	const char *id = linear_text(node, "id");
	const char *updated = linear_text(node, "updatedAt");
	const char *issue = is_comment ? linear_text(json_object_get(node, "issue"), "id") : id;
	int64_t time = linear_time(node, "updatedAt");
	CLEANUP(freep) char *change = xasprintf("%s %s", id ? id : "", updated ? updated : "");
	json_t *item;

	if (!id || !issue || !time)
		return;
	linear->newest = time > linear->newest ? time : linear->newest;
	if (json_object_get(linear->seen, change))
		return;
	item = json_pack(
		"{s:s, s:s, s:I}", "issue", issue, "change", change, "time", (json_int_t)time);
	if (is_comment)
		json_object_set(item, "comment", node);
	json_array_append_new(linear->news, item);
	if (!json_object_get(linear->issues, issue)) {
		json_object_set_new(linear->issues, issue, json_null());
		json_array_append_new(linear->wanted, json_string(issue));
	}
}

/* Is there another page? `*before` is where it begins. */
static bool poll_turn_page(const json_t *connection, char **before)
{
	const json_t *info = json_object_get(connection, "pageInfo");
	const char *start = linear_text(info, "startCursor");
	bool more = json_is_true(json_object_get(info, "hasPreviousPage")) && start &&
		    (!*before || strcmp(*before, start) != 0);

	if (start) {
		free(*before);
		*before = xstrdup(start);
	}
	return more;
}

static void poll_clear_page(struct linear *linear)
{
	json_decref(linear->news);
	json_decref(linear->issues);
	json_decref(linear->wanted);
	linear->news = linear->issues = linear->wanted = NULL;
}

static void take_page(void *data, const struct linear_reply *reply)
{
	struct linear *linear = data;
	const json_t *comments = json_object_get(reply->data, "comments");
	const json_t *issues = json_object_get(reply->data, "issues");
	bool more;
	json_t *node;
	size_t i;

	linear->call = NULL;
	if (reply->outcome != LINEAR_DONE) {
		poll_failed(linear, reply);
		return;
	}
	linear->wait = reply->wait_ms;
	poll_clear_page(linear);
	linear->news = json_array();
	linear->issues = json_object();
	linear->wanted = json_array();
	json_array_foreach(json_object_get(comments, "nodes"), i, node)
		poll_note_change(linear, node, true);
	json_array_foreach(json_object_get(issues, "nodes"), i, node)
		poll_note_change(linear, node, false);
	more = poll_turn_page(comments, &linear->comments_before);
	more |= poll_turn_page(issues, &linear->issues_before);
	linear->is_last = !more;
	poll_go_on(linear);
}

/* --- what is asked ----------------------------------------------------------- */

/* What is to us: in issues that we work on, or by our name. */
static json_t *poll_filter(const struct linear *linear, bool of_comments)
{
	const char *where = of_comments ? "body" : "description";
	json_t *ours[] = {
		json_pack("{s:{s:{s:s}}}", "assignee", "id", "eq", linear->me),
		json_pack("{s:{s:{s:s}}}", "delegate", "id", "eq", linear->me),
	};
	json_t *ways = json_array();
	int64_t from = linear->mark - OVERLAP_MS;
	char since[TIMESTAMP_SIZE];
	json_t *filter;

	timestamp_format(from > 0 ? from : 0, since);
	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		json_array_append_new(
			ways, of_comments ? json_pack("{s:o}", "issue", ours[i]) : ours[i]);
	json_array_append_new(
		ways, json_pack("{s:{s:s}}", where, "containsIgnoreCase", linear->mention));
	if (linear->profile)
		json_array_append_new(
			ways, json_pack("{s:{s:s}}", where, "contains", linear->profile));
	filter = json_pack("{s:{s:s}, s:o}", "updatedAt", "gte", since, "or", ways);
	if (of_comments)
		json_object_set_new(
			filter, "user", json_pack("{s:{s:s}}", "id", "neq", linear->me));
	if (linear->team && of_comments)
		json_object_set_new(filter, "issue",
			json_pack("{s:{s:{s:s}}}", "team", "key", "eq", linear->team));
	else if (linear->team)
		json_object_set_new(
			filter, "team", json_pack("{s:{s:s}}", "key", "eq", linear->team));
	return filter;
}

static void poll_page(struct linear *linear)
{
	json_t *variables = json_pack("{s:o, s:o, s:i}", "comments", poll_filter(linear, true),
		"issues", poll_filter(linear, false), "last", PAGE);

	if (linear->comments_before)
		json_object_set_new(
			variables, "commentsBefore", json_string(linear->comments_before));
	if (linear->issues_before)
		json_object_set_new(
			variables, "issuesBefore", json_string(linear->issues_before));
	poll_call(linear, news_document, variables, take_page);
}

static void take_viewer(void *data, const struct linear_reply *reply)
{
	struct linear *linear = data;
	const json_t *viewer = json_object_get(reply->data, "viewer");
	const char *id = linear_text(viewer, "id");
	const char *name = linear_text(viewer, "displayName");
	const char *url = linear_text(viewer, "url");

	linear->call = NULL;
	if (!id || !name) {
		poll_failed(linear,
			reply->error ? reply
				     : &(struct linear_reply){.outcome = LINEAR_UNANSWERED,
					       .error = "it does not say whose key "
							"this is"});
		return;
	}
	linear->me = xstrdup(id);
	linear->mention = xasprintf("@%s", name);
	linear->profile = url && *url ? xstrdup(url) : NULL;
	if (!linear->mark) {
		linear->begin = linear->mark = reply->clock ? reply->clock : timestamp_clock();
		linear->is_new = true;
	}
	poll_later(linear, 0);
}

static void poll_now(uv_timer_t *timer)
{
	struct linear *linear = timer->data;

	if (!linear->me) {
		poll_call(linear, LINEAR_VIEWER, NULL, take_viewer);
		return;
	}
	freep(&linear->comments_before);
	freep(&linear->issues_before);
	linear->comments_before = linear->issues_before = NULL;
	linear->newest = linear->mark;
	poll_page(linear);
}

void linear_poll_begin(struct linear *linear)
{
	poll_later(linear, 0);
}

/* Not while Linear is away, or calls are scarce: then the next poll has its time. */
void linear_poll_soon(struct linear *linear)
{
	if (linear->call)
		linear->again = true;
	else if (linear->channel.state == CHANNEL_CONNECTED && !linear->wait &&
		 !linear->closing && uv_timer_get_due_in(&linear->timer) > SOON_MS)
		poll_later(linear, SOON_MS);
}

void linear_poll_end(struct linear *linear)
{
	uv_timer_stop(&linear->timer);
	if (linear->call)
		linear_call_cancel(linear->call);
	linear->call = NULL;
}

void linear_poll_release(struct linear *linear)
{
	poll_clear_page(linear);
	json_decref(linear->seen);
	free(linear->comments_before);
	free(linear->issues_before);
}
