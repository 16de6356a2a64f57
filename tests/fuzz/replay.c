/*
 * replay FOLDER: run the fuzz target over every file in a folder, in TAP. A
 * file on which it crashes is the one behind the last "ok".
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"

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
static void run(const struct buf *content)
{
	CLEANUP(freep) uint8_t *data = xmalloc(content->len);

	memcpy(data, content->data, content->len);
	LLVMFuzzerTestOneInput(data, content->len);
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int count = argc == 2 ? scandir(argv[1], &entries, is_input, alphasort) : -1;

	if (count < 0) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 1;
	}
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		int failed = read_file(argv[1], entries[i]->d_name, &content);

		if (!failed)
			run(&content);
		printf("%s %d - %s\n", failed ? "not ok" : "ok", i + 1, entries[i]->d_name);
		fflush(stdout);
		free(entries[i]);
	}
	free(entries);
	return 0;
}
