/*
 * For tests of new cores: a project in `project` whose core is 0.5.0, a new core in `new`, and
 * a text that describes the changes from one to the other.
 */
#ifndef UNIT_CORE_SOURCE_RUN_H
#define UNIT_CORE_SOURCE_RUN_H

#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/newcore/core_source.h"
#include "tempdir.h"

/* Long enough for a rename to be found by it. */
#define LINES "a line\nanother line\nand a third line that goes on for a little\n"

static inline void put_below(
	struct tempdir *temp, const char *folder, const char *path, const char *content)
{
	CLEANUP(freep) char *name = xasprintf("%s/%s", folder, path);

	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!tempdir_exists(temp->fd, name))
			tempdir_mkdir(temp->fd, name);
		*slash = '/';
	}
	tempdir_put(temp->fd, name, content);
}

static inline void put_base(struct tempdir *temp, const char *path, const char *content)
{
	put_below(temp, "project/.nanoclaw/base", path, content);
}

static inline void put_project(struct tempdir *temp, const char *path, const char *content)
{
	put_below(temp, "project", path, content);
}

static inline void put_new(struct tempdir *temp, const char *path, const char *content)
{
	put_below(temp, "new", path, content);
}

/* Fails as core_source_open() does. */
static inline int try_source(struct tempdir *temp, const char *name, const char *to,
	const char *old_version, struct core_source *ret_source, struct error *err)
{
	struct project project = {.path = temp->path};
	CLEANUP(closep) int root = openat(temp->fd, "project", O_RDONLY | O_DIRECTORY);
	CLEANUP(closep) int base = openat(root, ".nanoclaw/base", O_RDONLY | O_DIRECTORY);
	CLEANUP(freep)
	char *path = *name == ':' ? xstrdup(name + 1) : xasprintf("%s/%s", temp->path, name);

	project.root = root;
	return core_source_open(
		&(struct core_request){
			.project = &project,
			.base = base,
			.old_version = old_version,
			.typed = path,
			.to = to,
		},
		ret_source, err);
}

static inline void open_source(
	struct tempdir *temp, const char *name, const char *to, struct core_source *ret_source)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (try_source(temp, name, to, "0.5.0", ret_source, &err) < 0)
		fail_msg("%s", err.message);
}

/* The path of the temporary folder becomes the name in it, in brackets. */
static inline char *without_temp(struct tempdir *temp, const char *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	size_t len = strlen(temp->path);

	while (*text) {
		if (strncmp(text, temp->path, len) != 0) {
			buf_append_char(&out, *text++);
			continue;
		}
		text += len + 1;
		buf_append_char(&out, '[');
		for (; *text && !strchr("/'\" :", *text); text++)
			buf_append_char(&out, *text);
		buf_append_char(&out, ']');
	}
	return buf_take(&out);
}

/* `expected` may end in "[..]". */
static inline void assert_refused_as(struct tempdir *temp, const char *name, const char *to,
	const char *old_version, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(freep) char *message = NULL;
	const char *open = strstr(expected, "[..]");

	assert_int_equal(try_source(temp, name, to, old_version, &source, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	message = without_temp(temp, err.message);
	if (open && !strncmp(message, expected, (size_t)(open - expected)))
		return;
	assert_string_equal(message, expected);
}

static inline void assert_refused(
	struct tempdir *temp, const char *name, const char *to, const char *expected)
{
	assert_refused_as(temp, name, to, "0.5.0", expected);
}

static inline void show_file(struct buf *out, const struct core_file *file, const char *prefix)
{
	static const char *const changes[] = {
		[CORE_SAME] = "same",
		[CORE_ADDED] = "added",
		[CORE_CHANGED] = "changed",
		[CORE_MOVED] = "moved",
	};

	buf_appendf(out, "%s%s %s", prefix,
		file->file.kind == TX_ABSENT ? "gone" : changes[file->change], file->path.text);
	if (file->from.text && relpath_compare(&file->from, &file->path) != 0)
		buf_appendf(out, " <- %s%s", file->from.text, file->found ? " (found)" : "");
	buf_append_char(out, '\n');
}

static inline void show_source(
	struct tempdir *temp, const struct core_source *source, struct buf *out)
{
	for (size_t i = 0; i < source->files.count; i++)
		show_file(out, &source->files.list[i], "");
	for (size_t i = 0; i < source->deleted_count; i++)
		buf_appendf(out, "deleted %s\n", source->deleted[i].text);
	for (size_t i = 0; i < source->remap.count; i++)
		buf_appendf(out, "remap %s -> %s\n", source->remap.list[i].from.text,
			source->remap.list[i].to.text);
	for (size_t i = 0; i < source->packages.count; i++)
		show_file(out, &source->packages.list[i], "package ");
	for (size_t i = 0; i < source->resolutions.count; i++)
		buf_appendf(out, "resolutions %s\n",
			source->resolutions.list[i] + strlen(temp->path) + 1);
}

static inline void assert_source(
	struct tempdir *temp, const char *name, const char *to, const char *expected)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(buf_release) struct buf shown = BUF_INIT;

	open_source(temp, name, to ? to : "1.0.0", &source);
	show_source(temp, &source, &shown);
	assert_string_equal(shown.data, expected);
}

static inline int project_setup(void **state)
{
	if (tempdir_setup(state) != 0)
		return -1;
	for (size_t i = 0; i < 4; i++)
		tempdir_mkdir(((struct tempdir *)*state)->fd,
			(const char *const[]){"project", "project/.nanoclaw",
				"project/.nanoclaw/base", "new"}[i]);
	return 0;
}

#define IN_PROJECT(test) cmocka_unit_test_setup_teardown(test, project_setup, tempdir_teardown)

#endif
