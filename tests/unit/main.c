/*
 * The unit tests of one folder: `unit-host store` runs those in store.c.
 */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern const struct test_file *const __start_unit_test_files[];
extern const struct test_file *const __stop_unit_test_files[];

static bool is_named(const struct test_file *file, const char *name)
{
	const char *slash = strrchr(file->path, '/');
	const char *base = slash ? slash + 1 : file->path;
	size_t length = strlen(name);

	return !strncmp(base, name, length) && !strcmp(base + length, ".c");
}

int main(int argc, char **argv)
{
	const struct test_file *const *file = __start_unit_test_files;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE-WITHOUT-.c\n", argv[0]);
		return 2;
	}
	while (file < __stop_unit_test_files && !is_named(*file, argv[1]))
		file++;
	if (file == __stop_unit_test_files) {
		fprintf(stderr, "error: there is no '%s.c' in here\n", argv[1]);
		return 2;
	}
	(*file)->first();
	return _cmocka_run_group_tests(argv[1], (*file)->tests, (*file)->count, NULL, NULL);
}
