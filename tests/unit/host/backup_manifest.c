#include "../test.h"

#include <string.h>

#include "host/backup/backup_manifest.h"

#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#define HEAD                                                                                   \
	"nanoclaw-backup 1\nversion 0.1.0\ncreated 2026-11-16T04:10:38.723Z\nschema 2\n"       \
	"setting KEY\n"
#define STORE  "file 600 1 0 " HASH " store/nanoclaw.db\n"
#define GROUPS "folder 755 1 groups\n"

/* With the hash of what it says, as somebody would write it who knows how. */
static int read_text(const char *lines, struct error *err)
{
	CLEANUP(backup_manifest_release)
	struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash hash = hash_of(view_of(lines));
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&hash, hex);
	buf_appendf(&text, "%ssha256 %s\n", lines, hex);
	return backup_manifest_read(view_of_buf(&text), &manifest, err);
}

static struct backup_manifest sample(void)
{
	struct backup_manifest manifest = {.version = xstrdup("0.1.0"),
		.created = xstrdup("2026-11-16T04:10:38.723Z"),
		.schema = 2};
	struct backup_entry store = {
		.path = (char[]){"store/nanoclaw.db"}, .mode = 0600, .size = 9};
	struct backup_entry groups = {
		.kind = TAR_FOLDER, .path = (char[]){"groups"}, .mode = 0755};
	struct backup_entry odd = {
		.path = (char[]){"groups/a b%\n\xff\xc3\xa4"}, .mode = 0644, .size = 1};
	struct backup_entry link = {.kind = TAR_LINK,
		.path = (char[]){"groups/l"},
		.target = (char[]){"a b%\n"},
		.mode = 0777};

	string_array_add(&manifest.settings, "KEY");
	backup_manifest_add(&manifest, &store);
	backup_manifest_add(&manifest, &groups);
	backup_manifest_add(&manifest, &odd);
	backup_manifest_add(&manifest, &link);
	return manifest;
}

static void what_was_written_is_read_whatever_the_names_are(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = sample();
	CLEANUP(backup_manifest_release) struct backup_manifest again = BACKUP_MANIFEST_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	backup_manifest_write(&manifest, &text);
	assert_int_equal(backup_manifest_read(view_of_buf(&text), &again, &err), 0);
	assert_int_equal(again.count, manifest.count);
	for (size_t i = 0; i < again.count; i++)
		assert_string_equal(again.entries[i].path, manifest.entries[i].path);
	assert_string_equal(again.entries[3].target, "a b%\n");
	assert_int_equal(backup_manifest_bytes(&again), 10);
}

static void every_changed_byte_is_found(void **state)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = sample();
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	backup_manifest_write(&manifest, &text);
	for (size_t i = 0; i < text.len; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			struct backup_manifest got = BACKUP_MANIFEST_INIT;

			text.data[i] = (char)(text.data[i] ^ (1 << bit));
			assert_int_equal(
				backup_manifest_read(view_of_buf(&text), &got, &err), -1);
			assert_int_equal(err.kind, ERROR_INVALID);
			text.data[i] = (char)(text.data[i] ^ (1 << bit));
		}
}

static void every_cut_is_found(void **state)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = sample();
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	backup_manifest_write(&manifest, &text);
	for (size_t len = 0; len < text.len; len++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct backup_manifest got = BACKUP_MANIFEST_INIT;

		assert_int_equal(
			backup_manifest_read((struct view){text.data, len}, &got, &err), -1);
	}
}

static void what_could_do_harm_is_refused(void **state)
{
	static const struct {
		const char *lines;
		const char *says;
	} cases[] = {
		{HEAD, "it has no 'store/nanoclaw.db'"},
		{HEAD STORE STORE, "'store/nanoclaw.db' appears twice"},
		{HEAD STORE GROUPS "file 644 1 0 " HASH " groups/../x\n", NULL},
		{HEAD STORE GROUPS "file 644 1 0 " HASH " groups/../../x\n", NULL},
		{HEAD STORE "file 644 1 0 " HASH " /etc/passwd\n", NULL},
		{HEAD STORE "file 644 1 0 " HASH " ../x\n", NULL},
		{HEAD STORE "file 644 1 0 " HASH " src/main.c\n",
			"'src/main.c' does not belong in a backup"},
		{HEAD STORE "file 644 1 0 " HASH " store/lock\n",
			"'store/lock' does not belong in a backup"},
		{HEAD STORE "folder 755 1 data\nfolder 755 1 data/run\n",
			"'data/run' does not belong in a backup"},
		{HEAD STORE "folder 755 1 data\nlink 1 data/run sessions\n",
			"'data/run' does not belong in a backup"},
		{HEAD STORE "folder 755 1 data\nfile 644 1 0 " HASH " data/run/pid\n",
			"'data/run/pid' does not belong in a backup"},
		{HEAD STORE "folder 755 1 .nanoclaw\n",
			"'.nanoclaw' does not belong in a backup"},
		{HEAD STORE "link 1 groups ../elsewhere\n",
			"'groups' does not belong in a backup"},
		{HEAD STORE "link 1 .env data\n", "'.env' does not belong in a backup"},
		{HEAD STORE "folder 755 1 .env\n", "'.env' does not belong in a backup"},
		{HEAD STORE "file 644 1 0 " HASH " groups/a\n",
			"the folder of 'groups/a' is missing"},
		{HEAD STORE "file 644 1 0 " HASH " groups/a\n" GROUPS,
			"the folder of 'groups/a' is missing"},
		{HEAD STORE GROUPS "link 1 groups/l b\nfile 644 1 0 " HASH " groups/l/x\n",
			"the folder of 'groups/l/x' is missing"},
		{HEAD STORE GROUPS "file 644 1 0 " HASH " groups/f\nfile 644 1 0 " HASH
				   " groups/f/x\n",
			"the folder of 'groups/f/x' is missing"},
		{HEAD STORE GROUPS "link 1 groups/l /etc\n",
			"the link 'groups/l' leads outside"},
		{HEAD STORE GROUPS "link 1 groups/l ../store\n",
			"the link 'groups/l' leads outside"},
		{HEAD STORE GROUPS "link 1 groups/l a/..\n",
			"the link 'groups/l' leads outside"},
		{HEAD STORE GROUPS "file 4755 1 0 " HASH " groups/s\n", NULL},
		{HEAD STORE GROUPS "file 644 1 99999999999999999999 " HASH " groups/b\n", NULL},
		{HEAD STORE GROUPS "file 644 1 1125899906842624 " HASH
				   " groups/b\nfile 644 1 1125899906842624 " HASH " groups/c\n",
			"it is too large"},
		{HEAD STORE GROUPS "file 644 1 0 " HASH " groups/%00\n", NULL},
		{HEAD STORE GROUPS "file 644 1 0 " HASH " groups/%61\n", NULL},
		{HEAD STORE GROUPS "fifo 644 1 groups/p\n", NULL},
		{HEAD STORE GROUPS "folder 755 1 groups\n", "'groups' appears twice"},
		{HEAD STORE GROUPS "folder 755 1 groups/\n", NULL},
		{"nanoclaw-backup 2\n", "this is not a backup of this version"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (read_text(cases[i].lines, &err) == 0)
			fail_msg("taken: %s", cases[i].lines);
		assert_int_equal(err.kind, ERROR_INVALID);
		if (cases[i].says)
			assert_string_equal(err.message, cases[i].says);
	}
}

static void links_stay_in_their_folder_at_the_top(void **state)
{
	(void)state;
	assert_true(backup_link_stays("groups/a/l", "b"));
	assert_true(backup_link_stays("groups/a/l", "../b/c"));
	assert_true(backup_link_stays("groups/a/l", "./b/./c/"));
	assert_true(backup_link_stays("data/sessions/a/.claude/skills/s", "../../x"));
	assert_false(backup_link_stays("groups/a/l", "../../data"));
	assert_false(backup_link_stays("groups/a/l", "../../.."));
	assert_false(backup_link_stays("groups/a/l", "b/../c"));
	assert_false(backup_link_stays("groups/a/l", "/app/CLAUDE.md"));
	assert_false(backup_link_stays("groups/a/l", ""));
}

TESTS(cmocka_unit_test(what_was_written_is_read_whatever_the_names_are),
	cmocka_unit_test(every_changed_byte_is_found), cmocka_unit_test(every_cut_is_found),
	cmocka_unit_test(what_could_do_harm_is_refused),
	cmocka_unit_test(links_stay_in_their_folder_at_the_top))
