#include "engine/disk/journal.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "engine/disk/project.h"
#include "fs/file.h"

#define HEADER "nanoclaw-journal 1"

static const char *const kind_names[] = {
	[CHANGE_PUT] = "put",
	[CHANGE_REMOVE] = "remove",
	[CHANGE_FOLDER] = "folder",
	[CHANGE_LINK] = "link",
	[CHANGE_TAKE] = "take",
};

static void journal_append_folders(
	struct buf *out, const char *word, const struct relpath_list *folders)
{
	for (size_t i = 0; i < folders->count; i++) {
		buf_appendf(out, "%s ", word);
		escape_append(out, folders->list[i].text);
		buf_append_char(out, '\n');
	}
}

void journal_seal(struct buf *text)
{
	char hex[HASH_HEX_SIZE];

	hash_hex_of(view_of_buf(text), hex);
	buf_appendf(text, "end %s\n", hex);
}

void journal_format(const struct journal *journal, struct buf *out)
{
	char hex[HASH_HEX_SIZE];

	buf_append_str(out, HEADER "\noperation ");
	escape_append(out, journal->operation);
	buf_append_char(out, '\n');
	if (journal->created_nanoclaw)
		buf_append_str(out, "created\n");
	journal_append_folders(out, "made", &journal->folders);
	journal_append_folders(out, "leaves", &journal->leaving);
	if (journal->undoes)
		buf_appendf(out, "undoes %u\n", journal->undoes);
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];

		hash_to_hex(&change->hash, hex);
		buf_appendf(out, "%s %u %d %o %s ", kind_names[change->kind], change->number,
			change->had_before, change->mode, hex);
		escape_append(out, change->path.text);
		buf_append_char(out, '\n');
		if (change->edited)
			buf_append_str(out, "edited\n");
		if (!change->exposed)
			continue;
		hash_to_hex(&change->earlier, hex);
		buf_appendf(out, "exposed %s\n", hex);
	}
	journal_seal(out);
}

/* --- the list of changes, with a hash table of their paths --- */

/* The slot of the path, or the free one for it. FNV-1a, linear probing. */
static size_t *journal_slot(const struct journal *journal, const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (const char *p = path; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	for (i = hash % journal->slot_count; journal->slots[i];
		i = (i + 1) % journal->slot_count)
		if (!strcmp(journal->changes[journal->slots[i] - 1].path.text, path))
			break;
	return &journal->slots[i];
}

struct change *journal_add(struct journal *journal, struct change change)
{
	if (journal->change_count * 2 >= journal->slot_count) {
		free(journal->slots);
		journal->slot_count = journal->slot_count * 2 + 61;
		journal->slots = xcalloc(journal->slot_count, sizeof(*journal->slots));
		for (size_t i = 0; i < journal->change_count; i++)
			*journal_slot(journal, journal->changes[i].path.text) = i + 1;
	}
	GROW(journal->changes, journal->change_count, journal->change_cap);
	journal->changes[journal->change_count++] = change;
	*journal_slot(journal, change.path.text) = journal->change_count;
	return &journal->changes[journal->change_count - 1];
}

void change_file_name(const struct change *change, char ret_name[static CHANGE_NAME_SIZE])
{
	snprintf(ret_name, CHANGE_NAME_SIZE, "%u", change->number);
}

bool change_puts(const struct change *change)
{
	return change->kind == CHANGE_PUT || change->kind == CHANGE_LINK;
}

struct change *journal_find(const struct journal *journal, const struct relpath *path)
{
	size_t found = journal->slot_count ? *journal_slot(journal, path->text) : 0;

	return found ? &journal->changes[found - 1] : NULL;
}

/* --- reading --- */

static int journal_parse_path(struct view text, struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *plain = escape_undo(text);

	if (relpath_parse(view_of(plain), ret_path, err) < 0)
		return -1;
	/* We never change .git, and .nanoclaw only under exactly this name. */
	if (relpath_protected(ret_path) && strncmp(plain, ".nanoclaw/", 10) != 0) {
		relpath_release(ret_path);
		*ret_path = RELPATH_INIT;
		return error_set(err, ERROR_INVALID, "the journal names '%s'", plain);
	}
	return 0;
}

static bool journal_parse_number(struct view text, int base, unsigned long *ret_number)
{
	CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
	char *end;

	*ret_number = strtoul(copy, &end, base);
	return text.len && !*end;
}

/* "put 3 1 644 <hash> <path>", without the first word. */
static int journal_parse_change(
	struct journal *journal, enum change_kind kind, struct view rest, struct error *err)
{
	struct change change = {.kind = kind};
	unsigned long number, before, mode;
	struct view word;

	if (!view_next(&rest, ' ', &word) || !journal_parse_number(word, 10, &number) ||
		!view_next(&rest, ' ', &word) || !journal_parse_number(word, 10, &before) ||
		!view_next(&rest, ' ', &word) || !journal_parse_number(word, 8, &mode) ||
		!view_next(&rest, ' ', &word) || hash_from_hex(word, &change.hash, err) < 0 ||
		journal_parse_path(rest, &change.path, err) < 0)
		return error_set(err, ERROR_INVALID, "a line of the journal cannot be read");
	change.number = (unsigned)number;
	change.had_before = before;
	change.mode = (mode_t)mode;
	journal_add(journal, change);
	return 0;
}

static int journal_parse_line(struct journal *journal, struct view line, struct error *err)
{
	struct relpath folder = RELPATH_INIT;
	struct change *last = NULL; /* the line above, which some lines add to */
	struct view word;

	if (journal->change_count)
		last = &journal->changes[journal->change_count - 1];
	view_next(&line, ' ', &word);
	if (view_equal_str(word, "operation")) {
		free(journal->operation);
		journal->operation = escape_undo(line);
		return 0;
	}
	if (view_equal_str(word, "created")) {
		journal->created_nanoclaw = true;
		return 0;
	}
	if (view_equal_str(word, "made") || view_equal_str(word, "leaves")) {
		if (journal_parse_path(line, &folder, err) < 0)
			return -1;
		relpath_list_add(
			view_equal_str(word, "made") ? &journal->folders : &journal->leaving,
			folder);
		return 0;
	}
	if (view_equal_str(word, "undoes")) {
		CLEANUP(freep) char *number = xmemdupz(line.data, line.len);

		journal->undoes = (unsigned)strtoul(number, NULL, 10);
		return 0;
	}
	if (view_equal_str(word, "edited") && last) {
		last->edited = true;
		return 0;
	}
	if (view_equal_str(word, "exposed") && last) {
		last->exposed = true;
		return hash_from_hex(line, &last->earlier, err);
	}
	for (size_t kind = 0; kind < ARRAY_SIZE(kind_names); kind++)
		if (view_equal_str(word, kind_names[kind]))
			return journal_parse_change(journal, (enum change_kind)kind, line, err);
	return error_set(err, ERROR_INVALID, "a line of the journal cannot be read");
}

int journal_unseal(struct view *text, struct error *err)
{
	size_t end_len = strlen("end ") + HASH_HEX_SIZE;
	struct view body, line;
	struct hash said, real;

	if (text->len < end_len)
		return error_set(err, ERROR_INVALID, "the journal is incomplete");
	body = view_slice(*text, 0, text->len - end_len);
	line = view_slice(*text, text->len - end_len, text->len);
	if (!view_starts_with(line, "end ") || !view_ends_with(line, "\n") ||
		hash_from_hex(view_slice(line, 4, end_len - 1), &said, err) < 0)
		return error_set(err, ERROR_INVALID, "the journal is incomplete");
	real = hash_of(body);
	if (!hash_equal(&said, &real))
		return error_set(err, ERROR_INVALID, "the journal is damaged");
	*text = body;
	return 0;
}

int journal_parse(struct view text, struct journal *ret_journal, struct error *err)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	struct view line;

	if (journal_unseal(&text, err) < 0)
		return -1;
	if (!view_next(&text, '\n', &line) || !view_equal_str(line, HEADER))
		return error_set(err, ERROR_INVALID, "the journal has a different version");
	while (view_next(&text, '\n', &line))
		if (journal_parse_line(&journal, line, err) < 0)
			return -1;
	if (!journal.operation)
		return error_set(err, ERROR_INVALID, "the journal names no operation");
	*ret_journal = journal;
	journal = JOURNAL_INIT;
	return 0;
}

int journal_read(int folder, const char *name, struct journal *ret_journal, struct error *err)
{
	CLEANUP(closep) int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fd < 0)
		error_errno(err, "cannot read '%s'", name);
	else if (file_read_fd(fd, name, JOURNAL_MAX_SIZE, &text, err) == 0 &&
		 journal_parse(view_of_buf(&text), ret_journal, err) == 0)
		return 0;
	return damage_hint(err);
}

void journal_release(struct journal *journal)
{
	free(journal->operation);
	relpath_list_release(&journal->folders);
	relpath_list_release(&journal->leaving);
	for (size_t i = 0; i < journal->change_count; i++)
		relpath_release(&journal->changes[i].path);
	free(journal->changes);
	free(journal->slots);
}
