#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/view.h"
#include "sandbox/launcher/launcher.h"

static const struct {
	const char *name;
	int (*run)(const struct launch *launch, struct error *err);
} modes[] = {
	{"engine", launch_container},
	{"landlock", launch_landlock},
	{"inside", launch_inside},
};

static int read_number(const char *text, uint64_t *ret_number, struct error *err)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end || end == text || *text == '-')
		return error_set(err, ERROR_INVALID, "'%s' is not a number", text);
	*ret_number = number;
	return 0;
}

/* The text after '=' if the word begins with "NAME=", else NULL. */
static const char *value_of(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, name, len) && word[len] == '=' ? word + len + 1 : NULL;
}

static int add_grant(struct launch *launch, int kind, const char *text, struct error *err)
{
	uint64_t fd = 0;

	if (read_number(text, &fd, err) < 0)
		return -1;
	GROW(launch->grants, launch->grant_count, launch->grant_cap);
	launch->grants[launch->grant_count++] = (struct launch_grant){kind, (int)fd};
	return 0;
}

static int word_take(struct launch *launch, const char *word, struct error *err)
{
	const char *value;

	if (value_of(word, "nanoclaw.installation"))
		return 0;
	if ((value = value_of(word, "nanoclaw.run"))) {
		launch->run = value;
		return 0;
	}
	if ((value = value_of(word, "record"))) {
		launch->record = value;
		return 0;
	}
	if ((value = value_of(word, "file-size")))
		return read_number(value, &launch->file_size, err);
	if ((value = value_of(word, "cpu-seconds")))
		return read_number(value, &launch->cpu_seconds, err);
	if ((value = value_of(word, "filter")))
		return read_number(value, &launch->filter, err);
	if ((value = value_of(word, "user")))
		return read_number(value, &launch->user, err);
	if ((value = value_of(word, "processes")))
		return read_number(value, &launch->processes, err);
	if ((value = value_of(word, "landlock-version")))
		return read_number(value, &launch->landlock_version, err);
	if ((value = value_of(word, "container"))) {
		launch->container = value;
		return 0;
	}
	if ((value = value_of(word, "mask"))) {
		GROW(launch->masks, launch->mask_count, launch->mask_cap);
		launch->masks[launch->mask_count++] = value;
		return 0;
	}
	if ((value = value_of(word, "mount"))) {
		GROW(launch->mounts, launch->mount_count, launch->mount_cap);
		launch->mounts[launch->mount_count++] = value;
		return 0;
	}
	if ((value = value_of(word, "read")))
		return add_grant(launch, GRANT_READ, value, err);
	if ((value = value_of(word, "write")))
		return add_grant(launch, GRANT_WRITE, value, err);
	if ((value = value_of(word, "connect")))
		return add_grant(launch, GRANT_CONNECTION, value, err);
	if ((value = value_of(word, "system"))) {
		GROW(launch->system, launch->system_count, launch->system_cap);
		launch->system[launch->system_count++] = value;
		return 0;
	}
	if ((value = value_of(word, "join")) && launch->join_count < ARRAY_SIZE(launch->joins))
		return read_number(value, &launch->joins[launch->join_count++], err);
	return error_set(err, ERROR_INVALID, "unexpected word '%s'", word);
}

static int read_words(char **argv, struct launch *launch, struct error *err)
{
	for (; *argv && strcmp(*argv, "--") != 0; argv++)
		if (word_take(launch, *argv, err) < 0)
			return -1;
	if (!*argv || !argv[1])
		return error_set(err, ERROR_INVALID, "there is no program to run");
	launch->argv = argv + 1;
	return 0;
}

static int launcher_run(int argc, char **argv, struct error *err)
{
	struct launch launch = {0};

	if (argc == 2 && !strcmp(argv[1], "breakout"))
		return launch_breakout();
	if (argc < 3)
		return error_set(err, ERROR_INVALID, "this program is for nanoclaw's host");
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(argv[1], modes[i].name) != 0)
			continue;
		if (read_words(argv + 2, &launch, err) < 0)
			return -1;
		return modes[i].run(&launch, err);
	}
	return error_set(err, ERROR_INVALID, "unexpected mode '%s'", argv[1]);
}

/* For builds with sanitizers: the search for leaks traces, which nothing may in a sandbox. */
const char *__asan_default_options(void); /* NOLINT */
const char *__asan_default_options(void)  /* NOLINT */
{
	return "detect_leaks=0";
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int code = launcher_run(argc, argv, &err);

	if (code >= 0)
		return code;
	fprintf(stderr, "nanoclaw-sandbox: %s\n", err.message);
	return EXIT_SANDBOX;
}
