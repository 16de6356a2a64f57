#include "realgit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc/process.h"

#define MAX_WORDS  32
#define MAX_OUTPUT ((size_t)1024 * 1024)

static int run(const char *folder, const char *const *argv)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = argv;
	request.cwd = folder;
	request.env =
		(const char *const[]){"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"HOME=/nowhere", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.timeout_ms = 60 * 1000;
	if (process_run(&request, &result, &err) < 0)
		return -1;
	if (result.exit_code)
		fputs(result.errors.data, stderr);
	return result.exit_code;
}

bool realgit_present(void)
{
	return run("/", (const char *const[]){"git", "--version", NULL}) == 0;
}

void realgit(const char *folder, const char *words)
{
	CLEANUP(freep) char *line = xstrdup(words);
	const char *argv[MAX_WORDS + 2] = {"git"};
	char *state = NULL;
	size_t count = 1;

	for (char *word = strtok_r(line, " ", &state); word && count <= MAX_WORDS;
		word = strtok_r(NULL, " ", &state))
		argv[count++] = word;
	if (run(folder, argv) != 0) {
		fprintf(stderr, "realgit: 'git %s' failed\n", words);
		abort();
	}
}
