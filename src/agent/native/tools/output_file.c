#include "agent/native/tools/output_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "format/clean_text.h"
#include "fs/file.h"
#include "fs/sys.h"

#define OUTPUT_PREFIX "output-"

/* Part of the shown size, reserved for the note. */
#define OUTPUT_NOTE 300

void output_file_start(struct output_file *output, const char *folder, size_t max)
{
	*output = OUTPUT_FILE_INIT;
	output->folder = folder;
	output->max = max > 2 * OUTPUT_NOTE ? max - OUTPUT_NOTE : OUTPUT_NOTE;
}

void output_file_release(struct output_file *output)
{
	buf_release(&output->head);
	buf_release(&output->tail);
	closep(&output->fd);
	freep(&output->path);
}

/* --- the file ---------------------------------------------------------------- */

/* Leave room for one more. Best effort: a file that stays does no harm. */
static void output_remove_old(int dirfd)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	size_t count = 0;

	file_names_newest(dirfd, ".", S_IFREG, &names);
	for (size_t i = 0; i < names.count; i++)
		if (view_starts_with(view_of(names.list[i]), OUTPUT_PREFIX) &&
			++count >= OUTPUT_FILE_KEPT)
			sys.unlink(dirfd, names.list[i], 0);
}

static void output_create(struct output_file *output)
{
	CLEANUP(closep) int dirfd = -1;
	CLEANUP(freep) char *name = NULL;
	uint64_t number;

	if (!output->folder || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return;
	sys.mkdir(AT_FDCWD, output->folder, 0700);
	dirfd = open(output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return;
	output_remove_old(dirfd);
	name = xasprintf(OUTPUT_PREFIX "%016" PRIx64 ".txt", number);
	output->fd = sys.create(
		dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (output->fd >= 0)
		output->path = xasprintf("%s/%s", output->folder, name);
}

static void output_put(struct output_file *output, struct view bytes, uint64_t before)
{
	size_t len = bytes.len;

	if (output->fd < 0 || output->full)
		return;
	if (before + len > OUTPUT_FILE_MAX)
		len = (size_t)(OUTPUT_FILE_MAX - before);
	output->full = len < bytes.len || sys_write_all(output->fd, bytes.data, len) < 0;
}

/* --- the shown part ---------------------------------------------------------- */

static size_t output_head_max(const struct output_file *output)
{
	return output->max / 3;
}

static size_t output_tail_max(const struct output_file *output)
{
	return output->max - output_head_max(output);
}

/* Keep the last bytes: the buffer is moved only when it has twice as many. */
static void output_keep_tail(struct output_file *output, struct view bytes)
{
	size_t max = output_tail_max(output);
	struct buf *tail = &output->tail;

	if (bytes.len > max)
		bytes = view_slice(bytes, bytes.len - max, bytes.len);
	if (tail->len + bytes.len > 2 * max) {
		size_t keep = max - bytes.len < tail->len ? max - bytes.len : tail->len;

		memmove(tail->data, tail->data + tail->len - keep, keep);
		buf_set_len(tail, keep);
	}
	buf_append(tail, bytes.data, bytes.len);
}

void output_file_add(struct output_file *output, struct view bytes)
{
	uint64_t before = output->total;

	output->total += bytes.len;
	if (!output->cut) {
		buf_append(&output->head, bytes.data, bytes.len);
		if (output->total <= output->max)
			return;
		/*
		 * From here on the output goes to a file, and the end may also have to be shown.
		 */
		bytes = view_of_buf(&output->head);
		output->cut = true;
		output_create(output);
		output_put(output, bytes, 0);
		output_keep_tail(output, view_slice(bytes, output_head_max(output), bytes.len));
		buf_set_len(&output->head, output_head_max(output));
		return;
	}
	output_put(output, bytes, before);
	output_keep_tail(output, bytes);
}

/* The first bytes, up to the end of a line if there is one near. */
static struct view output_first(struct view text, size_t max)
{
	struct view first = view_slice(text, 0, clean_text_cut(text, max));
	const char *end = first.len ? memrchr(first.data, '\n', first.len) : NULL;

	if (end && (size_t)(end - first.data) > first.len / 2)
		return view_slice(first, 0, (size_t)(end - first.data) + 1);
	return first;
}

/* The last bytes, from the start of a line if there is one near. */
static struct view output_last(struct view text, size_t max)
{
	struct view last = text;
	const char *end;

	if (last.len > max)
		last = view_slice(text, clean_text_cut(text, text.len - max + 3), text.len);
	end = last.len ? memchr(last.data, '\n', last.len / 2) : NULL;
	return end ? view_slice(last, (size_t)(end - last.data) + 1, last.len) : last;
}

void output_file_show(const struct output_file *output, struct buf *out)
{
	CLEANUP(buf_release) struct buf head = BUF_INIT;
	CLEANUP(buf_release) struct buf tail = BUF_INIT;
	struct view first;

	clean_text_append(&head, view_of_buf(&output->head));
	clean_text_append(&tail, view_of_buf(&output->tail));
	/* Bytes that are not UTF-8 take up three times the room. */
	if (!output->cut && head.len <= output->max) {
		buf_append(out, head.data, head.len);
		return;
	}
	first = output_first(view_of_buf(&head), output_head_max(output));
	buf_append(out, first.data, first.len);
	if (first.len && first.data[first.len - 1] != '\n')
		buf_append_char(out, '\n');
	buf_appendf(out, "… (the middle of %" PRIu64 " bytes is left out", output->total);
	if (output->path)
		buf_appendf(out, "; %s is in '%s'",
			output->full ? "the first 16 MB" : "all of it", output->path);
	buf_append_str(out, ")\n");
	first = output_last(view_of_buf(output->cut ? &tail : &head), output_tail_max(output));
	buf_append(out, first.data, first.len);
}
