#include "agent/native/mcp/mcp_link.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/clean_text.h"
#include "fs/sys.h"

#define MCP_WORDS_MAX ((size_t)2000)

/* At a time, so that a server that writes without end holds up no other. */
#define MCP_READ_MAX ((size_t)1024 * 1024)

/* A process that ends closes its output a moment before. */
#define MCP_CLOSED_MS 200

/* --- starting and ending ----------------------------------------------------- */

/* Our own variables, without the ones that are set here. */
static void link_environment(const struct string_array *values, struct string_array *out)
{
	for (size_t i = 0; environ[i]; i++) {
		size_t len = strcspn(environ[i], "=") + 1;
		bool set = false;

		for (size_t j = 0; j < values->count; j++)
			set |= !strncmp(environ[i], values->list[j], len);
		if (!set)
			string_array_add(out, environ[i]);
	}
	for (size_t j = 0; j < values->count; j++)
		string_array_add(out, values->list[j]);
}

static const char *const *link_end_list(struct string_array *array)
{
	GROW(array->list, array->count, array->cap);
	array->list[array->count] = NULL;
	return (const char *const *)array->list;
}

int mcp_link_start(struct mcp_link *link, const struct string_array *words,
	const struct string_array *values, int cwd, struct error *err)
{
	CLEANUP(string_array_release) struct string_array env = {0};
	CLEANUP(string_array_release) struct string_array argv = {0};
	struct child_request request = {.cwd = cwd};

	mcp_link_release(link);
	for (size_t i = 0; i < words->count; i++)
		string_array_add(&argv, words->list[i]);
	link_environment(values, &env);
	request.argv = link_end_list(&argv);
	request.env = link_end_list(&env);
	if (child_start(&request, &link->child, err) < 0)
		return -1;
	line_reader_init(&link->lines, MCP_LINE_MAX);
	link->runs = true;
	return 0;
}

static void link_close(int *fd)
{
	closep(fd);
	*fd = -1;
}

/* `status` comes from child_reap(). */
static void link_ended(struct mcp_link *link, int status, const char *why)
{
	free(link->end);
	link->end = why            ? xstrdup(why)
		    : status > 128 ? xasprintf("signal %d", status - 128)
				   : xasprintf("exit code %d", status);
	child_release(&link->child);
	line_reader_release(&link->lines);
	buf_clear(&link->queue);
	link->sent = 0;
	link->runs = false;
}

void mcp_link_kill(struct mcp_link *link, const char *why)
{
	if (!link->runs)
		return;
	child_signal(&link->child, SIGKILL);
	link_ended(link, child_reap(&link->child), why);
}

void mcp_link_hang_up(struct mcp_link *link)
{
	link_close(&link->child.in);
}

void mcp_link_terminate(struct mcp_link *link)
{
	child_signal(&link->child, SIGTERM);
}

void mcp_link_release(struct mcp_link *link)
{
	mcp_link_kill(link, NULL);
	buf_release(&link->queue);
	buf_release(&link->words);
	free(link->end);
	*link = MCP_LINK_INIT;
}

/* --- lines ------------------------------------------------------------------- */

static void link_write(struct mcp_link *link)
{
	while (link->child.in >= 0 && link->sent < link->queue.len) {
		ssize_t put = sys.write(link->child.in, link->queue.data + link->sent,
			link->queue.len - link->sent);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno != EAGAIN)
			link_close(&link->child.in); /* its end is seen elsewhere */
		if (put <= 0)
			return;
		link->sent += (size_t)put;
	}
	buf_clear(&link->queue);
	link->sent = 0;
}

void mcp_link_send(struct mcp_link *link, struct view line)
{
	if (!link->runs)
		return;
	if (link->queue.len + line.len > MCP_QUEUE_MAX) {
		mcp_link_kill(link, "it does not read its input");
		return;
	}
	buf_append(&link->queue, line.data, line.len);
	buf_append_char(&link->queue, '\n');
	link_write(link);
}

static void link_keep_words(struct mcp_link *link, struct view bytes)
{
	struct buf *words = &link->words;

	buf_append(words, bytes.data, bytes.len);
	if (words->len <= MCP_WORDS_MAX)
		return;
	memmove(words->data, words->data + words->len - MCP_WORDS_MAX, MCP_WORDS_MAX);
	buf_set_len(words, MCP_WORDS_MAX);
}

/* False: there is no more to come. */
static bool link_read(struct mcp_link *link, int fd, line_function take, void *data)
{
	char bytes[16 * 1024];
	size_t total = 0;

	while (total < MCP_READ_MAX) {
		ssize_t got = read(fd, bytes, sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 && errno == EAGAIN;
		total += (size_t)got;
		if (!take) {
			link_keep_words(link, (struct view){bytes, (size_t)got});
			continue;
		}
		line_reader_feed(&link->lines, bytes, (size_t)got, take, data);
		/* The handler of a line may end the server. */
		if (!link->runs)
			return true;
	}
	return true;
}

void mcp_link_fds(const struct mcp_link *link, struct pollfd fds[static MCP_LINK_FDS])
{
	const struct child *child = &link->child;
	bool writes = link->sent < link->queue.len;

	fds[0] = (struct pollfd){.fd = link->runs ? child->pidfd : -1, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = link->runs ? child->out : -1, .events = POLLIN};
	fds[2] = (struct pollfd){.fd = link->runs ? child->errors : -1, .events = POLLIN};
	fds[3] =
		(struct pollfd){.fd = link->runs && writes ? child->in : -1, .events = POLLOUT};
}

void mcp_link_turn(struct mcp_link *link, const struct pollfd fds[static MCP_LINK_FDS],
	line_function take, void *data)
{
	struct child *child = &link->child;
	struct pollfd end = {.fd = child->pidfd, .events = POLLIN};
	bool more = true;

	if (!link->runs)
		return;
	if (fds[3].revents)
		link_write(link);
	if (fds[2].revents && !link_read(link, child->errors, NULL, NULL))
		link_close(&child->errors);
	if (fds[1].revents)
		more = link_read(link, child->out, take, data);
	if (!link->runs || (more && !fds[0].revents))
		return;
	/* It has ended, or closed its output and cannot answer. */
	if (more)
		link_read(link, child->out, take, data);
	if (!link->runs)
		return;
	if (child->errors >= 0)
		link_read(link, child->errors, NULL, NULL);
	poll(&end, 1, MCP_CLOSED_MS);
	child_signal(child, SIGKILL);
	link_ended(link, child_reap(child), end.revents ? NULL : "it closed its output");
}

char *mcp_link_last_words(const struct mcp_link *link)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view words = view_trim(view_of_buf(&link->words));

	if (words.len > 600)
		words = view_slice(words, words.len - 600, words.len);
	buf_append_str(&text, link->end ? link->end : "it runs");
	if (words.len) {
		buf_append_str(&text, "; its last output: ");
		clean_text_append(&text, words);
	}
	return buf_take(&text);
}
