#include "cli/conflict/walk.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/conflict/choice.h"
#include "cli/conflict/edit.h"
#include "cli/conflict/take.h"
#include "cli/conflict/walk_state.h"
#include "cli/output.h"
#include "cli/report/apply_output.h"
#include "engine/continue.h"
#include "engine/stack/resolve.h"
#include "engine/structured/structured_state.h"
#include "proc/interrupt.h"

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

static const struct walk_key *key_find(const struct walk_key *keys, char letter)
{
	for (; keys->letter; keys++)
		if (keys->letter == letter && !keys->hidden)
			return keys;
	return NULL;
}

char walk_ask(const struct walk *w, const struct walk_key *keys)
{
	for (;;) {
		char letter;
		const struct cli *cli = w->with->cli;

		printf("\n");
		for (const struct walk_key *key = keys; key->letter; key++)
			if (key->says && !key->hidden)
				printf("%s[%c]%s %s  ", output_color(cli, COLOR_BOLD),
					key->letter, output_color(cli, COLOR_RESET), key->says);
		printf("%s[?]%s help > ", output_color(cli, COLOR_BOLD),
			output_color(cli, COLOR_RESET));
		fflush(stdout);
		letter = read_letter();
		if (letter && key_find(keys, letter))
			return letter;
		if (letter == '?') {
			for (const struct walk_key *key = keys; key->letter; key++)
				if (!key->hidden)
					printf("  %c  %s\n", key->letter, key->help);
			printf("Each choice is written to the file immediately. Enter alone means 's'.\n");
		} else {
			printf("Please type one of the letters, or ? for help.\n");
		}
	}
}

/* --- choices ------------------------------------------------------------------------------ */

void walk_remember(struct walk *w, struct conflict_choice *choice)
{
	if (w->choice_count == WALK_MAX_CHOICES) {
		conflict_choice_release(&w->choices[0]);
		memmove(w->choices, w->choices + 1,
			(WALK_MAX_CHOICES - 1) * sizeof(w->choices[0]));
		w->choice_count--;
	}
	choice->conflict = w->at;
	choice->from = w->from;
	choice->resolved = w->resolved;
	w->choices[w->choice_count++] = *choice;
	*choice = (struct conflict_choice){0};
}

/* Another program changed the file: report it, and start the file again. */
static void look_again(struct walk *w, const struct conflict_choice *choice, const char *why)
{
	CLEANUP(freep) char *path = relpath_quote(&choice->files[0].path);

	printf("%s %s; this is its current state\n", path, why);
	w->from = 0;
	w->resolved = 0;
}

int walk_choose(
	struct walk *w, struct conflict_choice *choice, bool *ret_made, struct error *err)
{
	if (conflict_choice_make(w->with->project, choice, ret_made, err) < 0)
		return -1;
	if (*ret_made)
		walk_remember(w, choice);
	else
		look_again(w, choice, "was changed in the meantime: nothing was done");
	return 0;
}

int walk_undo(struct walk *w, struct error *err)
{
	CLEANUP(conflict_choice_release)
	struct conflict_choice choice = w->choices[--w->choice_count];
	bool undone;

	if (conflict_choice_undo(w->with->project, &choice, &undone, err) < 0)
		return -1;
	w->at = choice.conflict;
	w->from = choice.from;
	w->resolved = choice.resolved;
	w->decided[w->at] = false;
	if (!undone)
		look_again(w, &choice, "was changed since then: nothing was undone");
	return 0;
}

/* --- from conflict to conflict ---------------------------------------------------------- */

int walk_is_resolved(struct walk *w, size_t number, bool *ret_resolved, struct error *err)
{
	const struct conflict *c = &w->pending.conflicts[number];
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	CLEANUP(string_array_release) struct string_array problems = {0};

	if ((c->kind != CONFLICT_DELETE &&
		    conflict_file_resolved(w->with->project, c, ret_resolved, err) < 0) ||
		conflict_choice_read(w->with->project, &c->path, &file, err) < 0)
		return -1;
	if (c->kind == CONFLICT_DELETE)
		*ret_resolved = w->decided[number] || file.kind == TX_ABSENT;
	structured_find_problems(
		&w->pending.state, c->path.text, view_of_buf(&file.content), &problems);
	*ret_resolved = *ret_resolved && !problems.count;
	return 0;
}

static void walk_lead(struct walk *w)
{
	enum walk_step step = WALK_STAY;

	while (w->at < w->pending.conflict_count && step != WALK_LEAVE &&
		!interrupt_pending()) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		int failed = conflict_is_whole(walk_conflict(w)) ? walk_whole(w, &step, &err)
								 : walk_text(w, &step, &err);

		if (failed)
			output_error(w->with->cli, &err);
		if (step == WALK_NEXT) {
			w->at++;
			w->from = 0;
			w->resolved = 0;
		}
	}
}

/* --- the end ---------------------------------------------------------------------------- */

/* Print the open conflicts. `*ret_all` is true if there are none. */
static int report_left(struct walk *w, bool *ret_all, struct error *err)
{
	CLEANUP(freep)
	struct conflict *left = xcalloc(w->pending.conflict_count + 1, sizeof(*left));
	size_t count = 0;

	for (size_t i = 0; i < w->pending.conflict_count; i++) {
		bool resolved;

		if (walk_is_resolved(w, i, &resolved, err) < 0)
			return -1;
		if (!resolved)
			left[count++] = w->pending.conflicts[i];
	}
	*ret_all = !count;
	if (count)
		apply_output_left(left, count);
	return 0;
}

/* The last question: 'y', 'n' or 'u'. */
static char ask_to_go_on(const struct walk *w)
{
	const struct cli *cli = w->with->cli;
	const char *choices = w->choice_count ? "[Y/n, u to undo]" : "[Y/n]";
	char answer[16];

	for (;;) {
		printf("\nEverything is resolved. Continue now? %s%s%s ",
			output_color(cli, COLOR_BOLD), choices, output_color(cli, COLOR_RESET));
		fflush(stdout);
		if (!fgets(answer, sizeof(answer), stdin)) {
			printf("\n");
			return 'n';
		}
		answer[strcspn(answer, "\n")] = '\0';
		if (!*answer || !strcasecmp(answer, "y") || !strcasecmp(answer, "yes"))
			return 'y';
		if (!strcasecmp(answer, "n") || !strcasecmp(answer, "no") ||
			!strcmp(answer, "q"))
			return 'n';
		if (!strcmp(answer, "u") && w->choice_count)
			return 'u';
		printf("Please type one of the letters.\n");
	}
}

static void walk_release(struct walk *w)
{
	for (size_t i = 0; i < w->choice_count; i++)
		conflict_choice_release(&w->choices[i]);
	free(w->decided);
	free(w->tool);
	pending_release(&w->pending);
}

static int walk_through(const struct conflict_walk *with, bool *ret_go_on, struct error *err)
{
	CLEANUP(walk_release) struct walk w = {.with = with};
	bool found;

	if (pending_load(with->project, &w.pending, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	w.decided = xcalloc(w.pending.conflict_count + 1, sizeof(*w.decided));
	w.tool = conflict_edit_tool(with->project);
	/*
	 * Walk through the conflicts until all are resolved and the person wants to continue, or
	 * something is left.
	 */
	for (;;) {
		char answer;
		bool all;

		walk_lead(&w);
		if (report_left(&w, &all, err) < 0)
			return -1;
		if (!all || interrupt_pending())
			return 0;
		answer = ask_to_go_on(&w);
		*ret_go_on = answer == 'y';
		if (answer == 'n')
			printf("Run 'nanoclaw continue' to continue, or 'nanoclaw abort' "
			       "to undo everything.\n");
		if (answer != 'u')
			return 0;
		if (walk_undo(&w, err) < 0)
			return -1;
	}
}

static int operation_go_on(const struct conflict_walk *with, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;

	if (continue_paused(with->project, with->options, &result, err) < 0) {
		apply_output_warnings(&result);
		return -1;
	}
	return apply_output(with->cli, &result, false);
}

static bool walk_is_wanted(const struct cli *cli)
{
	return cli->interactive && !cli->json && !cli->yes && !cli->quiet;
}

static int ask_resolver(void *data, const struct conflict *conflict, struct error *err)
{
	const struct conflict_walk *walk = data;
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	bool made = true;

	if (conflict_choice_read(walk->project, &conflict->path, &before, err) < 0 ||
		resolve_paused(walk->project, walk->options, conflict, &after.content, err) < 0)
		return -1;
	after.kind = TX_FILE;
	after.mode = before.mode;
	conflict_choice_add(&choice, &conflict->path, &before, &after);
	if (conflict_choice_make(walk->project, &choice, &made, err) < 0)
		return -1;
	if (!made)
		return error_set(err, ERROR_FAILED,
			"'%s' was changed in the meantime; the resolver's result is discarded",
			conflict->path.text);
	return 0;
}

int conflict_walk(const struct conflict_walk *given, struct error *err)
{
	struct conflict_walk with_resolver = *given;
	const struct conflict_walk *walk = &with_resolver;
	int code = EXIT_PAUSED;

	if (given->options->resolver) {
		with_resolver.ask_resolver = ask_resolver;
		with_resolver.resolver_data = &with_resolver;
	}

	while (code == EXIT_PAUSED && walk_is_wanted(walk->cli)) {
		bool on = false;
		int failed;

		/* Remove copies of texts when a signal ends us. */
		interrupt_catch();
		failed = walk_through(walk, &on, err);
		interrupt_release();
		if (failed)
			return -1;
		if (!on)
			break;
		code = operation_go_on(walk, err);
	}
	return code;
}
