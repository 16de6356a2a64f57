#include "test.h"

#include <string.h>
#include <sys/stat.h>

#include "agent/native/prompt.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tempdir.h"

static char *prompt_in(const struct tempdir *temp, size_t max)
{
	CLEANUP(freep) char *home = xasprintf("%s/home", temp->path);

	char *text = prompt_build(&(struct prompt_options){.folder = temp->path, .home = home});

	prompt_cut(&text, max);
	return text;
}

static void imports_and_memory_are_in_it(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;

	tempdir_put(
		temp->fd, "CLAUDE.md", "first\n@./.shared.md\nlast\n@ nobody\n@./missing\n");
	tempdir_put(temp->fd, ".shared.md", "shared\n@./deeper.md\n");
	tempdir_put(temp->fd, "deeper.md", "deeper\n");
	tempdir_put(temp->fd, "CLAUDE.local.md", "likes tea\n");
	text = prompt_in(temp, 100000);
	assert_non_null(strstr(text, "first\nshared\ndeeper\nlast\n@ nobody\nlikes tea\n"));
}

static void a_file_that_imports_itself_ends(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;

	tempdir_put(temp->fd, "CLAUDE.md", "x\n@./CLAUDE.md\n");
	text = prompt_in(temp, 100000);
	assert_non_null(strstr(text, "x\nx\n"));
}

/* Either would keep the agent of this group from ever starting again. */
static void neither_a_pipe_nor_many_imports_hold_up_the_start(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(buf_release) struct buf imports = BUF_INIT;
	CLEANUP(freep) char *text = NULL;

	for (int i = 0; i < 1000; i++)
		buf_append_str(&imports, "@./CLAUDE.md\n");
	buf_append_str(&imports, "the end\n");
	tempdir_put(temp->fd, "CLAUDE.md", imports.data);
	assert_int_equal(mkfifoat(temp->fd, "CLAUDE.local.md", 0600), 0);
	text = prompt_in(temp, 1000000);
	assert_non_null(strstr(text, "the end\n"));
	tempdir_mkdir(temp->fd, "home");
	tempdir_mkdir(temp->fd, "home/skills");
	tempdir_mkdir(temp->fd, "home/skills/odd");
	assert_int_equal(mkfifoat(temp->fd, "home/skills/odd/SKILL.md", 0600), 0);
	free(text);
	text = prompt_in(temp, 1000000);
	assert_null(strstr(text, "odd"));
}

static void skills_are_sorted_and_have_their_descriptions(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *again = NULL;
	const char *a;
	const char *b;

	tempdir_mkdir(temp->fd, "home");
	tempdir_mkdir(temp->fd, "home/skills");
	tempdir_mkdir(temp->fd, "home/skills/zeta");
	tempdir_mkdir(temp->fd, "home/skills/alpha");
	tempdir_put(temp->fd, "home/skills/zeta/SKILL.md", "---\nname: zeta\n---\n");
	tempdir_put(temp->fd, "home/skills/alpha/SKILL.md",
		"---\ndescription: \"does it\"\n---\ndescription: not this\n");
	text = prompt_in(temp, 100000);
	again = prompt_in(temp, 100000);
	a = strstr(text, "- alpha: does it\n");
	b = strstr(text, "- zeta\n");
	assert_true(a && b && a < b);
	assert_non_null(strstr(text, "/home/skills/NAME/SKILL.md"));
	assert_null(strstr(text, "not this"));
	assert_string_equal(text, again);
}

static void more_than_fits_is_cut_between_characters(void **state)
{
	CLEANUP(buf_release) struct buf umlauts = BUF_INIT;
	struct tempdir *temp = *state;

	for (int i = 0; i < 1000; i++)
		buf_append_str(&umlauts, "ü");
	tempdir_put(temp->fd, "CLAUDE.md", umlauts.data);
	for (size_t max = 560; max < 580; max++) {
		CLEANUP(freep) char *text = prompt_in(temp, max);
		size_t kept = (size_t)(strstr(text, "\n[The instructions are cut") - text);

		assert_true(kept == max || kept == max - 1);
		assert_int_equal(utf8_valid_len(view_of(text)), strlen(text));
	}
}

TESTS(IN_TEMPDIR(imports_and_memory_are_in_it), IN_TEMPDIR(a_file_that_imports_itself_ends),
	IN_TEMPDIR(neither_a_pipe_nor_many_imports_hold_up_the_start),
	IN_TEMPDIR(skills_are_sorted_and_have_their_descriptions),
	IN_TEMPDIR(more_than_fits_is_cut_between_characters))
