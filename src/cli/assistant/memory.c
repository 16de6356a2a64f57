/*
 * The memory of a group, for people and programs that edit it: 'memory show' and 'memory write'.
 * Its agent writes the same file, so a program names the hash of the text that it showed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/assistant/assistant.h"
#include "cli/output.h"
#include "compose/plan.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"

#define MEMORY_MAX ((size_t)1024 * 1024)

struct group_memory {
	struct assistant assistant;
	struct group group;
	struct relpath path;
	struct buf text;
};

#define GROUP_MEMORY_INIT                                                                      \
	((struct group_memory){                                                                \
		.assistant = ASSISTANT_INIT, .group = GROUP_INIT, .text = BUF_INIT})

static void group_memory_release(struct group_memory *m)
{
	buf_release(&m->text);
	relpath_release(&m->path);
	group_release(&m->group);
	assistant_release(&m->assistant);
}

/* A group without the file has an empty memory. */
static int group_memory_read(
	struct group_memory *m, const struct arguments *args, struct error *err)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;

	if (assistant_look(&m->assistant, err) < 0 ||
		assistant_group(&m->assistant, args->words[0], &m->group, err) < 0)
		return -1;
	path = xasprintf("groups/%s/" COMPOSE_MEMORY, m->group.folder);
	if (relpath_parse(view_of(path), &m->path, err) < 0)
		return -1;
	if (beneath_read(m->assistant.project.root, &m->path, MEMORY_MAX, &m->text, &failed) <
			0 &&
		failed.errnum != ENOENT)
		return error_move(err, &failed);
	return 0;
}

static int group_memory_output(const struct cli *cli, const struct group_memory *m)
{
	char hex[HASH_HEX_SIZE];

	hash_hex_of(view_of_buf(&m->text), hex);
	if (cli->json) {
		output_success("group:s path:s sha256:s text:v", m->group.folder, m->path.text,
			hex, view_of_buf(&m->text));
	} else {
		CLEANUP(freep) char *shown = output_text(m->text.data ? m->text.data : "");

		printf("%s", shown);
	}
	return EXIT_DONE;
}

static int run_memory_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(group_memory_release) struct group_memory memory = GROUP_MEMORY_INIT;

	if (group_memory_read(&memory, args, err) < 0)
		return -1;
	return group_memory_output(cli, &memory);
}

COMMAND(memory_show) = {
	.name = "memory show",
	.summary = "show what a group's agent remembers",
	.usage = "<group>",
	.description =
		"Prints 'groups/FOLDER/CLAUDE.local.md'. With --json, 'sha256' is the hash\n"
		"that 'memory write --if-hash' takes.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_memory_show,
};

static int run_memory_write(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(group_memory_release) struct group_memory memory = GROUP_MEMORY_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	const char *wanted = arguments_value(args, "if-hash");
	char hex[HASH_HEX_SIZE];

	if (file_read_fd(STDIN_FILENO, "standard input", MEMORY_MAX, &text, err) < 0 ||
		group_memory_read(&memory, args, err) < 0)
		return -1;
	hash_hex_of(view_of_buf(&memory.text), hex);
	if (wanted && strcmp(wanted, hex) != 0) {
		cli->failure = json_build("changed:b", true);
		return error_set(err, ERROR_FAILED,
			"'%s' has changed since it was shown; nothing was written",
			memory.path.text);
	}
	if (beneath_open_parent(memory.assistant.project.root, &memory.path, 0, &folder, err) <
			0 ||
		replace_file(folder, relpath_base(&memory.path), view_of_buf(&text), 0600, NULL,
			0, err) < 0)
		return -1;
	buf_release(&memory.text);
	memory.text = text;
	text = BUF_INIT;
	return cli->json ? group_memory_output(cli, &memory) : EXIT_DONE;
}

static const struct option options[] = {
	{.name = "if-hash",
		.argument = "SHA256",
		.help = "change nothing unless the memory has this hash"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw memory write family < family.md", "replace the memory of a group"},
	{0},
};

COMMAND(memory_write) = {
	.name = "memory write",
	.summary = "replace what a group's agent remembers, from standard input",
	.usage = "<group>",
	.description =
		"At most 1 MiB. The memory is replaced in one step. The agent may write it at any\n"
		"time too: with --if-hash, nothing that it wrote in the meantime is lost.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_memory_write,
};
