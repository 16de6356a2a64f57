#include "cli/completion.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "base/view.h"
#include "cli/output.h"

extern const struct completer *const __start_nanoclaw_completers[];
extern const struct completer *const __stop_nanoclaw_completers[];

/* --- candidates -------------------------------------------------------------- */

struct completion {
	const char *begins; /* the typed part of the word */
	const char *prefix; /* "--group=", if the word begins with an option to complete */
	/* The meaning of the words before the cursor. */
	struct buf name; /* of the command or group, as far as typed */
	const struct command *command;
	const struct option *option; /* whose value is to come */
	const char *first;           /* the first argument */
	size_t arguments;
	bool literal; /* after "--" */
	bool nowhere; /* the folder of -C does not exist */
};

void completion_add(struct completion *completion, const char *word, const char *says)
{
	CLEANUP(freep) char *line = output_first_line(says ? says : "");

	if (strncmp(word, completion->begins, strlen(completion->begins)) == 0)
		printf("%s%s%s%s\n", completion->prefix ? completion->prefix : "", word,
			*line ? "\t" : "", line);
}

/* The words of "record|continue|abort". */
static void add_words(struct completion *completion, const char *argument)
{
	struct view rest = view_of(argument);
	struct view word;

	while (view_next(&rest, '|', &word)) {
		CLEANUP(freep) char *text = xmemdupz(word.data, word.len);

		completion_add(completion, text, NULL);
	}
}

/* The options of a command, or the global ones. */
static void add_options(struct completion *completion, const struct command *command,
	const struct option *options)
{
	for (const struct option *o = options; o && (o->letter || o->name); o++) {
		CLEANUP(freep)
		char *spelled = o->name ? xasprintf("--%s%s", o->name, o->argument ? "=" : "")
					: xasprintf("-%c", o->letter);
		CLEANUP(freep) char *help = command_option_help(command, o);

		completion_add(completion, spelled, help);
	}
}

/* The "apply" of "skill apply" if the group is "skill", else NULL. Every name follows "". */
static const char *name_behind(const struct command *command, const char *group)
{
	size_t len = strlen(group);

	if (command->section == SECTION_HIDDEN || strncmp(command->name, group, len) != 0)
		return NULL;
	if (!len)
		return command->name;
	return command->name[len] == ' ' ? command->name + len + 1 : NULL;
}

/* The first words of all commands, or the second ones of a group. */
static void add_commands(struct completion *completion, const char *group)
{
	CLEANUP(freep) char *last = NULL;

	for (const struct command *const *c = command_list(); *c; c++) {
		CLEANUP(buf_release) struct buf members = BUF_INIT;
		CLEANUP(freep) char *word = NULL;
		const char *name = name_behind(*c, group);

		if (!name)
			continue;
		word = xmemdupz(name, strcspn(name, " "));
		if (last && !strcmp(last, word))
			continue;
		for (const struct command *const *m = c; *m; m++)
			if (name_behind(*m, word))
				buf_appendf(&members, "%s%s", members.len ? " " : "",
					name_behind(*m, word));
		completion_add(completion, word,
			command_find(word) || *group ? (*c)->summary : members.data);
		free(last);
		last = TAKE(word);
	}
}

/* All candidates of this kind. `argument` is its name in the help. */
static void add_kind(struct completion *completion, enum completes completes,
	const char *argument, const char *const *words)
{
	if (completes == COMPLETE_FILES)
		printf(":files\n");
	if (completes == COMPLETE_FOLDERS || completes == COMPLETE_SKILLS)
		printf(":folders\n");
	if (completes == COMPLETE_COMMANDS)
		add_commands(completion, completion->first ? completion->first : "");
	if (completes == COMPLETE_WORDS)
		for (; words && *words; words++)
			completion_add(completion, *words, NULL);
	if (argument && strchr(argument, '|'))
		add_words(completion, argument);
	for (const struct completer *const *c = __start_nanoclaw_completers;
		c != __stop_nanoclaw_completers && !completion->nowhere; c++)
		if ((*c)->completes == completes)
			(*c)->list(completion);
}

/* --- the words before the cursor --------------------------------------------- */

static const struct option *find_option(const struct option *table, const char *word)
{
	const char *name = word + 2;

	for (const struct option *o = table; o && (o->letter || o->name); o++)
		if (word[1] == '-' ? o->name && !strncmp(o->name, name, strcspn(name, "=")) &&
					     strlen(o->name) == strcspn(name, "=")
				   : o->letter && o->letter == word[1])
			return o;
	return NULL;
}

/* The option that the word spells, of the command or a global one, or NULL. */
static const struct option *option_of(const struct completion *completion, const char *word)
{
	const struct option *own =
		completion->command ? find_option(completion->command->options, word) : NULL;

	return own ? own : find_option(global_options, word);
}

static bool is_option(const struct completion *completion, const char *word)
{
	return word[0] == '-' && word[1] && !completion->literal;
}

static void take_option(struct completion *completion, const char *word)
{
	const struct option *option = option_of(completion, word);
	bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != '\0';

	if (!strcmp(word, "--"))
		completion->literal = true;
	else if (option && option->argument && !has_value)
		completion->option = option;
}

/* A part of the name of the command, if it goes on so, or else an argument. */
static void take_word(struct completion *completion, const char *word)
{
	CLEANUP(freep)
	char *name = xasprintf("%s%s%s", completion->name.data ? completion->name.data : "",
		completion->name.len ? " " : "", word);

	if (!completion->arguments && (command_find(name) || command_is_group(name))) {
		buf_set_len(&completion->name, 0);
		buf_append_str(&completion->name, name);
		completion->command = command_find(name);
		return;
	}
	if (!completion->arguments++)
		completion->first = word;
}

static void word_take(struct completion *completion, const char *word)
{
	const struct option *option = completion->option;

	completion->option = NULL;
	if (option && !strcmp(word, "="))
		completion->option = option; /* bash takes "--group=x" apart */
	else if (option && option->letter == 'C')
		completion->nowhere = chdir(word) < 0;
	else if (!option && is_option(completion, word))
		take_option(completion, word);
	else if (!option)
		take_word(completion, word);
}

/* --- the word at the cursor -------------------------------------------------- */

/* "--group=fam": each candidate begins with "--group=". */
static char *split_value(struct completion *completion, const char *word)
{
	const char *value = strchr(word, '=');

	if (!is_option(completion, word) || word[1] != '-' || !value)
		return NULL;
	completion->option = option_of(completion, word);
	completion->begins = value + 1;
	return xmemdupz(word, (size_t)(value + 1 - word));
}

static void add_arguments(struct completion *completion)
{
	const struct command *command = completion->command;
	size_t at = completion->arguments;

	if (command->max_arguments >= 0 && at >= (size_t)command->max_arguments)
		return;
	if (!command->completes[1])
		at = 0;
	if (at < ARRAY_SIZE(command->completes))
		add_kind(completion, command->completes[at], NULL, command->words);
}

static void add_all(struct completion *completion)
{
	if (completion->option) {
		add_kind(completion, completion->option->completes,
			completion->option->argument, NULL);
		return;
	}
	if (is_option(completion, completion->begins)) {
		if (completion->command)
			add_options(
				completion, completion->command, completion->command->options);
		add_options(completion, NULL, global_options);
		return;
	}
	if (!completion->arguments &&
		(!completion->command || command_is_group(completion->name.data)))
		add_commands(completion, completion->name.len ? completion->name.data : "");
	if (completion->command)
		add_arguments(completion);
}

static int run_complete(struct cli *cli, const struct arguments *args, struct error *err)
{
	struct completion completion = {.begins = "", .name = BUF_INIT};
	CLEANUP(freep) char *prefix = NULL;

	(void)cli;
	(void)err;
	for (size_t i = 0; i + 1 < args->count; i++)
		word_take(&completion, args->words[i]);
	if (args->count)
		completion.begins = args->words[args->count - 1];
	if (completion.option && !strcmp(completion.begins, "="))
		completion.begins = "";
	else if (!completion.option)
		prefix = split_value(&completion, completion.begins);
	completion.prefix = prefix;
	add_all(&completion);
	buf_release(&completion.name);
	return EXIT_DONE;
}

COMMAND(complete) = {
	.name = "complete",
	.summary = "print what a shell offers at the cursor",
	.usage = "-- <word>...",
	.section = SECTION_HIDDEN,
	.max_arguments = -1,
	.run = run_complete,
};

/* --- the scripts of the shells ----------------------------------------------- */

static const char bash[] =
	"# bash completion for nanoclaw\n"
	"_nanoclaw() {\n"
	"\tlocal line cur=${COMP_WORDS[COMP_CWORD]#=}\n"
	"\tCOMPREPLY=()\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tcase $line in\n"
	"\t\t:files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \\\n"
	"\t\t\t< <(compgen -f -- \"$cur\") ;;\n"
	"\t\t:folders) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \\\n"
	"\t\t\t< <(compgen -d -- \"$cur\") ;;\n"
	"\t\t*) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
	"\t\tesac\n"
	"\tdone < <(nanoclaw complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
	"\t[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	"}\n"
	"complete -F _nanoclaw nanoclaw\n";

static const char fish[] = "# fish completion for nanoclaw\n"
			   "function __nanoclaw_complete\n"
			   "\tset -l words (commandline -opc)\n"
			   "\tset -l last (commandline -ct)\n"
			   "\tset -e words[1]\n"
			   "\tfor line in (nanoclaw complete -- $words \"$last\" 2>/dev/null)\n"
			   "\t\tswitch $line\n"
			   "\t\t\tcase :files\n"
			   "\t\t\t\t__fish_complete_path \"$last\"\n"
			   "\t\t\tcase :folders\n"
			   "\t\t\t\t__fish_complete_directories \"$last\"\n"
			   "\t\t\tcase '*'\n"
			   "\t\t\t\techo $line\n"
			   "\t\tend\n"
			   "\tend\n"
			   "end\n"
			   "complete -c nanoclaw -f -a '(__nanoclaw_complete)'\n";

static const char zsh[] =
	"#compdef nanoclaw\n"
	"# zsh completion for nanoclaw\n"
	"_nanoclaw() {\n"
	"\tlocal -a candidates options\n"
	"\tlocal line word\n"
	"\tfor line in ${(f)\"$(nanoclaw complete -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\"}; do\n"
	"\t\tword=${${line%%$'\\t'*}//:/\\\\:}\n"
	"\t\tcase $line in\n"
	"\t\t:files) _files ;;\n"
	"\t\t:folders) _files -/ ;;\n"
	"\t\t*=$'\\t'*) options+=(\"$word:${line#*$'\\t'}\") ;;\n"
	"\t\t*$'\\t'*) candidates+=(\"$word:${line#*$'\\t'}\") ;;\n"
	"\t\t*) candidates+=(\"$word\") ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\t(( $#candidates )) && _describe nanoclaw candidates\n"
	"\t(( $#options )) && _describe nanoclaw options -S ''\n"
	"}\n"
	"if [[ ${funcstack[1]-} == _nanoclaw ]]; then\n"
	"\t_nanoclaw \"$@\"\n"
	"else\n"
	"\tcompdef _nanoclaw nanoclaw\n"
	"fi\n";

static const struct {
	const char *name;
	const char *script;
} shells[] = {
	{"bash", bash},
	{"fish", fish},
	{"zsh", zsh},
};

static int run_completion(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(args->words[0]));

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
		if (strcmp(shells[i].name, args->words[0]) != 0)
			continue;
		if (cli->json)
			output_json(json_pack("{s:b, s:s, s:s}", "success", true, "shell",
				shells[i].name, "script", shells[i].script));
		else
			fputs(shells[i].script, stdout);
		return EXIT_DONE;
	}
	error_set(err, ERROR_INVALID, "no completions for the shell %s", shown);
	return error_hint(err, "there are completions for bash, fish and zsh");
}

static const struct example examples[] = {
	{"source <(nanoclaw completion bash)", "for this bash session"},
	{"nanoclaw completion fish > ~/.config/fish/completions/nanoclaw.fish",
		"for every fish session"},
	{"nanoclaw completion zsh > /usr/local/share/zsh/site-functions/_nanoclaw",
		"for every zsh session"},
	{0},
};

static const char *const words[] = {"bash", "fish", "zsh", NULL};

COMMAND(completion) = {
	.name = "completion",
	.summary = "print completions for a shell",
	.usage = "bash|fish|zsh",
	.description =
		"'make install' installs them. Use this command if you do not use 'make install'.",
	.section = SECTION_START,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_WORDS},
	.words = words,
	.run = run_completion,
};
