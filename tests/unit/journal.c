#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "engine/disk/journal.h"

static struct relpath path(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath ret = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &ret, &err), 0);
	return ret;
}

static void fill(struct journal *journal)
{
	journal->operation = xstrdup("skill apply a\nb\\c");
	journal->created_nanoclaw = true;
	relpath_list_add(&journal->folders, path("src/new"));
	journal_add(journal, (struct change){.kind = CHANGE_PUT,
				     .path = path("src/new/line\nbreak\\n"),
				     .number = 0,
				     .hash = hash_of(view_of("x")),
				     .mode = 0755});
	journal_add(journal, (struct change){.kind = CHANGE_REMOVE,
				     .path = path("gone"),
				     .number = 1,
				     .had_before = true});
	journal_add(journal, (struct change){.kind = CHANGE_TAKE,
				     .path = path(".nanoclaw/base"),
				     .number = 2,
				     .had_before = true});
	journal_add(journal, (struct change){.kind = CHANGE_PUT,
				     .path = path("settled"),
				     .number = 3,
				     .exposed = true,
				     .edited = true});
	relpath_list_add(&journal->leaving, path("src/old folder"));
}

static void a_journal_can_be_read_back(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(journal_release) struct journal written = JOURNAL_INIT;
	CLEANUP(journal_release) struct journal read = JOURNAL_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	fill(&written);
	journal_format(&written, &text);
	assert_int_equal(journal_parse(view_of_buf(&text), &read, &err), 0);
	assert_string_equal(read.operation, "skill apply a\nb\\c");
	assert_true(read.created_nanoclaw);
	assert_int_equal(read.folders.count, 1);
	assert_int_equal(read.change_count, 4);
	assert_string_equal(read.changes[0].path.text, "src/new/line\nbreak\\n");
	assert_int_equal(read.changes[0].mode, 0755);
	assert_true(hash_equal(&read.changes[0].hash, &written.changes[0].hash));
	assert_int_equal(read.changes[1].kind, CHANGE_REMOVE);
	assert_true(read.changes[1].had_before);
	assert_false(read.changes[1].edited);
	assert_int_equal(read.changes[2].kind, CHANGE_TAKE);
	assert_true(read.changes[3].edited);
	assert_true(read.changes[3].exposed);
	assert_int_equal(read.leaving.count, 1);
	assert_string_equal(read.leaving.list[0].text, "src/old folder");
}

static void a_journal_that_was_cut_or_changed_is_refused(void **state)
{
	CLEANUP(journal_release) struct journal written = JOURNAL_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	fill(&written);
	journal_format(&written, &text);
	for (size_t len = 0; len < text.len; len++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct journal read = JOURNAL_INIT;
		struct view part = view_slice(view_of_buf(&text), 0, len);

		assert_int_equal(journal_parse(part, &read, &err), -1);
	}
	for (size_t i = 0; i < text.len; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct journal read = JOURNAL_INIT;

		text.data[i] ^= 1;
		assert_int_equal(journal_parse(view_of_buf(&text), &read, &err), -1);
		text.data[i] ^= 1;
	}
}

static void a_change_is_found_by_its_path_among_many(void **state)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	char name[32];

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "folder/file-%u", i);
		journal_add(&journal, (struct change){.path = path(name), .number = i});
	}
	for (unsigned i = 0; i < 5000; i += 7) {
		CLEANUP(relpath_release) struct relpath wanted = RELPATH_INIT;

		snprintf(name, sizeof(name), "folder/file-%u", i);
		wanted = path(name);
		assert_int_equal(journal_find(&journal, &wanted)->number, i);
	}
	CLEANUP(relpath_release) struct relpath unknown = path("folder/file-5000");
	assert_null(journal_find(&journal, &unknown));
}

TESTS(cmocka_unit_test(a_journal_can_be_read_back),
	cmocka_unit_test(a_journal_that_was_cut_or_changed_is_refused),
	cmocka_unit_test(a_change_is_found_by_its_path_among_many))
