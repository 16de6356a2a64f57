#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/tree.h"
#include "gate/gate.h"
#include "gate/usage_reader.h"
#include "host/base/settings.h"
#include "net/network.h"

/* --- the gate ---------------------------------------------------------------- */

static int may_spend(void *data, struct error *err)
{
	struct place_counts *counts = data;

	return counts->broke ? error_set(err, ERROR_INVALID, "no money is left for today") : 0;
}

static void used(void *data, const struct api_usage *usage)
{
	struct place_counts *counts = data;

	counts->input += usage->input;
	counts->output += usage->output;
	counts->estimated += usage->is_estimate;
	counts->used++;
}

static void note(struct place_counts *counts, const char *what, const char *why)
{
	snprintf(counts->what, sizeof(counts->what), "%s", what);
	snprintf(counts->why, sizeof(counts->why), "%s", why);
}

static void refused(void *data, const char *what, const char *why)
{
	struct place_counts *counts = data;

	note(counts, what, why);
	counts->refused++;
}

static void failed(void *data, const char *what, const char *why)
{
	struct place_counts *counts = data;

	note(counts, what, why);
	counts->failed++;
}

static const struct gate_handlers handlers = {may_spend, used, refused, failed};

static int find(struct view text, const char *name, char **ret_value, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	const char *value;

	if (settings_parse(text, ".env", &settings, err) < 0)
		return -1;
	value = settings_in_file(&settings, name);
	*ret_value = value ? xstrdup(value) : NULL;
	return 0;
}

struct running {
	struct gate *gate;
	struct network *network;
	uv_signal_t signal;
};

static void stop(uv_signal_t *handle, int number)
{
	struct running *running = handle->data;

	(void)number;
	gate_close(running->gate);
	network_close(running->network);
	uv_close((uv_handle_t *)handle, NULL);
}

static void __attribute__((noreturn))
run(struct place *place, const struct place_options *options, int ready)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct provider *provider =
		provider_find(options->provider ? options->provider : PROVIDER_ANTHROPIC);
	struct api_address address;
	struct credentials *credentials;
	struct running running;
	int folder = open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uv_loop_t loop;

	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	uv_loop_init(&loop);
	credentials_new(folder, find, &credentials);
	network_new(&(struct network_options){.loop = &loop, .ca_file = options->ca_file},
		&running.network);
	if (provider_address(provider, options->url, "URL", &address, &err) < 0 ||
		gate_open(&(struct gate_options){.loop = &loop,
				  .folder = folder,
				  .name = "gate.sock",
				  .provider = provider,
				  .address = &address,
				  .needs_key = options->needs_key,
				  .credentials = credentials,
				  .network = running.network,
				  .idle_ms = options->idle_ms,
				  .handlers = &handlers,
				  .data = place->counts},
			&running.gate, &err) < 0) {
		printf("# %s\n", err.message);
		exit(1);
	}
	uv_signal_init(&loop, &running.signal);
	running.signal.data = &running;
	uv_signal_start(&running.signal, stop, SIGTERM);
	if (write(ready, "", 1) != 1)
		exit(1);
	close(ready);
	uv_run(&loop, UV_RUN_DEFAULT);
	credentials_free(credentials);
	api_address_release(&address);
	close(folder);
	exit(uv_loop_close(&loop) ? 1 : 0);
}

void place_start(struct place *place, const struct place_options *options)
{
	char folder[] = "/tmp/nanoclaw-proxy-XXXXXX";
	int ready[2];
	char byte;

	if (!mkdtemp(folder) || pipe2(ready, O_CLOEXEC))
		abort();
	place->folder = xstrdup(folder);
	place->counts = mmap(NULL, sizeof(*place->counts), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (place->counts == MAP_FAILED)
		abort();
	fflush(stdout);
	place->pid = fork();
	if (!place->pid)
		run(place, options, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		abort();
	close(ready[0]);
}

bool place_stop(struct place *place)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int status;

	kill(place->pid, SIGTERM);
	waitpid(place->pid, &status, 0);
	tree_remove(AT_FDCWD, place->folder, &err);
	free(place->folder);
	munmap(place->counts, sizeof(*place->counts));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *place_path(const struct place *place, const char *name)
{
	return xasprintf("%s/%s", place->folder, name);
}

void place_env(struct place *place, const char *text)
{
	CLEANUP(freep) char *path = place_path(place, ".env");
	CLEANUP(freep) char *new = place_path(place, ".env.new");
	FILE *file;

	if (!text) {
		unlink(path);
		return;
	}
	file = fopen(new, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) || chmod(new, 0600) ||
		rename(new, path))
		abort();
}

long place_memory(const struct place *place)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/status", (int)place->pid);
	FILE *file = fopen(path, "r");
	char line[256];
	long kib = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

/* --- connections ------------------------------------------------------------- */

int place_connect(const struct place *place)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/gate.sock", place->folder);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		abort();
	return fd;
}

void place_ask(int fd, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t done = send(fd, text, len, MSG_NOSIGNAL);

		if (done < 0)
			return; /* what it has answered is still to be read */
		text += done;
		len -= (size_t)done;
	}
}

void reply_release(struct reply *reply)
{
	buf_release(&reply->head);
	buf_release(&reply->body);
}

static bool read_one(int fd, struct buf *to)
{
	char c;

	if (read(fd, &c, 1) != 1)
		return false;
	buf_append_char(to, c);
	return true;
}

void place_read_head(int fd, struct reply *reply)
{
	*reply = REPLY_INIT;
	while (!view_ends_with(view_of_buf(&reply->head), "\r\n\r\n"))
		if (!read_one(fd, &reply->head))
			return;
	if (!strncmp(reply->head.data, "HTTP/1.1 ", 9))
		reply->status = (int)strtol(reply->head.data + 9, NULL, 10);
}

static bool read_exactly(int fd, struct buf *to, size_t len)
{
	while (len) {
		ssize_t got;

		buf_reserve(to, len);
		got = read(fd, to->data + to->len, len);
		if (got <= 0)
			return false;
		buf_set_len(to, to->len + (size_t)got);
		len -= (size_t)got;
	}
	return true;
}

static bool read_chunks(int fd, struct buf *to)
{
	for (;;) {
		CLEANUP(buf_release) struct buf line = BUF_INIT;
		CLEANUP(buf_release) struct buf end = BUF_INIT;
		size_t size;

		while (!view_ends_with(view_of_buf(&line), "\r\n"))
			if (!read_one(fd, &line))
				return false;
		size = strtoul(line.data, NULL, 16);
		if (!read_exactly(fd, to, size) || !read_exactly(fd, &end, 2))
			return false;
		if (!size)
			return true;
	}
}

void place_read(int fd, bool without_body, struct reply *reply)
{
	const char *length;

	place_read_head(fd, reply);
	if (!reply->status)
		return;
	length = strstr(reply->head.data, "\r\ncontent-length: ");
	if (without_body || reply->status / 100 == 1 || reply->status == 204 ||
		reply->status == 304)
		reply->whole = true;
	else if (strstr(reply->head.data, "\r\ntransfer-encoding: chunked\r\n"))
		reply->whole = read_chunks(fd, &reply->body);
	else if (length)
		reply->whole = read_exactly(fd, &reply->body,
			strtoul(length + strlen("\r\ncontent-length: "), NULL, 10));
}

void place_once(const struct place *place, const char *text, struct reply *reply)
{
	int fd = place_connect(place);

	place_ask(fd, text);
	place_read(fd, !strncmp(text, "HEAD", 4), reply);
	close(fd);
}
