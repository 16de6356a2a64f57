#include "cli/prompt.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "proc/log.h"

/* "y" and "n", where the two choices are an answer to a question. */
static unsigned long yes_or_no(const char *question, size_t count, const char *answer)
{
	if (count != 2 || !strlen(question) || question[strlen(question) - 1] != '?')
		return 0;
	if (!strcasecmp(answer, "y") || !strcasecmp(answer, "yes"))
		return 1;
	return !strcasecmp(answer, "n") || !strcasecmp(answer, "no") ? 2 : 0;
}

/* The only choice that has these words, from 1; else 0. */
static unsigned long by_words(const char *const *choices, size_t count, const char *answer)
{
	unsigned long found = 0;

	for (size_t i = 0; i < count && strlen(answer) >= 3; i++)
		if (strcasestr(choices[i], answer)) {
			if (found)
				return 0;
			found = i + 1;
		}
	return found;
}

/*
 * An error tells what would be asked: the question without its last sentence, if that asks, or the
 * recommended answer.
 */
static int prompt_refuse(const char *question, const char *recommended, struct error *err)
{
	struct view text = view_of(question), said = text;

	if (view_ends_with(text, "?"))
		while (said.len && !view_ends_with(said, ". ") && !view_ends_with(said, "\n"))
			said.len--;
	if (!said.len)
		return error_set(err, ERROR_INVALID, "not a terminal, cannot ask whether to %s",
			recommended);
	said = view_trim(said);
	return error_set(err, ERROR_INVALID, "%.*s%sNot a terminal, cannot ask",
		VIEW_ARGS(said), memchr(said.data, '\n', said.len) ? "\n" : " ");
}

/* Names and texts in a question may come from others, and must not steer the terminal. */
static int prompt_choose(void *data, const char *text, const char *const *choices, size_t count,
	size_t recommended, struct error *err)
{
	const struct cli *cli = data;
	CLEANUP(freep) char *question = quote_text(view_of(text));
	CLEANUP(freep) char *answer = NULL;
	size_t cap = 0;

	if (cli->yes)
		return (int)recommended;
	if (!cli->interactive) {
		prompt_refuse(question, choices[recommended], err);
		return error_hint(err, "run it on a terminal, or with '--yes' to %s",
			choices[recommended]);
	}
	printf("%s\n", question);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *choice = quote_text(view_of(choices[i]));

		printf("  [%zu] %s%s\n", i + 1, choice,
			i == recommended ? " (recommended)" : "");
	}
	for (;;) {
		unsigned long number;
		ssize_t len;
		char *end;

		printf("> ");
		fflush(stdout);
		len = getline(&answer, &cap, stdin);
		if (len < 0)
			return error_set(err, ERROR_INVALID, "no answer");
		if (len && answer[len - 1] == '\n')
			answer[len - 1] = '\0';
		number = *answer ? strtoul(answer, &end, 10) : recommended + 1;
		if (*answer && *end)
			number = yes_or_no(question, count, answer);
		if (*answer && *end && !number)
			number = by_words(choices, count, answer);
		if (number >= 1 && number <= count)
			return (int)number - 1;
		printf("Please type a number from 1 to %zu. Enter alone means %zu, Ctrl-C stops.\n",
			count, recommended + 1);
	}
}

static void show_text(void *data, const char *text)
{
	CLEANUP(freep) char *shown = quote_text(view_of(text));

	(void)data;
	log_note("%s", shown);
}

struct ask prompt_for(const struct cli *cli)
{
	return (struct ask){.choose = prompt_choose,
		.show = show_text,
		.data = (void *)(uintptr_t)cli,
		.in_person = cli->interactive && !cli->yes};
}

int prompt_loss(const struct cli *cli, const char *question, const char *loss, const char *name,
	const char *hint, struct error *err)
{
	const char *const choices[] = {"keep it", loss};
	struct ask ask = prompt_for(cli);
	int choice;

	if (cli->yes)
		return 0;
	if (!cli->interactive) {
		CLEANUP(freep) char *shown = quote_text(view_of(question));

		prompt_refuse(shown, loss, err);
		return error_hint(err, "%s", hint);
	}
	choice = ask.choose(ask.data, question, choices, ARRAY_SIZE(choices), 0, err);
	if (choice < 0)
		return -1;
	return choice == 1 ? 0 : error_set(err, ERROR_FAILED, "'%s' is kept", name);
}
