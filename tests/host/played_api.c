#include "played_api.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

/* The request is small: its head and {"model":"…"}. NULL if it did not come; to be freed. */
static char *take_request(int client)
{
	char text[8192];
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(text) - 1 &&
		(got = read(client, text + len, sizeof(text) - 1 - len)) > 0) {
		char *model;

		len += (size_t)got;
		text[len] = '\0';
		model = strstr(text, "{\"model\":\"");
		if (!model || !strstr(model, "\"}"))
			continue;
		model += strlen("{\"model\":\"");
		return xmemdupz(model, strcspn(model, "\""));
	}
	return NULL;
}

static bool answer(int client)
{
	CLEANUP(freep) char *model = take_request(client);
	CLEANUP(freep)
	char *text = xasprintf(HEAD
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":"
		"\"%s\",\"usage\":{\"input_tokens\":50000,\"output_tokens\":1}}}\n\n"
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":"
		"{\"output_tokens\":10000}}\n\n"
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		model ? model : "");

	return model && write(client, text, strlen(text)) == (ssize_t)strlen(text);
}

static void __attribute__((noreturn)) serve(int listener, int count)
{
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int client = accept(listener, NULL, NULL);

		if (answer(client) && write(count, "", 1) < 0)
			_exit(1);
		close(client);
	}
}

void played_api_start(struct played_api *api)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ends[2];

	if (bind(listener, (struct sockaddr *)&address, len) || listen(listener, 64) ||
		getsockname(listener, (struct sockaddr *)&address, &len) ||
		pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		exit(2);
	api->url = xasprintf("http://127.0.0.1:%u", ntohs(address.sin_port));
	api->count = ends[0];
	api->pid = fork();
	if (!api->pid)
		serve(listener, ends[1]);
	close(listener);
	close(ends[1]);
}

unsigned played_api_answers(struct played_api *api)
{
	unsigned count = 0;
	char byte;

	while (read(api->count, &byte, 1) == 1)
		count++;
	return count;
}

void played_api_stop(struct played_api *api)
{
	kill(api->pid, SIGKILL);
	waitpid(api->pid, NULL, 0);
	close(api->count);
	free(api->url);
}
