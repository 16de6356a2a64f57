#include "cli/options.h"

#include <string.h>

#include "util/buf.h"
#include "util/similar.h"

static bool is_end(const struct option *option)
{
	return !option->letter && !option->name;
}

static void add_option(struct arguments *args, struct given_option given)
{
	GROW(args->options, args->option_count, args->option_cap);
	args->options[args->option_count++] = given;
}

static void add_word(struct arguments *args, const char *word)
{
	GROW(args->words, args->count + 1, args->cap);
	args->words[args->count++] = word;
	args->words[args->count] = NULL;
}

static const struct option *find_letter(const struct option *table, char letter)
{
	for (const struct option *o = table; o && !is_end(o); o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

/* One -abc element. Returns how many elements of `argv` it took, or -1. */
static int parse_letters(struct arguments *args, const char *const *argv,
	const struct option *own, const struct option *global, struct error *err)
{
	for (const char *p = argv[0] + 1; *p; p++) {
		const struct option *o = find_letter(own, *p);

		if (!o)
			o = find_letter(global, *p);
		if (!o)
			return error_set(err, ERROR_INVALID, "unknown option '-%c'", *p);
		if (!o->argument) {
			add_option(args, (struct given_option){.option = o});
			continue;
		}
		if (p[1]) {
			add_option(args, (struct given_option){.option = o, .value = p + 1});
			return 1;
		}
		if (!argv[1])
			return error_set(err, ERROR_INVALID, "option '-%c' needs a value: %s",
				*p, o->argument);
		add_option(args, (struct given_option){.option = o, .value = argv[1]});
		return 2;
	}
	return 1;
}

/* What a long option on the command line may mean. */
struct match {
	const struct option *exact;
	const struct option *abbreviated;
	const struct option *other; /* a second one that it abbreviates */
	bool exact_negated, abbreviated_negated;
};

static void match_table(
	struct match *m, const struct option *table, const char *text, size_t len, bool negated)
{
	for (const struct option *o = table; o && !is_end(o); o++) {
		if (!o->name || strncmp(o->name, text, len))
			continue;
		if (!o->name[len]) {
			if (!m->exact) {
				m->exact = o;
				m->exact_negated = negated;
			}
		} else if (!m->abbreviated) {
			m->abbreviated = o;
			m->abbreviated_negated = negated;
		} else if (strcmp(m->abbreviated->name, o->name) ||
			   negated != m->abbreviated_negated) {
			m->other = o;
		}
	}
}

static int unknown_option(const char *text, size_t len, const struct option *own,
	const struct option *global, struct error *err)
{
	CLEANUP(freep) char *name = xmemdupz(text, len);
	struct similar best = similar_to(name);

	for (const struct option *o = own; o && !is_end(o); o++)
		if (o->name)
			similar_consider(&best, o->name);
	for (const struct option *o = global; o && !is_end(o); o++)
		if (o->name)
			similar_consider(&best, o->name);
	error_set(err, ERROR_INVALID, "unknown option '--%s'", name);
	if (best.found)
		error_hint(err, "did you mean '--%s'?", best.found);
	return -1;
}

/* One --name element. Returns how many elements of `argv` it took, or -1. */
static int parse_name(struct arguments *args, const char *const *argv, const struct option *own,
	const struct option *global, struct error *err)
{
	const char *text = argv[0] + 2;
	const char *value = strchr(text, '=');
	size_t len = value ? (size_t)(value - text) : strlen(text);
	struct match m = {0};
	struct given_option given = {0};

	match_table(&m, own, text, len, false);
	match_table(&m, global, text, len, false);
	if (len > 3 && !strncmp(text, "no-", 3)) {
		match_table(&m, own, text + 3, len - 3, true);
		match_table(&m, global, text + 3, len - 3, true);
	}
	if (!m.exact && m.other)
		return error_set(err, ERROR_INVALID,
			"option '--%.*s' could be '--%s%s' or '--%s'", (int)len, text,
			m.abbreviated_negated ? "no-" : "", m.abbreviated->name, m.other->name);
	given.option = m.exact ? m.exact : m.abbreviated;
	given.negated = m.exact ? m.exact_negated : m.abbreviated_negated;
	if (!given.option)
		return unknown_option(text, len, own, global, err);

	if (given.negated || !given.option->argument) {
		if (value)
			return error_set(err, ERROR_INVALID, "option '--%.*s' takes no value",
				(int)len, text);
		add_option(args, given);
		return 1;
	}
	given.value = value ? value + 1 : argv[1];
	if (!given.value)
		return error_set(err, ERROR_INVALID, "option '--%s' needs a value: %s",
			given.option->name, given.option->argument);
	add_option(args, given);
	return value ? 1 : 2;
}

int options_parse(struct arguments *args, const char *const *argv, const struct option *own,
	const struct option *global, bool stop_at_word, struct error *err)
{
	const char *const *start = argv;

	while (*argv) {
		int taken = 1;

		if (!strcmp(*argv, "--")) {
			if (stop_at_word)
				break;
			for (argv++; *argv; argv++)
				add_word(args, *argv);
			break;
		}
		if ((*argv)[0] != '-' || !(*argv)[1]) {
			if (stop_at_word)
				break;
			add_word(args, *argv);
		} else if ((*argv)[1] == '-') {
			taken = parse_name(args, argv, own, global, err);
		} else {
			taken = parse_letters(args, argv, own, global, err);
		}
		if (taken < 0)
			return -1;
		argv += taken;
	}
	return (int)(argv - start);
}

static const struct given_option *find_last(
	const struct arguments *args, const struct option *option)
{
	for (size_t i = args->option_count; i > 0; i--)
		if (args->options[i - 1].option == option)
			return &args->options[i - 1];
	return NULL;
}

bool arguments_flag(const struct arguments *args, const struct option *option)
{
	const struct given_option *given = find_last(args, option);

	return given && !given->negated;
}

const char *arguments_value(const struct arguments *args, const struct option *option)
{
	const struct given_option *given = find_last(args, option);

	return given ? given->value : NULL;
}

void arguments_release(struct arguments *args)
{
	free(args->options);
	free(args->words);
}

void option_spell(const struct option *option, struct buf *out)
{
	if (option->letter)
		buf_appendf(out, "-%c", option->letter);
	if (option->letter && option->name)
		buf_append_str(out, ", ");
	if (option->name)
		buf_appendf(out, "--%s", option->name);
	if (option->argument)
		buf_appendf(out, "%s%s", option->name ? "=" : " ", option->argument);
}
