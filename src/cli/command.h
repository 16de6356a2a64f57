/*
 * One command, one file, one descriptor.
 *
 * The file of a command describes it in a `struct command` and registers it with
 * COMMAND(); nothing else has to be edited. Help, man page
 * and shell completions are made from the same descriptors.
 *
 *	static int run(struct cli *cli, const struct arguments *args, struct error *err)
 *	{
 *		...
 *	}
 *
 *	COMMAND(version) = {
 *		.name = "version",
 *		.summary = "show versions and build facts",
 *		.run = run,
 *	};
 *
 * run() returns the exit code, or -1 with the error set. Exit codes other than
 * 0 are for results, such as a pause on a conflict; main() turns errors into
 * exit codes.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/entry.h"
#include "base/error.h"
#include "cli/options.h"
#include "format/json.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_INVALID = 2,
	EXIT_PAUSED = 3,
	EXIT_BUSY = 4,
	EXIT_TEST = 5,
};

/* The global options, as they were given. */
struct cli {
	const char *directory; /* -C, or NULL */
	bool json;
	bool quiet;
	bool verbose;
	bool yes;
	bool color;       /* colour on standard output */
	bool interactive; /* a person can answer questions */
	json_t *failure;  /* further members of the JSON for a failure, or NULL */
};

/* The section of the overview that lists a command. */
enum command_section {
	SECTION_START,
	SECTION_SKILLS,
	SECTION_ASSISTANT,
	SECTION_PLUMBING,
	SECTION_COUNT,
	SECTION_HIDDEN = SECTION_COUNT, /* not for people: in no list */
};

struct example {
	const char *command;
	const char *says;
};

struct command {
	const char *name;        /* "merge-file", "skill apply" */
	const char *summary;     /* one line, lower case, no full stop */
	const char *usage;       /* the arguments: "<current> <base> <other>" */
	const char *description; /* paragraphs; an indented line is shown as it is */
	const char *operation; /* of the host, which describes options without help; or NULL */
	enum command_section section;
	int first;  /* its place among the commands that people need first, or 0 */
	bool pages; /* a pager shows its output on a terminal */
	const struct option *options;   /* ends with an empty one; may be NULL */
	const struct example *examples; /* likewise */
	int min_arguments;
	int max_arguments;           /* -1: any number */
	enum completes completes[3]; /* the arguments: one kind for all, or one for each */
	const char *const *words;    /* for COMPLETE_WORDS, ending with NULL */
	/* For commands with the exit codes of another program: */
	int usage_exit;   /* wrong usage, instead of EXIT_INVALID */
	int failure_exit; /* any other error, instead of the usual ones */
	int (*run)(struct cli *cli, const struct arguments *args, struct error *err);
	/* After run() has returned this exit code, and released all it held; or NULL. */
	int (*after)(
		struct cli *cli, const struct arguments *args, int code, struct error *err);
};

#define COMMAND(identifier) ENTRY(commands, command, identifier)

/* All commands in the order of their names, ending with NULL. */
const struct command *const *command_list(void);

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* The options and arguments of a command, as help shows them. To be freed. */
char *command_synopsis(const struct command *command);

/* The description of an option, also of a global one (`command` is NULL). To be freed. */
char *command_option_help(const struct command *command, const struct option *option);

/* The same of an option that stands for an argument of an operation of the host. To be freed. */
char *operation_option_help(const char *operation, const char *argument);

/* Has this program the skills engine alone, and is this a command of the assistant, or its first word? */
bool command_is_left_out(const char *name);

/* Is this the first word of commands with two words, such as "skill"? */
bool command_is_group(const char *word);

/*
 * The name of a command or group that is most similar to `word`, or NULL if none is. With a
 * group, only its members count.
 */
const char *command_suggest(const char *group, const char *word);

extern const struct option global_options[];
extern const char *const section_titles[SECTION_COUNT];

#endif
