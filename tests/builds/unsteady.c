/*
 * nanoclaw itself, in builds that misbehave. A file beside the program says how:
 *
 *	steady			like nanoclaw
 *	crash at start		a host is killed at once
 *	crash after MS		a host is killed after that time
 *	crash before main	a host in the foreground is killed at once
 *	picky NAME		it takes no value of this setting, in the foreground
 *	forgetful		it cannot read the store
 *	hang			it leaves a process behind that ignores SIGTERM
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static FILE *open_beside(const char *suffix, const char *mode)
{
	char program[PATH_MAX] = "";
	char path[PATH_MAX + 16];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (len < 0)
		return NULL;
	snprintf(path, sizeof(path), "%s-%s", program, suffix);
	return fopen(path, mode);
}

static void read_behaviour(char *text, int size)
{
	FILE *file = open_beside("behaviour", "re");

	if (!file || !fgets(text, size, file))
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

/* Like a host, it has a group of its own. Its number is in a file beside the program. */
static void leave_process(void)
{
	FILE *file;

	if (fork())
		_exit(1);
	setsid();
	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	signal(SIGTERM, SIG_IGN);
	file = open_beside("pid", "we");
	if (file) {
		fprintf(file, "%d\n", (int)getpid());
		fclose(file);
	}
	for (;;)
		pause();
}

__attribute__((constructor)) static void misbehave(int argc, char **argv)
{
	char text[64];
	char name[64];
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
	if (!strncmp(text, "crash before main", 17) && has_word(argc, argv, "run"))
		kill(getpid(), SIGKILL);
	if (sscanf(text, "picky %63s", name) == 1 && has_word(argc, argv, "run"))
		setenv(name, "none is right", 1);
	if (!strncmp(text, "hang", 4) && has_word(argc, argv, "start"))
		leave_process();
	if (!strncmp(text, "forgetful", 9) && has_word(argc, argv, "group")) {
		fputs("error: the store is of another version\n", stderr);
		_exit(2);
	}
}
