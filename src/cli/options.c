#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "base/similar.h"

static bool option_is_end(const struct option *option)
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
	for (const struct option *o = table; o && !option_is_end(o); o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

/* One -abc element. Returns how many elements of `argv` it took, or -1. */
static int parse_letters(struct arguments *args, const char *const *argv,
	const struct option *own, const struct option *global, struct error *err)
{
	for (const char *p = argv[0] + 1; *p; p++) {
		struct given_option given = {.option = find_letter(own, *p), .by_letter = true};

		if (!given.option)
			given.option = find_letter(global, *p);
		if (!given.option) {
			CLEANUP(freep)
			char *shown = quote((struct view){(const char[]){'-', *p}, 2});

			return error_set(err, ERROR_INVALID, "unknown option %s", shown);
		}
		if (given.option->argument) {
			given.value = p[1] ? p + 1 : argv[1];
			if (!given.value)
				return error_set(err, ERROR_INVALID,
					"option '-%c' needs a value: %s", *p,
					given.option->argument);
			add_option(args, given);
			return p[1] ? 1 : 2;
		}
		add_option(args, given);
	}
	return 1;
}

/* The meanings that a long option may have. */
struct meaning {
	const struct option *option;
	bool negated;
};

struct match {
	struct meaning exact;
	struct meaning abbreviated;
	struct meaning other; /* a second one that it abbreviates */
};

static void match_table(
	struct match *m, const struct option *table, const char *text, size_t len, bool negated)
{
	for (const struct option *o = table; o && !option_is_end(o); o++) {
		struct meaning meaning = {o, negated};

		if (!o->name || strncmp(o->name, text, len))
			continue;
		if (!o->name[len]) {
			if (!m->exact.option)
				m->exact = meaning;
		} else if (!m->abbreviated.option) {
			m->abbreviated = meaning;
		} else if (strcmp(m->abbreviated.option->name, o->name) ||
			   negated != m->abbreviated.negated) {
			m->other = meaning;
		}
	}
}

/* Both the option itself and, with "no-" or its beginning in front, the negated one. */
static struct match match_both(const struct option *table, const char *text, size_t len)
{
	struct match m = {0};
	size_t no = len < 3 ? len : 3;

	match_table(&m, table, text, len, false);
	if (!strncmp(text, "no-", no))
		match_table(&m, table, text + no, len - no, true);
	return m;
}

/* An option of the command or, if it has none that fits, a global one. */
static struct match match_name(
	const struct option *own, const struct option *global, const char *text, size_t len)
{
	struct match m = match_both(own, text, len);
	struct match others = match_both(global, text, len);

	if (!m.exact.option)
		m.exact = others.exact;
	if (!own) {
		m.abbreviated = others.abbreviated;
		m.other = others.other;
	}
	return m;
}

static int unknown_option(const char *text, size_t len, const struct option *own,
	const struct option *global, struct error *err)
{
	CLEANUP(freep) char *name = xmemdupz(text, len);
	CLEANUP(freep) char *spelled = xasprintf("--%s", name);
	CLEANUP(freep) char *shown = quote(view_of(spelled));
	struct similar best = similar_to(name);

	for (const struct option *o = own; o && !option_is_end(o); o++)
		if (o->name)
			similar_consider(&best, o->name);
	for (const struct option *o = global; o && !option_is_end(o); o++)
		if (o->name)
			similar_consider(&best, o->name);
	error_set(err, ERROR_INVALID, "unknown option %s", shown);
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
	struct match m = match_name(own, global, text, len);
	struct meaning meant = m.exact.option ? m.exact : m.abbreviated;
	struct given_option given = {.option = meant.option, .negated = meant.negated};

	if (!m.exact.option && m.other.option)
		return error_set(err, ERROR_INVALID,
			"option '--%.*s' could be '--%s%s' or '--%s%s'", (int)len, text,
			m.abbreviated.negated ? "no-" : "", m.abbreviated.option->name,
			m.other.negated ? "no-" : "", m.other.option->name);
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

/* "--", or git's "--end-of-options" for scripts whose words may begin with a dash. */
static bool ends_options(const char *word)
{
	return !strcmp(word, "--") || !strcmp(word, "--end-of-options");
}

int options_parse(struct arguments *args, const char *const *argv, const struct option *own,
	const struct option *global, bool stop_at_word, struct error *err)
{
	const char *const *start = argv;

	args->own = own;
	while (*argv) {
		int taken = 1;

		if (ends_options(*argv)) {
			if (stop_at_word)
				break;
			for (argv++; *argv; argv++, args->literal++)
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

/* Is the word this flag and nothing else? */
static bool spells_flag(const struct option *o, const char *word, bool negated)
{
	const char *dashes = negated ? "--no-" : "--";
	size_t len = strlen(dashes);

	if (o->argument)
		return false;
	if (o->letter && !negated && word[0] == '-' && word[1] == o->letter && !word[2])
		return true;
	return o->name && !strncmp(word, dashes, len) && !strcmp(word + len, o->name);
}

void options_rescue(
	struct arguments *args, const char *const *argv, const struct option *global)
{
	for (; *argv && !ends_options(*argv); argv++)
		for (const struct option *o = global; !option_is_end(o); o++)
			for (int negated = 0; negated < 2; negated++)
				if (spells_flag(o, *argv, negated))
					add_option(args, (struct given_option){.option = o,
								 .negated = negated});
}

const struct given_option *arguments_find(
	const struct arguments *args, const struct option *option)
{
	for (size_t i = args->option_count; i > 0; i--)
		if (args->options[i - 1].option == option)
			return &args->options[i - 1];
	return NULL;
}

static const struct given_option *find_named(const struct arguments *args, const char *name)
{
	for (size_t i = args->option_count; i > 0; i--) {
		const struct given_option *given = &args->options[i - 1];

		if (given->option->name && !strcmp(given->option->name, name))
			return given;
	}
	return NULL;
}

bool arguments_flag(const struct arguments *args, const char *name)
{
	const struct given_option *given = find_named(args, name);

	return given && !given->negated;
}

const char *arguments_value(const struct arguments *args, const char *name)
{
	const struct given_option *given = find_named(args, name);

	return given ? given->value : NULL;
}

int arguments_number(const struct arguments *args, const char *name, int64_t least,
	int64_t most, int64_t *number, struct error *err)
{
	const struct given_option *given = find_named(args, name);
	const char *text = given ? given->value : NULL;
	CLEANUP(freep) char *shown = text ? quote(view_of(text)) : NULL;
	long long value;
	char *end;

	if (!text)
		return 0;
	value = strtoll(text, &end, 10);
	if (!*end && end != text && value >= least && value <= most) {
		*number = value;
		return 0;
	}
	if (given->by_letter)
		return error_set(err, ERROR_INVALID,
			"'-%c' takes a number from %lld to %lld, not %s", given->option->letter,
			(long long)least, (long long)most, shown);
	return error_set(err, ERROR_INVALID, "'--%s' takes a number from %lld to %lld, not %s",
		name, (long long)least, (long long)most, shown);
}

bool arguments_takes(const struct arguments *args, const char *name)
{
	for (const struct option *o = args->own; o && !option_is_end(o); o++)
		if (o->name && !strcmp(o->name, name))
			return true;
	return false;
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
