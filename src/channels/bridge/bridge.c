/*
 * A bridge: a program of any language that serves a platform, supervised.
 *
 *	          start            hello                connected
 *	[down] ----------> [starting] ----> [disconnected] <----> [connected]
 *	   ^                   |                  |                    |
 *	   |                   v                  v                    v
 *	   +---- backoff ---- it ended, owes an answer for too long, or sends garbage
 *
 * Whatever it does, it is one child process with two pipes: what it floods is read in
 * pieces, between which everybody else has a turn, and not at all while the host has
 * too much to do; what it does not read is bounded by what may be under way.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "channels/bridge/config.h"
#include "channels/bridge/protocol.h"
#include "channels/channel.h"
#include "channels/local/local.h"
#include "util/beneath.h"
#include "util/child.h"
#include "util/json.h"
#include "util/line_reader.h"
#include "util/log.h"
#include "util/sys.h"
#include "util/utf8.h"

#define MAX_UNDER_WAY   256
#define MAX_QUEUE       ((size_t)8 * 1024 * 1024)
#define PAUSE_ABOVE     ((size_t)1024 * 1024)
#define MAX_FAULTS      20
#define FIRST_BACKOFF   200
#define LONGEST_BACKOFF 60000
#define ERROR_LINE_MAX  4096
#define MAX_LAST_PIECES 16

/* A text that was sent and has no receipt yet. */
struct under_way {
	struct under_way *next;
	char *key;
	uint64_t since;
};

struct bridge;

/* One life of the program; it outlasts the bridge until its handles are closed. */
struct run {
	struct bridge *bridge; /* NULL: nobody cares any more */
	struct child child;
	uv_pipe_t in;
	uv_pipe_t out;
	uv_pipe_t errors;
	uv_poll_t end;
	unsigned open_handles;
	struct line_reader lines;
	struct line_reader error_lines;
	struct buf replies; /* what is sent when the batch is stored */
	bool welcome;
	bool paused;
};

struct bridge {
	struct channel channel;
	struct bridge_config config;
	uv_loop_t *loop;
	int root;
	char **env; /* as it is given */
	struct run *run;
	uv_timer_t timer; /* restart; or, while it is closed, the last word */
	uv_timer_t beat;  /* are you still there? */
	unsigned open_handles;
	unsigned backoff;
	unsigned faults;
	uint64_t owes_pong_since; /* 0: it does not */
	uint64_t started;
	uint64_t grace_ms;
	json_t *patterns;
	struct under_way *under_way;
	unsigned under_way_count;
	int64_t newest_sent; /* of the rows that were handed to it */
	int64_t sent_before; /* the same, to its earlier lives */
	bool turned_away;    /* a send was refused because too much was under way */
	bool closing;
};

static struct bridge *bridge_of(const struct channel *channel)
{
	return (struct bridge *)(uintptr_t)channel;
}

/* --- writing ----------------------------------------------------------------- */

struct write_request {
	uv_write_t request;
	char *data;
};

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf);
static void read_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk);

/* Whoever does not read what he is told is not listened to. */
static void pause_or_go_on(struct run *run)
{
	size_t queued = uv_stream_get_write_queue_size((uv_stream_t *)&run->in);

	if (!run->paused && queued > PAUSE_ABOVE) {
		run->paused = true;
		uv_read_stop((uv_stream_t *)&run->out);
	} else if (run->paused && queued < PAUSE_ABOVE / 2) {
		run->paused = false;
		uv_read_start((uv_stream_t *)&run->out, give_chunk, read_output);
	}
}

static void written(uv_write_t *request, int status)
{
	struct write_request *write_request = (struct write_request *)request;
	struct run *run = request->handle->data;

	/* A closed pipe shows as the end of the process. */
	free(write_request->data);
	free(write_request);
	if (status == 0 && run->bridge)
		pause_or_go_on(run);
}

static void write_text(struct run *run, struct buf *text)
{
	struct write_request *request;
	uv_buf_t bytes;

	if (!text->len || uv_is_closing((uv_handle_t *)&run->in))
		return;
	request = xcalloc(1, sizeof(*request));
	bytes = uv_buf_init(NULL, (unsigned)text->len);
	bytes.base = request->data = buf_take(text);
	if (uv_write(&request->request, (uv_stream_t *)&run->in, &bytes, 1, written) < 0) {
		free(request->data);
		free(request);
		return;
	}
	pause_or_go_on(run);
}

static void append_line(struct buf *out, json_t *document)
{
	json_write_ours(document, false, out);
	json_decref(document);
	buf_append_char(out, '\n');
}

static void write_line(struct run *run, json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	append_line(&line, document);
	write_text(run, &line);
}

/* --- the end of a run -------------------------------------------------------- */

static void forget_under_way(struct bridge *bridge)
{
	struct under_way *item;

	while ((item = bridge->under_way)) {
		bridge->under_way = item->next;
		if (!bridge->closing)
			bridge->channel.events->receipt(&bridge->channel, item->key,
				RECEIPT_LOST, "the bridge ended before it gave a receipt");
		free(item->key);
		free(item);
	}
	bridge->under_way_count = 0;
}

static void run_handle_closed(uv_handle_t *handle)
{
	struct run *run = handle->data;

	if (--run->open_handles)
		return;
	line_reader_release(&run->lines);
	line_reader_release(&run->error_lines);
	buf_release(&run->replies);
	child_release(&run->child);
	free(run);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, run_handle_closed);
}

/* Let go of it. It is reaped when it has really ended, which nobody waits for. */
static void abandon(struct run *run)
{
	run->bridge = NULL;
	child_signal(&run->child, SIGKILL);
	close_handle((uv_handle_t *)&run->in);
	close_handle((uv_handle_t *)&run->out);
	close_handle((uv_handle_t *)&run->errors);
}

static void restart(uv_timer_t *timer);

/* The program has ended, or has to: it is started again after a while. */
static void go_down(struct bridge *bridge, const char *why)
{
	CLEANUP(freep) char *reason = xstrdup(why);

	if (!bridge->run || bridge->closing)
		return;
	log_warning("bridge '%s': %s; it is started again in %u ms", bridge->channel.name,
		reason, bridge->backoff);
	abandon(bridge->run);
	bridge->run = NULL;
	uv_timer_stop(&bridge->beat);
	uv_timer_start(&bridge->timer, restart, bridge->backoff, 0);
	bridge->backoff =
		bridge->backoff * 2 > LONGEST_BACKOFF ? LONGEST_BACKOFF : bridge->backoff * 2;
	channel_set_state(&bridge->channel, CHANNEL_DOWN, reason);
	bridge->sent_before = bridge->newest_sent;
	forget_under_way(bridge);
}

/* --- lines from the bridge --------------------------------------------------- */

static void say_error(struct run *run, const char *what)
{
	append_line(&run->replies,
		json_pack("{s:s, s:o}", "type", "error", "error", json_text(view_of(what))));
}

static void believe(struct bridge *bridge, const struct bridge_line *hello)
{
	json_decref(bridge->patterns);
	bridge->patterns = json_deep_copy(hello->patterns);
	bridge->channel.max_text = hello->max_text;
	bridge->channel.remembers_keys = hello->remembers_keys;
}

/* Answers are cut to size, and JIDs have an owner, before it says hello again. */
static void remember(struct bridge *bridge, const struct bridge_line *hello)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(hello->document, false, &text);
	bridge->channel.events->remember(&bridge->channel, text.data);
}

static void recall(struct bridge *bridge, const struct channel_setup *setup)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line hello = {0};
	CLEANUP(freep) char *text = setup->recall(setup->host, bridge->channel.name);

	if (text && bridge_read(view_of(text), &hello, &ignored) == 0 &&
		hello.type == BRIDGE_HELLO)
		believe(bridge, &hello);
}

static void take_hello(struct bridge *bridge, const struct bridge_line *line)
{
	believe(bridge, line);
	remember(bridge, line);
	bridge->run->welcome = true;
	append_line(&bridge->run->replies,
		json_pack("{s:s, s:i}", "type", "welcome", "protocol", BRIDGE_PROTOCOL));
	if (bridge->channel.state == CHANNEL_STARTING)
		channel_set_state(&bridge->channel, CHANNEL_DISCONNECTED,
			"not connected to its platform yet");
}

static void take_message(struct bridge *bridge, const struct bridge_line *line)
{
	int64_t seq;
	enum channel_arrival arrival = bridge->channel.events->message(&bridge->channel,
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
		},
		&seq);

	if (arrival == ARRIVAL_REFUSED) {
		bridge->faults++;
		say_error(bridge->run, "a message for a JID that this bridge does not own");
	}
	/* L1: these wait in `replies` until the batch is stored. */
	append_line(&bridge->run->replies,
		json_pack("{s:s, s:s, s:s, s:b}", "type", "ack", "chat", line->chat, "id",
			line->id, "stored", arrival == ARRIVAL_STORED));
}

static void take_receipt(struct bridge *bridge, const struct bridge_line *line)
{
	for (struct under_way **at = &bridge->under_way; *at; at = &(*at)->next) {
		struct under_way *item = *at;

		if (strcmp(item->key, line->key) != 0)
			continue;
		*at = item->next;
		bridge->under_way_count--;
		bridge->channel.events->receipt(&bridge->channel, item->key,
			line->ok      ? RECEIPT_SENT
			: line->retry ? RECEIPT_FAILED
				      : RECEIPT_REFUSED,
			line->ok ? line->id : line->reason);
		free(item->key);
		free(item);
		break;
	}
	if (bridge->turned_away) {
		bridge->turned_away = false;
		bridge->channel.events->ready(&bridge->channel, NULL);
	}
}

static void take_metadata(struct bridge *bridge, const struct bridge_line *line)
{
	bridge->channel.events->chat(
		&bridge->channel, line->chat, line->chat_name, line->chat_kind);
}

static void take(struct bridge *bridge, const struct bridge_line *line)
{
	/* While it is closed: what it has sent is known; what it tells is told again. */
	if (bridge->closing && line->type != BRIDGE_RECEIPT)
		return;
	if (line->type != BRIDGE_HELLO && !bridge->run->welcome) {
		bridge->faults++;
		say_error(bridge->run, "'hello' comes first");
		return;
	}
	bridge->faults = 0;
	switch (line->type) {
	case BRIDGE_HELLO:
		take_hello(bridge, line);
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
		take_message(bridge, line);
		break;
	case BRIDGE_RECEIPT:
		take_receipt(bridge, line);
		break;
	case BRIDGE_METADATA:
		take_metadata(bridge, line);
		break;
	case BRIDGE_PONG:
		break;
	}
	bridge->owes_pong_since = 0;
}

static bool take_line(struct view text, bool too_long, void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};
	struct run *run = data;

	if (!run->bridge)
		return false;
	if (!too_long && !view_trim(text).len)
		return true;
	if (too_long)
		error_set(
			&err, ERROR_INVALID, "a line of more than %zu bytes", BRIDGE_MAX_LINE);
	if (too_long || bridge_read(text, &line, &err) < 0) {
		run->bridge->faults++;
		log_debug("bridge '%s': %s", run->bridge->channel.name, err.message);
		say_error(run, err.message);
	} else {
		take(run->bridge, &line);
	}
	return run->bridge != NULL;
}

/* All lines of a piece are stored together, and only then acknowledged (L1). */
static void take_piece(struct run *run, const char *bytes, size_t len)
{
	struct bridge *bridge = run->bridge;
	const struct channel_events *events = bridge->channel.events;

	events->begin(bridge->channel.host);
	line_reader_feed(&run->lines, bytes, len, take_line, run);
	if (events->commit(bridge->channel.host) < 0) {
		buf_clear(&run->replies);
		go_down(bridge, "its messages could not be stored");
		return;
	}
	write_text(run, &run->replies);
	if (bridge->faults > MAX_FAULTS)
		go_down(bridge, "it sent too many lines that are not of the protocol");
}

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	static char chunk[65536];

	(void)handle;
	(void)suggested;
	*ret_buf = uv_buf_init(chunk, sizeof(chunk));
}

static void read_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct run *run = stream->data;

	if (got < 0)
		uv_read_stop(stream); /* its end comes by the pidfd */
	else if (got > 0 && run->bridge)
		take_piece(run, chunk->base, (size_t)got);
}

static bool log_error_line(struct view line, bool too_long, void *data)
{
	struct run *run = data;
	CLEANUP(freep) char *shown = utf8_excerpt(line);

	(void)too_long;
	if (run->bridge)
		log_debug("bridge '%s' says: %s", run->bridge->channel.name, shown);
	return true;
}

static void read_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct run *run = stream->data;

	if (got < 0)
		uv_read_stop(stream);
	else if (got > 0)
		line_reader_feed(
			&run->error_lines, chunk->base, (size_t)got, log_error_line, run);
}

/* --- a run ------------------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
	struct bridge *bridge = handle->data;

	if (--bridge->open_handles)
		return;
	bridge_config_release(&bridge->config);
	child_free_argv(&bridge->env);
	json_decref(bridge->patterns);
	closep(&bridge->root);
	channel_release(&bridge->channel);
	free(bridge);
}

static void finish_closing(struct bridge *bridge)
{
	if (bridge->run)
		abandon(bridge->run);
	bridge->run = NULL;
	forget_under_way(bridge);
	uv_close((uv_handle_t *)&bridge->timer, handle_closed);
	uv_close((uv_handle_t *)&bridge->beat, handle_closed);
}

/* Its last words, which wait in the pipe. */
static void read_rest(struct run *run)
{
	uv_buf_t chunk;
	ssize_t got;
	int fd;

	if (uv_is_closing((uv_handle_t *)&run->out) ||
		uv_fileno((uv_handle_t *)&run->out, &fd) < 0)
		return;
	give_chunk(NULL, 0, &chunk);
	/* A pipe does not hold more; another process may have it, and go on. */
	for (int i = 0; i < MAX_LAST_PIECES && run->bridge; i++) {
		got = read(fd, chunk.base, chunk.len);
		if (got <= 0)
			break;
		take_piece(run, chunk.base, (size_t)got);
	}
}

static void run_ended(uv_poll_t *poll, int status, int events)
{
	struct run *run = poll->data;
	struct bridge *bridge;

	(void)status;
	(void)events;
	uv_poll_stop(poll);
	child_signal(&run->child, SIGKILL); /* what it has left of its group */
	child_reap(&run->child);
	close_handle((uv_handle_t *)poll);
	read_rest(run);
	bridge = run->bridge;
	if (bridge && bridge->closing)
		finish_closing(bridge);
	else if (bridge)
		go_down(bridge, "it ended");
}

static uint64_t oldest_debt(const struct bridge *bridge)
{
	uint64_t oldest = bridge->owes_pong_since;

	if (!bridge->run->welcome)
		oldest = bridge->started;
	for (const struct under_way *item = bridge->under_way; item; item = item->next)
		if (!oldest || item->since < oldest)
			oldest = item->since;
	return oldest;
}

static bool owes_too_long(const struct bridge *bridge)
{
	uint64_t debt = oldest_debt(bridge);

	return debt &&
	       uv_now(bridge->loop) - debt > (uint64_t)bridge->config.hang_seconds * 1000;
}

static void beat(uv_timer_t *timer);

static void start_beating(struct bridge *bridge)
{
	uint64_t interval = (uint64_t)bridge->config.hang_seconds * 500;

	uv_timer_start(&bridge->beat, beat, interval, interval);
}

static void look_again(uv_timer_t *timer)
{
	struct bridge *bridge = timer->data;

	if (owes_too_long(bridge))
		go_down(bridge, "it hangs");
	else
		start_beating(bridge);
}

static void beat(uv_timer_t *timer)
{
	struct bridge *bridge = timer->data;
	uint64_t now = uv_now(bridge->loop);

	/* If it was us who were held up, what it owes waits in the pipe: read that first. */
	if (owes_too_long(bridge)) {
		uv_timer_start(timer, look_again, 1, 0);
		return;
	}
	if (bridge->run->welcome && !bridge->owes_pong_since) {
		bridge->owes_pong_since = now;
		write_line(bridge->run, json_pack("{s:s}", "type", "ping"));
	}
	/* Long enough without a fall: the next one is the first again. */
	if (now - bridge->started > LONGEST_BACKOFF)
		bridge->backoff = FIRST_BACKOFF;
}

static void open_stream(struct run *run, uv_loop_t *loop, uv_pipe_t *stream, int *fd)
{
	uv_pipe_init(loop, stream, 0);
	stream->data = run;
	uv_pipe_open(stream, TAKE_FD(*fd));
	run->open_handles++;
}

static void watch(struct run *run, uv_loop_t *loop)
{
	open_stream(run, loop, &run->in, &run->child.in);
	open_stream(run, loop, &run->out, &run->child.out);
	open_stream(run, loop, &run->errors, &run->child.errors);
	uv_poll_init(loop, &run->end, run->child.pidfd);
	run->end.data = run;
	run->open_handles++;
	uv_poll_start(&run->end, UV_READABLE, run_ended);
	uv_read_start((uv_stream_t *)&run->out, give_chunk, read_output);
	uv_read_start((uv_stream_t *)&run->errors, give_chunk, read_errors);
}

static int start(struct bridge *bridge, struct error *err)
{
	struct child_request request = {
		.argv = (const char *const *)bridge->config.argv,
		.env = (const char *const *)bridge->env,
		.cwd = bridge->root,
	};
	struct child child;
	struct run *run;

	if (child_start(&request, &child, err) < 0)
		return -1;
	run = xcalloc(1, sizeof(*run));
	run->bridge = bridge;
	run->child = child;
	run->replies = BUF_INIT;
	line_reader_init(&run->lines, BRIDGE_MAX_LINE);
	line_reader_init(&run->error_lines, ERROR_LINE_MAX);
	watch(run, bridge->loop);
	bridge->run = run;
	bridge->started = uv_now(bridge->loop);
	bridge->owes_pong_since = 0;
	channel_set_state(&bridge->channel, CHANNEL_STARTING, NULL);
	start_beating(bridge);
	return 0;
}

static void restart(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct bridge *bridge = timer->data;

	if (start(bridge, &err) < 0) {
		log_warning("bridge '%s': %s", bridge->channel.name, err.message);
		channel_set_state(&bridge->channel, CHANNEL_DOWN, err.message);
		uv_timer_start(timer, restart, bridge->backoff, 0);
		bridge->backoff = bridge->backoff * 2 > LONGEST_BACKOFF ? LONGEST_BACKOFF
									: bridge->backoff * 2;
	}
}

/* --- the channel ------------------------------------------------------------- */

static bool is_bounded_out(const struct bridge *bridge, const char *jid)
{
	char *const *pattern = bridge->config.jids;

	if (!*pattern)
		return false;
	while (*pattern && !bridge_jid_matches(*pattern, jid))
		pattern++;
	return !*pattern;
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	const struct bridge *bridge = bridge_of(channel);
	json_t *pattern;
	size_t i;

	/* The terminal's are not for others, whatever they claim. */
	if (!strncmp(jid, LOCAL_PREFIX, strlen(LOCAL_PREFIX)) || is_bounded_out(bridge, jid))
		return false;
	json_array_foreach(bridge->patterns, i,
		pattern) if (bridge_jid_matches(json_string_value(pattern), jid)) return true;
	return false;
}

static enum channel_sent send_text(struct channel *channel, const struct outbox_row *row)
{
	struct bridge *bridge = bridge_of(channel);
	struct under_way *item;

	if (!bridge->run || channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (bridge->under_way_count >= MAX_UNDER_WAY ||
		uv_stream_get_write_queue_size((uv_stream_t *)&bridge->run->in) > MAX_QUEUE) {
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
	write_line(bridge->run,
		json_pack("{s:s, s:s, s:s, s:o, s:s, s:b}", "type", "send", "key", row->key,
			"chat", row->chat_jid, "text", json_text(view_of(row->content)), "kind",
			outbox_kind_name(row->kind), "again",
			row->again || row->id <= bridge->sent_before));
	return CHANNEL_TAKEN;
}

static void typing(struct channel *channel, const char *jid, bool on)
{
	struct bridge *bridge = bridge_of(channel);

	if (bridge->run && channel->state == CHANNEL_CONNECTED)
		write_line(bridge->run,
			json_pack("{s:s, s:s, s:b}", "type", "typing", "chat", jid, "on", on));
}

static void time_is_up(uv_timer_t *timer)
{
	finish_closing(timer->data);
}

/* The end of its input is how it is told; after a while it has to go. */
static void close_bridge(struct channel *channel)
{
	struct bridge *bridge = bridge_of(channel);

	bridge->closing = true;
	uv_timer_stop(&bridge->beat);
	if (!bridge->run) {
		finish_closing(bridge);
		return;
	}
	write_line(bridge->run, json_pack("{s:s}", "type", "shutdown"));
	close_handle((uv_handle_t *)&bridge->run->in);
	uv_timer_start(&bridge->timer, time_is_up, bridge->grace_ms, 0);
}

/* --- opening ----------------------------------------------------------------- */

static void add_variable(char ***env, size_t *count, const char *name, const char *value)
{
	*env = xreallocarray(*env, *count + 2, sizeof(**env));
	(*env)[(*count)++] = xasprintf("%s=%s", name, value);
	(*env)[*count] = NULL;
}

static char **environment(const struct channel_setup *setup, const struct bridge_config *config)
{
	static const char *const usual[] = {"HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ"};
	char **env = NULL;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (getenv(usual[i]))
			add_variable(&env, &count, usual[i], getenv(usual[i]));
	for (char **name = config->env; *name; name++) {
		const char *value = setup->setting(setup->host, *name);

		if (value)
			add_variable(&env, &count, *name, value);
	}
	add_variable(&env, &count, "NANOCLAW_BRIDGE", config->name);
	return env;
}

static const struct channel_kind *bridge_kind(void);

static void open_one(const struct channel_setup *setup, struct bridge_config *config)
{
	struct bridge *bridge = xcalloc(1, sizeof(*bridge));

	channel_init(&bridge->channel, bridge_kind(), config->name, setup);
	bridge->env = environment(setup, config);
	bridge->config = *config;
	*config = (struct bridge_config){0};
	bridge->loop = setup->loop;
	bridge->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 3);
	bridge->backoff = FIRST_BACKOFF;
	bridge->grace_ms = setup->grace_ms;
	uv_timer_init(setup->loop, &bridge->timer);
	uv_timer_init(setup->loop, &bridge->beat);
	bridge->timer.data = bridge->beat.data = bridge;
	bridge->open_handles = 2;
	recall(bridge, setup);
	setup->add(setup->host, &bridge->channel);
	restart(&bridge->timer);
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

CHANNEL_KIND(bridge) = {
	.name = "bridge",
	.open = open_bridges,
	.close = close_bridge,
	.owns_jid = owns_jid,
	.send = send_text,
	.typing = typing,
};

static const struct channel_kind *bridge_kind(void)
{
	return &channel_kind_bridge;
}
