/*
 * Supervises a bridge: a program in any language that serves a platform.
 *
 *	          start            hello                connected
 *	[down] ----------> [starting] ----> [disconnected] <----> [connected]
 *	   ^                   |                  |                    |
 *	   |                   v                  v                    v
 *	   +---- backoff ---- it ended, owes an answer for too long, or sends garbage
 *
 * A bridge is one child process with three pipes. Its output is read in pieces, so that a flood
 * does not starve the others, and not at all while more than PAUSE_ABOVE bytes wait for the
 * bridge. Texts that it has not read are bounded in number and in bytes.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "channels/bridge/config.h"
#include "channels/bridge/files.h"
#include "channels/bridge/protocol.h"
#include "channels/channel.h"
#include "channels/local/local.h"
#include "format/json.h"
#include "format/line_reader.h"
#include "loop/child.h"
#include "proc/child.h"
#include "proc/log.h"
#include "time/backoff.h"
#include "time/timestamp.h"

#define MAX_UNDER_WAY   256
#define MAX_QUEUE       ((size_t)8 * 1024 * 1024)
#define PAUSE_ABOVE     ((size_t)1024 * 1024)
#define ERROR_LINE_MAX  4096
#define MAX_FAULTS      20
#define FIRST_BACKOFF   200
#define LONGEST_BACKOFF 60000

/* A text that was sent and has no receipt yet. */
struct under_way {
	struct under_way *next;
	char *key;
	uint64_t since;
};

struct bridge {
	struct channel channel;
	struct bridge_config config;
	uv_loop_t *loop;
	int root;
	const char *root_path;
	char **env;                     /* as passed to the program */
	struct loop_child *program;     /* NULL: it does not run */
	struct line_reader lines;       /* from it */
	struct line_reader error_lines; /* likewise, for the log */
	char *last_words;               /* the last of them, or NULL */
	struct buf replies;             /* sent when the batch is stored */
	uv_timer_t timer;               /* restart; or, while it is closed, the last word */
	uv_timer_t beat;                /* are you still there? */
	unsigned open_handles;
	struct backoff backoff;
	unsigned faults;
	uint64_t owes_pong_since; /* 0: it does not */
	uint64_t started;
	uint64_t grace_ms;
	int64_t max_file;
	json_t *patterns;
	struct bridge_files *files;
	struct string_array unwanted_files; /* of messages in the batch that are not stored */
	struct under_way *under_way;
	unsigned under_way_count;
	int64_t newest_sent; /* of the rows that were handed to it */
	int64_t sent_before; /* the same, to its earlier lives */
	bool turned_away;    /* a send was refused because too much was under way */
	bool welcome;        /* it has said hello */
	bool closing;
};

static struct bridge *bridge_of(const struct channel *channel)
{
	return (struct bridge *)(uintptr_t)channel;
}

/* --- writing ----------------------------------------------------------------- */

static void append_line(struct buf *out, json_t *document)
{
	json_write_ours(document, false, out);
	json_decref(document);
	buf_append_char(out, '\n');
}

static void write_line(struct bridge *bridge, json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	append_line(&line, document);
	loop_child_write(bridge->program, &line);
}

/* --- the end of a life ------------------------------------------------------- */

static void forget_under_way(struct bridge *bridge)
{
	struct under_way *item;

	while ((item = bridge->under_way)) {
		bridge->under_way = item->next;
		if (!bridge->closing)
			bridge->channel.events->receipt(&bridge->channel, item->key,
				RECEIPT_LOST, "the bridge ended before it gave a receipt", 0);
		free(item->key);
		free(item);
	}
	bridge->under_way_count = 0;
}

static void restart_program(uv_timer_t *timer);

static int64_t try_again_later(struct bridge *bridge)
{
	int64_t wait = backoff_next(&bridge->backoff);

	uv_timer_start(&bridge->timer, restart_program, (uint64_t)wait, 0);
	bridge->channel.retry_at = timestamp_clock() + wait;
	return wait;
}

/* The program has ended or must end; restart it after a while. */
static void go_down(struct bridge *bridge, const char *why)
{
	CLEANUP(freep) char *reason = xstrdup(why);

	if (!bridge->program || bridge->closing)
		return;
	loop_child_abandon(bridge->program);
	bridge->program = NULL;
	uv_timer_stop(&bridge->beat);
	log_warning("bridge '%s': %s; it is started again in %lld ms", bridge->channel.name,
		reason, (long long)try_again_later(bridge));
	channel_set_state(&bridge->channel, CHANNEL_DOWN, reason);
	bridge->sent_before = bridge->newest_sent;
	forget_under_way(bridge);
}

/* --- lines from the bridge --------------------------------------------------- */

static void bridge_reply_error(struct bridge *bridge, const char *what)
{
	append_line(&bridge->replies, json_build("type:s error:s", "error", what));
}

static void apply_hello(struct bridge *bridge, const struct bridge_line *hello)
{
	json_decref(bridge->patterns);
	bridge->patterns = json_deep_copy(hello->patterns);
	bridge->channel.form = hello->form;
	bridge->channel.abilities = hello->abilities;
	bridge->channel.remembers_keys = hello->remembers_keys;
}

static void handle_hello(struct bridge *bridge, const struct bridge_line *line)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	apply_hello(bridge, line);
	/* The host needs its limits and JIDs before the bridge says hello again. */
	json_write_ours(line->document, false, &text);
	bridge->channel.events->remember(&bridge->channel, text.data);
	bridge->welcome = true;
	append_line(&bridge->replies,
		json_build("type:s protocol:i files:s max_file:I", "welcome", BRIDGE_PROTOCOL,
			bridge_files_path(bridge->files), bridge->max_file));
	if (bridge->channel.state == CHANNEL_STARTING)
		channel_set_state(&bridge->channel, CHANNEL_DISCONNECTED,
			"not connected to its platform yet");
}

static void handle_message(struct bridge *bridge, const struct bridge_line *line)
{
	enum channel_arrival arrival = ARRIVAL_IGNORED;
	int64_t seq;

	if (line->unwanted)
		bridge_reply_error(bridge, line->unwanted);
	else
		arrival = bridge->channel.events->message(&bridge->channel,
			&(struct channel_message){
				.chat_jid = line->chat,
				.id = line->id,
				.sender = line->sender,
				.sender_name = line->name ? line->name : line->sender,
				.text = view_of(line->text),
				.time = line->time,
				.chat_name = line->chat_name,
				.chat_kind = line->chat_kind,
				.from_me = line->from_me,
				.mentions_me = line->mentions_me,
				.thread = line->thread,
				.reference = line->reference,
				.refers_to = line->refers_to,
				.attachments = line->attachments,
				.attachment_count = line->attachment_count,
			},
			&seq);
	for (size_t i = 0; arrival != ARRIVAL_STORED && i < line->attachment_count; i++)
		if (line->attachments[i].source)
			string_array_add(&bridge->unwanted_files, line->attachments[i].source);
	if (arrival == ARRIVAL_REFUSED)
		bridge_reply_error(bridge, "a message for a JID that this bridge does not own");
	/* L1: these wait in `replies` until the batch is stored. */
	append_line(&bridge->replies, json_build("type:s chat:s id:s stored:b", "ack",
					      line->chat, line->id, arrival == ARRIVAL_STORED));
}

static void handle_receipt(struct bridge *bridge, const struct bridge_line *line)
{
	for (struct under_way **at = &bridge->under_way; *at; at = &(*at)->next) {
		struct under_way *item = *at;

		if (strcmp(item->key, line->key) != 0)
			continue;
		*at = item->next;
		bridge->under_way_count--;
		bridge->channel.events->receipt(&bridge->channel, item->key,
			line->ok      ? RECEIPT_SENT
			: line->later ? RECEIPT_LATER
			: line->retry ? RECEIPT_FAILED
				      : RECEIPT_REFUSED,
			line->ok ? line->id : line->reason, timestamp_clock() + line->later);
		free(item->key);
		free(item);
		break;
	}
	if (bridge->turned_away) {
		bridge->turned_away = false;
		bridge->channel.events->ready(&bridge->channel, NULL);
	}
}

static void handle_move(struct bridge *bridge, const struct bridge_line *line)
{
	bool moved = !line->unwanted &&
		     bridge->channel.events->moved(&bridge->channel, line->chat, line->to) == 0;

	if (!moved)
		bridge_reply_error(bridge,
			line->unwanted
				? line->unwanted
				: "'to' is the same, another group's or not a JID of this "
				  "bridge, or 'chat' is main's, which only a person moves");
	append_line(&bridge->replies, json_build("type:s chat:s to:s stored:b", "moved",
					      line->chat, line->to, moved));
}

static void handle_line(struct bridge *bridge, const struct bridge_line *line)
{
	/* While it closes, only receipts count: it sends other lines again. */
	if (bridge->closing && line->type != BRIDGE_RECEIPT)
		return;
	if (line->type != BRIDGE_HELLO && !bridge->welcome) {
		bridge->faults++;
		bridge_reply_error(bridge, "'hello' comes first");
		return;
	}
	bridge->faults = 0;
	switch (line->type) {
	case BRIDGE_HELLO:
		handle_hello(bridge, line);
		break;
	case BRIDGE_CONNECTED:
		channel_set_state(&bridge->channel, CHANNEL_CONNECTED, NULL);
		bridge->channel.events->ready(&bridge->channel, NULL);
		break;
	case BRIDGE_DISCONNECTED:
		channel_set_state(&bridge->channel, CHANNEL_DISCONNECTED,
			line->reason ? line->reason : "not connected to its platform");
		break;
	case BRIDGE_MESSAGE:
		handle_message(bridge, line);
		break;
	case BRIDGE_RECEIPT:
		handle_receipt(bridge, line);
		break;
	case BRIDGE_METADATA:
		if (line->unwanted)
			bridge_reply_error(bridge, line->unwanted);
		else
			bridge->channel.events->chat(
				&bridge->channel, line->chat, line->chat_name, line->chat_kind);
		break;
	case BRIDGE_MOVED:
		handle_move(bridge, line);
		break;
	case BRIDGE_PONG:
		break;
	}
	bridge->owes_pong_since = 0;
}

static bool read_line(struct view text, bool too_long, void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};
	struct bridge *bridge = data;

	if (!too_long && !view_trim(text).len)
		return true;
	if ((too_long ? bridge_read_cut(text, &line, &err) : bridge_read(text, &line, &err)) <
		0) {
		/* A person on the platform can write a text that is too long. */
		bridge->faults += !too_long;
		log_debug("bridge '%s': %s", bridge->channel.name, err.message);
		bridge_reply_error(bridge, err.message);
	} else {
		handle_line(bridge, &line);
	}
	return true;
}

/* All lines of a piece are stored together, and only then acknowledged (L1). */
static void read_piece(struct view bytes, void *data)
{
	struct bridge *bridge = data;
	const struct channel_events *events = bridge->channel.events;

	events->begin(bridge->channel.host);
	line_reader_feed(&bridge->lines, bytes.data, bytes.len, read_line, bridge);
	if (events->commit(bridge->channel.host) < 0) {
		string_array_release(&bridge->unwanted_files);
		bridge->unwanted_files = (struct string_array){0};
		buf_clear(&bridge->replies);
		go_down(bridge, "its messages could not be stored");
		return;
	}
	loop_child_write(bridge->program, &bridge->replies);
	bridge_files_remove(bridge->files, &bridge->unwanted_files);
	if (bridge->faults > MAX_FAULTS)
		go_down(bridge, "it sent too many invalid lines");
}

/* --- a life ------------------------------------------------------------------ */

static void bridge_handle_closed(uv_handle_t *handle)
{
	struct bridge *bridge = handle->data;

	if (--bridge->open_handles)
		return;
	bridge_config_release(&bridge->config);
	child_free_argv(&bridge->env);
	json_decref(bridge->patterns);
	string_array_release(&bridge->unwanted_files);
	line_reader_release(&bridge->lines);
	line_reader_release(&bridge->error_lines);
	free(bridge->last_words);
	buf_release(&bridge->replies);
	closep(&bridge->root);
	channel_release(&bridge->channel);
	free(bridge);
}

static void finish_closing(struct bridge *bridge)
{
	bridge_files_close(bridge->files);
	bridge->files = NULL;
	if (bridge->program)
		loop_child_abandon(bridge->program);
	bridge->program = NULL;
	forget_under_way(bridge);
	uv_close((uv_handle_t *)&bridge->timer, bridge_handle_closed);
	uv_close((uv_handle_t *)&bridge->beat, bridge_handle_closed);
}

static bool log_error_line(struct view line, bool too_long, void *data)
{
	struct bridge *bridge = data;
	CLEANUP(freep) char *shown = utf8_excerpt(line);

	(void)too_long;
	log_debug("bridge '%s' says: %s", bridge->channel.name, shown);
	if (view_trim(line).len) {
		free(bridge->last_words);
		bridge->last_words = TAKE(shown);
	}
	return true;
}

static void read_errors(struct view bytes, void *data)
{
	struct bridge *bridge = data;

	line_reader_feed(&bridge->error_lines, bytes.data, bytes.len, log_error_line, bridge);
}

static void program_ended(int exit_code, void *data)
{
	struct bridge *bridge = data;
	CLEANUP(freep)
	char *why = exit_code > 128 ? xasprintf("it was killed by signal %d", exit_code - 128)
				    : xasprintf("it ended with exit code %d", exit_code);
	CLEANUP(freep)
	char *reason = xasprintf("%s%s%s", why, bridge->last_words ? ": " : "",
		bridge->last_words ? bridge->last_words : "");

	if (bridge->closing)
		finish_closing(bridge);
	else
		go_down(bridge, reason);
}

static bool owes_too_long(const struct bridge *bridge)
{
	uint64_t oldest = bridge->welcome ? bridge->owes_pong_since : bridge->started;

	for (const struct under_way *item = bridge->under_way; item; item = item->next)
		if (!oldest || item->since < oldest)
			oldest = item->since;
	return oldest &&
	       uv_now(bridge->loop) - oldest > (uint64_t)bridge->config.hang_seconds * 1000;
}

static void beat_came(uv_timer_t *timer);

static void start_beating(struct bridge *bridge)
{
	uint64_t interval = (uint64_t)bridge->config.hang_seconds * 500;

	uv_timer_start(&bridge->beat, beat_came, interval, interval);
}

static void check_again(uv_timer_t *timer)
{
	struct bridge *bridge = timer->data;

	if (owes_too_long(bridge))
		go_down(bridge, "it hangs");
	else
		start_beating(bridge);
}

static void beat_came(uv_timer_t *timer)
{
	struct bridge *bridge = timer->data;
	uint64_t now = uv_now(bridge->loop);

	/* If the host itself was delayed, the reply may be in the pipe: read that first. */
	if (owes_too_long(bridge)) {
		uv_timer_start(timer, check_again, 1, 0);
		return;
	}
	if (bridge->welcome && !bridge->owes_pong_since) {
		bridge->owes_pong_since = now;
		write_line(bridge, json_build("type:s", "ping"));
	}
	/* Long enough without a fall: the next one is the first again. */
	if (now - bridge->started > LONGEST_BACKOFF)
		backoff_reset(&bridge->backoff);
}

static int start_program(struct bridge *bridge, struct error *err)
{
	struct child_request request = {
		.argv = (const char *const *)bridge->config.argv,
		.env = (const char *const *)bridge->env,
		.cwd = bridge->root,
	};
	struct loop_child_options options = {
		.loop = bridge->loop,
		.request = &request,
		.handlers = {read_piece, read_errors, program_ended},
		.data = bridge,
		.pause_above = PAUSE_ABOVE,
	};

	if (loop_child_start(&options, &bridge->program, err) < 0)
		return -1;
	line_reader_release(&bridge->lines);
	line_reader_release(&bridge->error_lines);
	line_reader_init(&bridge->lines, BRIDGE_MAX_LINE);
	line_reader_init(&bridge->error_lines, ERROR_LINE_MAX);
	free(TAKE(bridge->last_words));
	buf_clear(&bridge->replies);
	bridge->welcome = false;
	bridge->started = uv_now(bridge->loop);
	bridge->owes_pong_since = 0;
	channel_set_state(&bridge->channel, CHANNEL_STARTING, NULL);
	start_beating(bridge);
	return 0;
}

static void restart_program(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct bridge *bridge = timer->data;

	if (start_program(bridge, &err) < 0) {
		log_warning("bridge '%s': %s", bridge->channel.name, err.message);
		try_again_later(bridge);
		channel_set_state(&bridge->channel, CHANNEL_DOWN, err.message);
	}
}

/* --- the channel ------------------------------------------------------------- */

static bool bridge_owns_jid(const struct channel *channel, const char *jid)
{
	const struct bridge *bridge = bridge_of(channel);
	char *const *bound = bridge->config.jids;
	json_t *pattern;
	size_t i;

	/* Only the terminal may own its JIDs, whatever a bridge claims. */
	if (bridge->config.fault || local_group(jid))
		return false;
	while (*bound && !bridge_jid_matches(*bound, jid))
		bound++;
	if (!*bound && *bridge->config.jids)
		return false;
	json_array_foreach(bridge->patterns, i, pattern)
		if (bridge_jid_matches(json_string_value(pattern), jid))
			return true;
	return false;
}

static enum channel_sent send_text(struct channel *channel, const struct outbox_row *row)
{
	struct bridge *bridge = bridge_of(channel);
	struct under_way *item;

	if (!bridge->program || channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (bridge->under_way_count >= MAX_UNDER_WAY ||
		loop_child_queued(bridge->program) > MAX_QUEUE) {
		bridge->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	item = xcalloc(1, sizeof(*item));
	item->key = xstrdup(row->key);
	item->since = uv_now(bridge->loop);
	bridge->newest_sent = row->id > bridge->newest_sent ? row->id : bridge->newest_sent;
	item->next = bridge->under_way;
	bridge->under_way = item;
	bridge->under_way_count++;
	write_line(
		bridge, bridge_send_line(row, bridge->channel.form.dialect, bridge->root_path,
				row->again || row->id <= bridge->sent_before));
	return CHANNEL_TAKEN;
}

static void fetch_file(struct channel *channel, const struct channel_file *file)
{
	bridge_files_fetch(bridge_of(channel)->files, channel, file);
}

static void send_typing(struct channel *channel, const char *jid, bool on)
{
	struct bridge *bridge = bridge_of(channel);

	if (bridge->program && channel->state == CHANNEL_CONNECTED &&
		(channel->abilities & CHANNEL_TYPING))
		write_line(bridge, json_build("type:s chat:s on:b", "typing", jid, on));
}

static void time_is_up(uv_timer_t *timer)
{
	finish_closing(timer->data);
}

/* Closing its input asks it to end; after the grace period it is killed. */
static void close_bridge(struct channel *channel)
{
	struct bridge *bridge = bridge_of(channel);

	bridge->closing = true;
	uv_timer_stop(&bridge->beat);
	if (!bridge->program) {
		finish_closing(bridge);
		return;
	}
	write_line(bridge, json_build("type:s", "shutdown"));
	loop_child_close_input(bridge->program);
	uv_timer_start(&bridge->timer, time_is_up, bridge->grace_ms, 0);
}

/* --- opening ----------------------------------------------------------------- */

static int open_bridges(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(bridge) = {
	.name = "bridge",
	.open = open_bridges,
	.close = close_bridge,
	.owns_jid = bridge_owns_jid,
	.send = send_text,
	.fetch = fetch_file,
	.typing = send_typing,
};

/* A bridge with an invalid file is listed, but stays down. */
static void open_one(const struct channel_setup *setup, struct bridge_config *config)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line hello = {0};
	CLEANUP(freep) char *recalled = NULL;
	struct bridge *bridge = xcalloc(1, sizeof(*bridge));

	channel_init(&bridge->channel, &channel_kind_bridge, config->name, setup);
	if (!config->fault)
		bridge->env = bridge_environment(config, setup->setting, setup->host);
	bridge->config = *config;
	*config = (struct bridge_config){0};
	bridge->loop = setup->loop;
	bridge->replies = BUF_INIT;
	line_reader_init(&bridge->lines, BRIDGE_MAX_LINE);
	line_reader_init(&bridge->error_lines, ERROR_LINE_MAX);
	bridge->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 3);
	bridge->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	bridge->grace_ms = setup->grace_ms;
	bridge->max_file = setup->max_file;
	bridge->root_path = setup->root_path;
	bridge->files = bridge_files_open(setup, bridge->channel.name);
	uv_timer_init(setup->loop, &bridge->timer);
	uv_timer_init(setup->loop, &bridge->beat);
	bridge->timer.data = bridge->beat.data = bridge;
	bridge->open_handles = 2;
	setup->add(setup->host, &bridge->channel);
	if (bridge->config.fault) {
		log_error("bridge '%s' is not started: %s; correct the file, then restart the "
			  "host",
			bridge->channel.name, bridge->config.fault);
		bridge->channel.state = CHANNEL_DOWN;
		bridge->channel.detail = xstrdup(bridge->config.fault);
		return;
	}
	recalled = setup->recall(setup->host, bridge->channel.name);
	if (recalled && bridge_read(view_of(recalled), &hello, &ignored) == 0 &&
		hello.type == BRIDGE_HELLO)
		apply_hello(bridge, &hello);
	restart_program(&bridge->timer);
}

static int open_bridges(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(bridge_configs_release) struct bridge_configs configs = {0};

	if (bridge_configs_read(setup->root, &configs, err) < 0)
		return -1;
	for (size_t i = 0; i < configs.count; i++)
		open_one(setup, &configs.list[i]);
	return 0;
}
