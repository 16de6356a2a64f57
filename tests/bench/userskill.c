/*
 * What it costs to sync a library in which nothing has changed.
 *
 *	bench-userskill FILES	in an empty folder
 *
 * The peer reads and hashes the same files, as a sync without a memory would have to.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "fs/sys.h"
#include "timing.h"
#include "userskill/library.h"
#include "userskill/sync.h"

#define ROUNDS 9

static void __attribute__((noreturn)) give_up(const char *what)
{
	fprintf(stderr, "bench-userskill: %s\n", what);
	exit(1);
}

static void put(int root, const char *path, const struct buf *text)
{
	CLEANUP(closep)
	int fd = openat(root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || sys_write_all(fd, text->data, text->len) < 0)
		give_up(path);
}

static void put_skill(int root, int number)
{
	CLEANUP(freep) char *folder = xasprintf("skills/made/skill_number_%d_001", number);
	CLEANUP(freep) char *path = xasprintf("%s/SKILL.md", folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text,
		"# SKILL: Number %d\n\n## Metadata\n\n- ID: skill_number_%d_001\n- Version: 1.0\n"
		"- Category: made\n- Generated: 2026-02-25\n- Source: Pre-built\n"
		"- Status: Active\n\n## Trigger\n\n- /number-%d\n\n## Context Required\n\nNone\n\n"
		"## Instructions\n\n",
		number, number, number);
	for (int i = 1; i <= 20; i++)
		buf_appendf(&text, "%d. A step that says what is to be done, and how.\n", i);
	buf_append_str(
		&text, "\n## Output Format\n\nA list.\n\n## Quality Criteria\n\n- good\n");
	if (mkdirat(root, folder, 0755) < 0)
		give_up(folder);
	put(root, path, &text);
}

static struct sync_report sync_once(struct store *store, int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sync_report report = SYNC_REPORT_INIT;

	if (skill_sync(store, root, NULL, &report, &err) < 0)
		give_up(err.message);
	return report;
}

static size_t hash_all(int root)
{
	CLEANUP(library_release) struct library library = LIBRARY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t sum = 0;

	if (library_open(root, NULL, &library, &err) < 0 || library_scan(&library, &err) < 0)
		give_up(err.message);
	for (size_t i = 0; i < library.count; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		if (library_read(&library, library.files[i].path, &text, &err) < 0)
			give_up(err.message);
		sum += hash_of(view_of_buf(&text)).bytes[0];
	}
	return sum;
}

int main(int argc, char **argv)
{
	CLEANUP(closep) int root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sync_report_release) struct sync_report first = SYNC_REPORT_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	int64_t syncing[ROUNDS], hashing[ROUNDS];
	int files = argc == 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	size_t sum = 0;
	int64_t start;

	if (files <= 0)
		give_up("FILES");
	if (mkdirat(root, "skills", 0755) < 0 || mkdirat(root, "skills/made", 0755) < 0)
		give_up("skills");
	for (int i = 0; i < files; i++)
		put_skill(root, i);
	if (store_open(".", STORE_WRITE, &store, &err) < 0)
		give_up(err.message);
	start = timing_now();
	first = sync_once(store, root);
	start = timing_now() - start;
	if (first.counts[SYNC_ADDED] != (size_t)files)
		give_up("not all were added");
	for (int i = 0; i < ROUNDS; i++) {
		CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;

		syncing[i] = timing_now();
		report = sync_once(store, root);
		syncing[i] = timing_now() - syncing[i];
		if (report.wrote || report.unchanged != (size_t)files)
			give_up("something was written");
		hashing[i] = timing_now();
		sum += hash_all(root);
		hashing[i] = timing_now() - hashing[i];
	}
	printf("userskill: sync of %d files, nothing changed: %.2f of hashing them "
	       "(%.1f ms; the first time %.0f ms)%s\n",
		files, timing_median(syncing, ROUNDS) / timing_median(hashing, ROUNDS),
		timing_median(syncing, ROUNDS) / 1e6, (double)start / 1e6,
		sum ? "" : " (none)");
	return 0;
}
