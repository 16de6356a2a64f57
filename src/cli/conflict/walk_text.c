#include <assert.h>
#include <stdio.h>

#include "cli/conflict/edit.h"
#include "cli/conflict/intents.h"
#include "cli/conflict/show.h"
#include "cli/conflict/take.h"
#include "cli/conflict/walk_state.h"
#include "cli/output.h"
#include "engine/structured/structured_state.h"
#include "proc/log.h"

/* Lines around a hunk that an editor gets. */
#define EDIT_AROUND 10

/* A file as it was read, and the question about it. */
struct question {
	struct walk *w;
	const struct conflict *conflict;
	struct tx_file file;
	struct conflict_text marked;
	size_t number; /* of the hunk; marked.count: none, but there are other markers */
	struct string_array
		problems; /* that a file without hunks has, such as one port twice */
};

static void question_release(struct question *q)
{
	tx_file_release(&q->file);
	conflict_text_release(&q->marked);
	string_array_release(&q->problems);
}

static struct view text_of(const struct question *q)
{
	return view_of_buf(&q->file.content);
}

static const struct conflict_hunk *hunk_of(const struct question *q)
{
	return q->number < q->marked.count ? &q->marked.hunks[q->number] : NULL;
}

static bool all_clear(const struct question *q)
{
	for (size_t i = 0; i < q->marked.count; i++)
		if (!q->marked.hunks[i].clear)
			return false;
	return q->marked.count > 0;
}

/* --- showing ---------------------------------------------------------------------------- */

static void question_show(const struct question *q, bool whole)
{
	CLEANUP(conflict_intents_release)
	struct conflict_intents intents = CONFLICT_INTENTS_INIT;
	const struct conflict_walk *with = q->w->with;
	const struct cli *cli = with->cli;
	CLEANUP(freep) char *path = output_path(q->conflict->path.text);
	size_t before = q->w->resolved;

	printf("\n%s%s%s", output_color(cli, COLOR_BOLD), path, output_color(cli, COLOR_RESET));
	if (hunk_of(q))
		printf(": conflict %zu of %zu, line %zu\n", before + q->number + 1,
			before + q->marked.count, conflict_show_line(text_of(q), hunk_of(q)));
	else
		printf(": %s\n", q->problems.count ? q->problems.list[0]
						   : "its conflict markers do not match");
	if (hunk_of(q))
		conflict_show_hunk(with->cli, text_of(q), &q->marked, q->number, whole);
	conflict_intents_read(
		with->project, &q->w->pending, q->conflict, with->typed, &intents);
	conflict_intents_print(with->cli, &intents, whole);
}

/* --- choices ---------------------------------------------------------------------------- */

/* The file with this content from now on. */
static int question_choose(
	struct question *q, struct buf *content, bool *ret_made, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release)
	struct tx_file after = {.kind = TX_FILE, .mode = q->file.mode, .content = *content};

	*content = BUF_INIT;
	conflict_choice_add(&choice, &q->conflict->path, &q->file, &after);
	return walk_choose(q->w, &choice, ret_made, err);
}

static int question_take(struct question *q, enum conflict_take take, struct error *err)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	size_t start = hunk_of(q)->start;
	bool made;

	conflict_take_hunk(q->w->with->project, &q->w->pending, q->conflict, text_of(q),
		hunk_of(q), take, &lines);
	conflict_text_replace(text_of(q), hunk_of(q), view_of_buf(&lines), &content);
	if (question_choose(q, &content, &made, err) < 0)
		return -1;
	if (made) {
		q->w->from = start + lines.len;
		q->w->resolved++;
	}
	return 0;
}

/* --- editor, merge tool, resolver --------------------------------------------------------- */

static size_t count_hunks(const struct question *q, const struct buf *text)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;

	conflict_text_parse(view_of_buf(text), q->conflict->skill, &marked);
	return marked.count;
}

/* The person edited the text, which now has this many hunks. */
static void note_worked(struct question *q, size_t hunks, size_t from)
{
	if (hunks < q->marked.count)
		q->w->resolved += q->marked.count - hunks;
	q->w->from = from;
}

/* Put an edited text in the place of [start, end). */
static int use_edit(struct question *q, struct conflict_edit *edit, size_t start, size_t end,
	struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct conflict_hunk region = {.start = start, .end = end};
	size_t hunks;
	bool made;

	if (!edit->changed) {
		printf("nothing was changed\n");
		return 0;
	}
	conflict_text_replace(text_of(q), &region, view_of_buf(&edit->text), &content);
	hunks = count_hunks(q, &content);
	if (question_choose(q, &content, &made, err) < 0 || !made) {
		log_note("your text is in '%s'", conflict_edit_keep(edit));
		return err->kind ? -1 : 0;
	}
	note_worked(q, hunks, start);
	return 0;
}

static int edit_hunk(struct question *q, struct error *err)
{
	CLEANUP(conflict_edit_release) struct conflict_edit edit = CONFLICT_EDIT_INIT;
	const struct conflict_hunk *hunk = hunk_of(q);
	struct view text = text_of(q);
	size_t start = hunk->start -
		       conflict_show_before(text, &q->marked, q->number, EDIT_AROUND).len;
	size_t end =
		hunk->end + conflict_show_behind(text, &q->marked, q->number, EDIT_AROUND).len;

	if (conflict_edit_by_editor(&edit, relpath_base(&q->conflict->path),
		    view_slice(text, start, end), err) < 0)
		return -1;
	return use_edit(q, &edit, start, end, err);
}

static int edit_file(struct question *q, struct error *err)
{
	CLEANUP(conflict_edit_release) struct conflict_edit edit = CONFLICT_EDIT_INIT;

	if (conflict_edit_by_editor(&edit, relpath_base(&q->conflict->path), text_of(q), err) <
		0)
		return -1;
	return use_edit(q, &edit, 0, q->file.content.len, err);
}

static int run_tool(struct question *q, struct error *err)
{
	CLEANUP(conflict_edit_release) struct conflict_edit edit = CONFLICT_EDIT_INIT;

	if (conflict_edit_by_tool(&edit, q->w->tool, relpath_base(&q->conflict->path),
		    text_of(q), &q->marked, err) < 0)
		return -1;
	return use_edit(q, &edit, 0, q->file.content.len, err);
}

/* It writes to the tree itself, so only the undo is remembered. */
static int question_ask_resolver(struct question *q, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	const struct conflict_walk *with = q->w->with;
	size_t hunks;

	assert(with->ask_resolver); /* else there is no such letter */
	printf("asking the resolver ...\n");
	fflush(stdout);
	if (with->ask_resolver(with->resolver_data, q->conflict, err) < 0 ||
		conflict_choice_read(with->project, &q->conflict->path, &after, err) < 0)
		return -1;
	hunks = count_hunks(q, &after.content);
	conflict_choice_add(&choice, &q->conflict->path, &q->file, &after);
	walk_remember(q->w, &choice);
	note_worked(q, hunks, 0);
	return 0;
}

/* --- the question ----------------------------------------------------------------------- */

static int question_ask(struct question *q, enum walk_step *ret_step, struct error *err)
{
	const struct walk *w = q->w;
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	bool clear = hunk_of(q) && hunk_of(q)->clear;
	bool one = !clear || view_equal_str(hunk_of(q)->base_label, CONFLICT_TEXT_CLASH);

	shown_append(&ours, clear ? hunk_of(q)->ours_label : view_of(""));
	shown_append(&theirs, clear ? hunk_of(q)->theirs_label : view_of(""));
	const struct walk_key keys[] = {
		{'o', ours.data, "take yours", !clear},
		{'t', theirs.data, "take theirs", !clear},
		{'b', "both", "take both, yours first", one},
		{'B', NULL, "take both, theirs first", one},
		{'e', "edit", "edit this conflict in $VISUAL, $EDITOR or vi", !hunk_of(q)},
		{'E', hunk_of(q) ? NULL : "edit", "edit the whole file", false},
		{'m', "merge tool", "run the merge tool on the file",
			!w->tool || !all_clear(q)},
		{'r', "resolver", "ask the resolver about the file", !w->with->ask_resolver},
		{'i', NULL, "show everything: long sides, and the intents of the skills",
			false},
		{'u', "undo", "undo the last choice", !w->choice_count},
		{'s', "later", "skip it for now", false},
		{'q', "leave", "skip this and everything else for now", false},
		{0},
	};
	char letter;

	while ((letter = walk_ask(w, keys)) == 'i')
		question_show(q, true);
	*ret_step = WALK_STAY;
	switch (letter) {
	case 'o':
		return question_take(q, CONFLICT_TAKE_OURS, err);
	case 't':
		return question_take(q, CONFLICT_TAKE_THEIRS, err);
	case 'b':
		return question_take(q, CONFLICT_TAKE_BOTH, err);
	case 'B':
		return question_take(q, CONFLICT_TAKE_BOTH_2, err);
	case 'e':
		return edit_hunk(q, err);
	case 'E':
		return edit_file(q, err);
	case 'm':
		return run_tool(q, err);
	case 'r':
		return question_ask_resolver(q, err);
	case 'u':
		return walk_undo(q->w, err);
	case 's':
		q->w->from = hunk_of(q) ? hunk_of(q)->end : WALK_FROM_END;
		return 0;
	default:
		*ret_step = WALK_LEAVE;
		return 0;
	}
}

int walk_text(struct walk *w, enum walk_step *ret_step, struct error *err)
{
	CLEANUP(question_release)
	struct question q = {.w = w, .conflict = walk_conflict(w), .file = TX_FILE_INIT};
	size_t number = 0;

	*ret_step = WALK_NEXT;
	if (conflict_choice_read(w->with->project, &q.conflict->path, &q.file, err) < 0)
		return -1;
	if (q.file.kind != TX_FILE) {
		CLEANUP(freep) char *path = relpath_quote(&q.conflict->path);

		log_warning("'%s' is missing; restore the file in its resolved form", path);
		return 0;
	}
	conflict_text_parse(text_of(&q), q.conflict->skill, &q.marked);
	while (number < q.marked.count && q.marked.hunks[number].start < w->from)
		number++;
	q.number = number;
	if (!hunk_of(&q) && q.marked.stray <= q.conflict->markers)
		structured_find_problems(
			&w->pending.state, q.conflict->path.text, text_of(&q), &q.problems);
	if (!hunk_of(&q) &&
		(w->from == WALK_FROM_END ||
			(q.marked.stray <= q.conflict->markers && !q.problems.count)))
		return 0;
	question_show(&q, false);
	return question_ask(&q, ret_step, err);
}
