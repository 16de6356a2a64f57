/*
 * fuzz-replay CORPUS/NAME: run the fuzz target NAME over every file in a folder, in TAP. A file on
 * which it crashes is the one behind the last "ok".
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"

extern const struct fuzz_target *const __start_fuzz_targets[];
extern const struct fuzz_target *const __stop_fuzz_targets[];

static const struct fuzz_target *find_target(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	const char *name = slash ? slash + 1 : folder;

	for (size_t i = 0; &__start_fuzz_targets[i] < __stop_fuzz_targets; i++)
		if (!strcmp(__start_fuzz_targets[i]->name, name))
			return __start_fuzz_targets[i];
	return NULL;
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int read_file(const char *folder, const char *name, struct buf *content)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "re");
	char block[4096];
	size_t len;
	int failed;

	if (!file)
		return -1;
	while ((len = fread(block, 1, sizeof(block), file)) > 0)
		buf_append(content, block, len);
	failed = ferror(file);
	fclose(file);
	return failed ? -1 : 0;
}

/* A copy without a NUL behind it, so that a sanitizer sees one byte too far. */
static void run_target(const struct fuzz_target *target, const struct buf *content)
{
	CLEANUP(freep) uint8_t *data = xmalloc(content->len);

	memcpy(data, content->data, content->len);
	target->run(data, content->len);
}

int main(int argc, char **argv)
{
	const struct fuzz_target *target = argc == 2 ? find_target(argv[1]) : NULL;
	struct dirent **entries;
	int count = target ? scandir(argv[1], &entries, is_input, alphasort) : -1;

	if (count < 0) {
		fprintf(stderr, "usage: %s CORPUS/TARGET\n", argv[0]);
		return 1;
	}
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		int failed = read_file(argv[1], entries[i]->d_name, &content);

		if (!failed)
			run_target(target, &content);
		printf("%s %d - %s\n", failed ? "not ok" : "ok", i + 1, entries[i]->d_name);
		fflush(stdout);
		free(entries[i]);
	}
	free(entries);
	return 0;
}
