/*
 * Options on the command line, read by the rules that git users know:
 *
 *	-p -q, -pq		letters, alone or together
 *	-L NAME, -LNAME		a letter with its argument
 *	--size=9, --size 9	a name with its argument
 *	--no-size		cancels an earlier --size
 *	--si			any unambiguous beginning of a name
 *	--			nothing after this is an option
 *	--end-of-options	the same, as git spells it for scripts
 *
 * Options may come before, between and after the other arguments. If a command has its own
 * options, only these can be abbreviated: global options must be written in full, so that a new
 * one never changes the meaning of an old script.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The candidates that a shell offers for an argument (cli/completion.h). Where the help calls
 * an argument "record|continue|abort", these words are offered anyway.
 */
enum completes {
	COMPLETE_NOTHING,
	COMPLETE_TEXT, /* nothing, in a list of several */
	COMPLETE_FILES,
	COMPLETE_FOLDERS,
	COMPLETE_COMMANDS,    /* names of commands; not for options */
	COMPLETE_WORDS,       /* the words of the descriptor; not for options */
	COMPLETE_SKILLS,      /* packages of the project, and folders */
	COMPLETE_APPLIED,     /* applied skills */
	COMPLETE_GROUPS,      /* groups of the assistant */
	COMPLETE_TASKS,       /* scheduled tasks */
	COMPLETE_CHANNELS,    /* bridges of the project */
	COMPLETE_PATCHES,     /* recorded custom patches */
	COMPLETE_USER_SKILLS, /* ids of user skills */
};

struct option {
	char letter;              /* or 0 */
	const char *name;         /* without the dashes, or NULL */
	const char *argument;     /* what to call it in the help; NULL for a flag */
	const char *help;         /* NULL: described by the command's operation (command.h) */
	enum completes completes; /* the argument */
	const char *of;           /* the operation's argument, if it has another name */
};

/* An option as it was given. */
struct given_option {
	const struct option *option;
	const char *value; /* NULL for a flag */
	bool negated;      /* --no-NAME */
	bool by_letter;    /* -p and not --stdout */
};

struct arguments {
	struct given_option *options; /* in their order */
	size_t option_count;
	size_t option_cap;
	const char **words; /* the other arguments, ending with NULL */
	size_t count;
	size_t cap;
	const struct option *own; /* the options that the command takes, or NULL */
	size_t literal;           /* how many of the words came after "--" */
};

/*
 * Read options from `argv`, which ends with NULL, until the end or, with
 * `stop_at_word`, up to and without the first word. An option is looked for in
 * `own` and then in `global`; either may be NULL. Adds to `args`; returns the
 * number of elements that were read, or -1.
 */
int options_parse(struct arguments *args, const char *const *argv, const struct option *own,
	const struct option *global, bool stop_at_word, struct error *err);

/*
 * After options could not be read, so that the error can be reported as wanted: adds the
 * flags of `global` that are spelled out anywhere in `argv` before "--".
 */
void options_rescue(
	struct arguments *args, const char *const *argv, const struct option *global);

/* Was the option with this long name given? The last of its kind decides. */
bool arguments_flag(const struct arguments *args, const char *name);
/* The value that was given last, or NULL. */
const char *arguments_value(const struct arguments *args, const char *name);

/*
 * The value as a whole number in these bounds, else ERROR_INVALID. Without the option, the number
 * stays as it is.
 */
int arguments_number(const struct arguments *args, const char *name, int64_t least,
	int64_t most, int64_t *number, struct error *err);

/* Does the command take the option with this name? */
bool arguments_takes(const struct arguments *args, const char *name);

/* The option as it was given last, or NULL: for main(), where two tables share names. */
const struct given_option *arguments_find(
	const struct arguments *args, const struct option *option);

void arguments_release(struct arguments *args);

/* "-p, --stdout", "--marker-size=N": for help and messages; NULL-safe bufs. */
struct buf;
void option_spell(const struct option *option, struct buf *out);

#endif
