#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/linear/linear.h"
#include "proc/log.h"

/* Bytes of what agents read about an issue; ATTACHMENT_MAX_TEXT has room for all of it. */
#define MAX_DESCRIPTION 8000
#define MAX_EARLIER     500
#define MOST_EARLIER    10

#define MAX_IDENTIFIER 40
#define MOST_TEAMS     500

const char linear_issue_document[] =
	"query Issue($id: String!) { issue(id: $id) {"
	" id identifier title description url createdAt dueDate"
	" state { name } team { key states(first: 100) { nodes { name } } }"
	" assignee { id displayName } delegate { id displayName }"
	" creator { id name displayName email app }"
	" labels(first: 20) { nodes { name } }"
	" comments(first: 20) { nodes { id body createdAt user { displayName } } }"
	" history(first: 50) {"
	"  nodes { id createdAt actor { id name displayName email app } toAssignee { id }"
	"   toDelegate { id } }"
	"  pageInfo { hasNextPage } } } }";

/* "ENG-123": it is the name of a file of notes, too. */
static const char *issue_identifier(const json_t *issue)
{
	const char *identifier = linear_text(issue, "identifier");
	size_t key = 0;
	size_t number;

	if (!identifier)
		return NULL;
	while (isalnum((unsigned char)identifier[key]) || identifier[key] == '_')
		key++;
	if (!key || identifier[key] != '-')
		return NULL;
	number = strspn(identifier + key + 1, "0123456789");
	return number && !identifier[key + 1 + number] && strlen(identifier) <= MAX_IDENTIFIER
		       ? identifier
		       : NULL;
}

static bool issue_is_with(const json_t *issue, const char *role, const char *user)
{
	const char *id = linear_text(json_object_get(issue, role), "id");

	return id && !strcmp(id, user);
}

static bool issue_is_ours(const struct linear *linear, const json_t *issue)
{
	return issue_is_with(issue, "assignee", linear->me) ||
	       issue_is_with(issue, "delegate", linear->me);
}

/* The length of our name at the beginning of a text; 0: another text. */
static size_t mention_at(const struct linear *linear, const char *text)
{
	size_t len = strlen(linear->mention);

	if (!strncasecmp(text, linear->mention, len) && !isalnum((unsigned char)text[len]) &&
		text[len] != '_' && text[len] != '-')
		return len;
	len = linear->profile ? strlen(linear->profile) : 0;
	return len && !strncmp(text, linear->profile, len) ? len : 0;
}

static bool is_mentioned(const struct linear *linear, const char *text)
{
	for (; text && *text; text++)
		if (mention_at(linear, text))
			return true;
	return false;
}

/* "@andy, /brief" is "/brief". */
static struct view without_mention(const struct linear *linear, const char *text)
{
	struct view words = view_trim(view_of(text));
	size_t len = words.len ? mention_at(linear, words.data) : 0;
	struct view rest;

	while (len && len < words.len && (words.data[len] == ',' || words.data[len] == ':'))
		len++;
	rest = view_trim(view_slice(words, len, words.len));
	return rest.len ? rest : words;
}

/* --- what agents read about an issue ----------------------------------------- */

static void append_cut(struct buf *out, const char *text, size_t max)
{
	size_t len = strlen(text);

	if (len > max)
		for (len = max; (text[len] & 0xc0) == 0x80;)
			len--;
	buf_append(out, text, len);
	if (text[len])
		buf_append_str(out, " […]");
}

static void append_line(struct buf *out, const char *name, const char *value)
{
	CLEANUP(freep) char *line = value ? utf8_excerpt(view_of(value)) : NULL;

	if (line && *line)
		buf_appendf(out, "%s: %s\n", name, line);
}

static void append_labels(struct buf *out, const json_t *issue)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	const json_t *nodes = json_object_get(json_object_get(issue, "labels"), "nodes");
	json_t *label;
	size_t i;

	json_array_foreach(nodes, i, label) {
		const char *name = linear_text(label, "name");

		buf_appendf(&names, "%s%s", i ? ", " : "", name ? name : "");
	}
	append_line(out, "Labels", names.data);
}

static int compare_comments(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;
	int64_t difference = linear_time(*x, "createdAt") - linear_time(*y, "createdAt");

	return difference < 0 ? -1 : difference > 0;
}

/* The newest comments before this one. */
static void append_earlier(struct buf *out, const json_t *issue, const json_t *comment)
{
	const json_t *nodes = json_object_get(json_object_get(issue, "comments"), "nodes");
	CLEANUP(freep)
	const json_t **earlier = xcalloc(json_array_size(nodes) + 1, sizeof(const json_t *));
	size_t count = 0;
	json_t *node;
	size_t i;

	json_array_foreach(nodes, i, node)
		if (!comment ||
			linear_time(node, "createdAt") < linear_time(comment, "createdAt"))
			earlier[count++] = node;
	qsort(earlier, count, sizeof(*earlier), compare_comments);
	if (count)
		buf_append_str(out, "\nEarlier comments:\n");
	for (i = count > MOST_EARLIER ? count - MOST_EARLIER : 0; i < count; i++) {
		const char *name =
			linear_text(json_object_get(earlier[i], "user"), "displayName");
		const char *body = linear_text(earlier[i], "body");

		buf_appendf(out, "\n%s: ", name ? name : "(an integration)");
		append_cut(out, body ? body : "", MAX_EARLIER);
		buf_append_char(out, '\n');
	}
}

/* Were these details part of an earlier message? They are from now on. */
static bool issue_was_shown(struct linear *linear, const json_t *issue, struct view details)
{
	const char *id = linear_text(issue, "id");
	struct linear_shown now = {hash_of(view_of(id)), hash_of(details)};

	for (size_t i = 0; i < LINEAR_SHOWN; i++)
		if (hash_equal(&linear->shown[i].issue, &now.issue)) {
			bool same = hash_equal(&linear->shown[i].details, &now.details);

			linear->shown[i] = now;
			return same;
		}
	linear->shown[linear->shown_next++ % LINEAR_SHOWN] = now;
	return false;
}

static void append_details(
	struct linear *linear, const json_t *issue, const json_t *comment, struct buf *out)
{
	CLEANUP(buf_release) struct buf whole = BUF_INIT;
	const char *description = linear_text(issue, "description");
	const json_t *delegate = json_object_get(issue, "delegate");
	CLEANUP(freep) char *notes = xasprintf("issues/%s.md", issue_identifier(issue));

	append_line(out, issue_identifier(issue), linear_text(issue, "title"));
	append_line(out, "State", linear_text(json_object_get(issue, "state"), "name"));
	append_line(out, "Assignee",
		linear_text(json_object_get(issue, "assignee"), "displayName"));
	append_line(out, "Delegate", linear_text(delegate, "displayName"));
	append_line(out, "Due", linear_text(issue, "dueDate"));
	append_labels(out, issue);
	append_line(out, "Address", linear_text(issue, "url"));
	append_line(out, "Your notes", notes);
	buf_append_char(&whole, '\n');
	append_cut(&whole, description ? description : "", MAX_DESCRIPTION);
	if (issue_was_shown(linear, issue, view_of_buf(&whole)))
		return;
	if (description && *description)
		buf_appendf(out, "%s\n", whole.data);
	append_earlier(out, issue, comment);
}

/* --- messages ---------------------------------------------------------------- */

struct issue_message {
	const char *id;
	const json_t *sender; /* a user */
	struct view text;
	int64_t time;
	const char *thread;
	const char *edit_of; /* the id of the message that it changes; or NULL */
};

static void issue_say(struct linear *linear, const json_t *issue, const json_t *comment,
	const struct issue_message *message)
{
	CLEANUP(buf_release) struct buf details = BUF_INIT;
	const char *name = linear_text(message->sender, "displayName");
	const char *full = linear_text(message->sender, "name");
	const char *address = linear_text(message->sender, "email");
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(full ? full : name ? name : "?"));
	enum channel_arrival arrival;
	int64_t seq;

	append_details(linear, issue, comment, &details);
	arrival = linear->channel.events->message(&linear->channel,
		&(struct channel_message){
			.chat_jid = LINEAR_CHAT,
			.id = message->id,
			.sender = address && *address ? address
						      : linear_text(message->sender, "id"),
			.sender_name = shown,
			.text = message->text,
			.time = message->time,
			.chat_name = "Linear",
			.chat_kind = CHAT_GROUP,
			.mentions_me = true,
			.thread = message->thread,
			.reference = message->edit_of ? REFERENCE_EDIT : REFERENCE_NONE,
			.refers_to = message->edit_of,
			.attachments =
				&(struct attachment_arrival){
					.kind = "issue",
					.name = issue_identifier(issue),
					.text = details.data,
				},
			.attachment_count = 1,
		},
		&seq);
	if (arrival == ARRIVAL_REFUSED)
		log_warning("channel 'linear': a comment in %s is not taken: it is too long",
			issue_identifier(issue));
}

/* Two assistants that answer each other would never end. */
static bool is_person(const struct linear *linear, const json_t *user)
{
	const char *id = linear_text(user, "id");

	return id && strcmp(id, linear->me) != 0 && !json_is_true(json_object_get(user, "app"));
}

static void take_comment(struct linear *linear, const json_t *issue, const json_t *comment)
{
	const char *id = linear_text(comment, "id");
	const char *body = linear_text(comment, "body");
	const char *parent = linear_text(json_object_get(comment, "parent"), "id");
	CLEANUP(freep)
	char *thread = xasprintf(
		"%s%s%s", issue_identifier(issue), parent ? "/" : "", parent ? parent : "");
	int64_t edited = linear_time(comment, "editedAt");
	CLEANUP(freep) char *edit_id = xasprintf("%s.%" PRId64, id, edited);
	struct issue_message message = {
		.id = id,
		.sender = json_object_get(comment, "user"),
		.time = linear_time(comment, "createdAt"),
		.thread = thread,
	};

	if (!body || !is_person(linear, message.sender) ||
		(message.time < linear->begin && edited < linear->begin) ||
		(!issue_is_ours(linear, issue) && !is_mentioned(linear, body)))
		return;
	message.text = without_mention(linear, body);
	issue_say(linear, issue, comment, &message);
	if (!edited)
		return;
	/* One that was changed before it came first is that message, and this changes nothing. */
	message.edit_of = id;
	message.id = edit_id;
	message.time = edited;
	issue_say(linear, issue, comment, &message);
}

/* The entry of the history by which it became ours; NULL: it was made so. */
static const json_t *issue_handed_over(const struct linear *linear, const json_t *issue)
{
	const json_t *nodes = json_object_get(json_object_get(issue, "history"), "nodes");
	const json_t *newest = NULL;
	json_t *entry;
	size_t i;

	json_array_foreach(nodes, i, entry)
		if ((issue_is_with(entry, "toAssignee", linear->me) ||
			    issue_is_with(entry, "toDelegate", linear->me)) &&
			linear_time(entry, "createdAt") >= linear_time(newest, "createdAt"))
			newest = entry;
	return newest;
}

/* It was handed over to us, or a new one mentions us. */
static void take_issue_itself(struct linear *linear, const json_t *issue)
{
	bool is_ours = issue_is_ours(linear, issue);
	const json_t *history = json_object_get(issue, "history");
	const json_t *entry = is_ours ? issue_handed_over(linear, issue) : NULL;
	const json_t *event = entry ? entry : issue;
	const json_t *sender = json_object_get(event, entry ? "actor" : "creator");
	const char *title = linear_text(issue, "title");
	CLEANUP(freep) char *name = utf8_excerpt(view_of(title ? title : ""));
	CLEANUP(freep)
	char *id =
		xasprintf("%s/%s", is_ours ? "assigned" : "mention", linear_text(event, "id"));
	CLEANUP(freep)
	char *text = xasprintf(is_ours ? "%s was assigned to you: %s"
				       : "%s mentions you in its description: %s",
		issue_identifier(issue), name);
	bool is_older = json_is_true(
		json_object_get(json_object_get(history, "pageInfo"), "hasNextPage"));

	/* Without an entry it was made for us, or handed over before what the history shows. */
	if (is_ours ? !entry && is_older
		    : !is_mentioned(linear, linear_text(issue, "description")))
		return;
	if (!is_person(linear, sender) || linear_time(event, "createdAt") < linear->begin)
		return;
	issue_say(linear, issue, NULL,
		&(struct issue_message){
			.id = id,
			.sender = sender,
			.text = view_of(text),
			.time = linear_time(event, "createdAt"),
			.thread = issue_identifier(issue),
		});
}

int64_t linear_issue_when(const json_t *issue, const json_t *comment)
{
	return comment ? linear_time(comment, "createdAt") : linear_time(issue, "createdAt");
}

static void note_states(struct linear *linear, const json_t *issue)
{
	const json_t *team = json_object_get(issue, "team");
	const json_t *nodes = json_object_get(json_object_get(team, "states"), "nodes");
	const char *key = linear_text(team, "key");
	json_t *names = json_array();
	json_t *state;
	size_t i;

	json_array_foreach(nodes, i, state)
		json_array_append(names, json_object_get(state, "name"));
	if (key && json_array_size(names) && json_object_size(linear->states) < MOST_TEAMS)
		json_object_set(linear->states, key, names);
	json_decref(names);
}

void linear_issue_take(struct linear *linear, const json_t *issue, const json_t *comment)
{
	if (!issue_identifier(issue) || !linear_text(issue, "id"))
		return;
	note_states(linear, issue);
	if (comment)
		take_comment(linear, issue, comment);
	else
		take_issue_itself(linear, issue);
}
