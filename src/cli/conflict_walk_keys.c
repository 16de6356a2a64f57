#include <stdio.h>
#include <string.h>

#include "cli/conflict_walk_parts.h"
#include "cli/output.h"
#include "util/interrupt.h"

#define MAX_ANSWER 64

/* The first letter of a line; 0: it was more than a letter. */
static char read_letter(void)
{
	char answer[MAX_ANSWER];
	struct view typed;
	bool whole;

	if (interrupt_pending() || !fgets(answer, sizeof(answer), stdin)) {
		printf("\n");
		return 'q';
	}
	whole = strchr(answer, '\n');
	while (!whole && fgets(answer, sizeof(answer), stdin))
		if (strchr(answer, '\n'))
			return 0;
	typed = view_trim(view_of(answer));
	if (!typed.len)
		return 's';
	return typed.len == 1 ? typed.data[0] : 0;
}

static const struct walk_key *find(const struct walk_key *keys, char letter)
{
	for (; keys->letter; keys++)
		if (keys->letter == letter && !keys->hidden)
			return keys;
	return NULL;
}

static void print_row(const struct walk *w, const struct walk_key *keys)
{
	const struct cli *cli = w->with->cli;

	printf("\n");
	for (const struct walk_key *key = keys; key->letter; key++)
		if (key->says && !key->hidden)
			printf("%s[%c]%s %s  ", output_color(cli, COLOR_BOLD), key->letter,
				output_color(cli, COLOR_RESET), key->says);
	printf("%s[?]%s help > ", output_color(cli, COLOR_BOLD),
		output_color(cli, COLOR_RESET));
	fflush(stdout);
}

static void print_help(const struct walk_key *keys)
{
	for (const struct walk_key *key = keys; key->letter; key++)
		if (!key->hidden)
			printf("  %c  %s\n", key->letter, key->help);
	printf("  Each choice is in the file at once. Enter alone is 's'.\n");
}

char walk_ask(const struct walk *w, const struct walk_key *keys)
{
	for (;;) {
		char letter;

		print_row(w, keys);
		letter = read_letter();
		if (letter && find(keys, letter))
			return letter;
		if (letter == '?')
			print_help(keys);
		else
			printf("Please type one of the letters, or ? for help.\n");
	}
}
