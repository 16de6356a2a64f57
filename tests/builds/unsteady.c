/*
 * nanoclaw itself, in builds that misbehave. A file beside the program says how:
 *
 *	steady			like nanoclaw
 *	crash at start		a host is killed at once
 *	crash after MS		a host is killed after that time
 *	forgetful		it cannot read the store
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void read_behaviour(char *text, int size)
{
	char path[PATH_MAX] = "";
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	FILE *file;

	text[0] = '\0';
	if (len < 0 || (size_t)len + sizeof("-behaviour") > sizeof(path))
		return;
	memcpy(path + len, "-behaviour", sizeof("-behaviour"));
	file = fopen(path, "re");
	if (file && !fgets(text, size, file))
		text[0] = '\0';
	if (file)
		fclose(file);
}

static int has_word(int argc, char **argv, const char *word)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], word))
			return 1;
	return 0;
}

__attribute__((constructor)) static void misbehave(int argc, char **argv)
{
	char text[64];
	int ms;

	read_behaviour(text, sizeof(text));
	if (!strncmp(text, "crash at start", 14) &&
		(has_word(argc, argv, "run") || has_word(argc, argv, "start")))
		kill(getpid(), SIGKILL);
	if (sscanf(text, "crash after %d", &ms) == 1 && has_word(argc, argv, "run")) {
		struct itimerspec time = {.it_value = {ms / 1000, ms % 1000 * 1000000L}};
		timer_t timer;

		/* SIGALRM, which nobody handles; not from another program that this becomes. */
		timer_create(CLOCK_MONOTONIC, NULL, &timer);
		timer_settime(timer, 0, &time, NULL);
	}
	if (!strncmp(text, "forgetful", 9) && has_word(argc, argv, "group")) {
		fputs("error: the store is of another version\n", stderr);
		_exit(2);
	}
}
