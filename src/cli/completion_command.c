#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "util/quote.h"
#include "util/similar.h"

static int run_completion(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(buf_release) struct buf script = BUF_INIT;
	struct similar best = similar_to(args->words[0]);
	const struct completion_shell *shell = completion_shells;

	while (shell->name && strcmp(shell->name, args->words[0]))
		similar_consider(&best, (shell++)->name);
	if (!shell->name) {
		CLEANUP(freep) char *shown = quote(view_of(args->words[0]));

		error_set(err, ERROR_INVALID, "no completions for the shell %s", shown);
		return error_hint(err,
			best.found ? "did you mean '%s'?" : "there are bash, fish and zsh",
			best.found);
	}
	shell->print(&script);
	if (cli->json)
		output_json(json_pack("{s:b, s:s, s:s}", "success", true, "shell", shell->name,
			"script", script.data));
	else
		fwrite(script.data, 1, script.len, stdout);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"source <(nanoclaw completion bash)", "complete in this bash"},
	{"nanoclaw completion fish > ~/.config/fish/completions/nanoclaw.fish",
		"in every fish"},
	{0},
};

static const char *const words[] = {"bash", "fish", "zsh", NULL};

COMMAND(completion) = {
	.name = "completion",
	.summary = "print completions for a shell",
	.usage = "bash|fish|zsh",
	.description =
		"'make install' puts them where the shells look for them; this is for the others.",
	.section = SECTION_START,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = COMPLETE_WORDS,
	.words = words,
	.run = run_completion,
};
