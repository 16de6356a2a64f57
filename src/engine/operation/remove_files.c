/*
 * The result of a replay, compared with what is recorded and with the tree.
 */
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/operation/remove_parts.h"
#include "engine/stack/file_merge.h"
#include "engine/stack/recorded.h"

struct placing {
	struct session *session;
	struct replay *replay;
	const struct recorded *recorded; /* as it was before */
	const char *skill;               /* whose file it is, for what is told */
	struct error *err;
};

/* One file: as it was recorded, as it is in the tree, and as it comes out now. */
struct sides {
	struct tx_file was;
	struct tx_file tree;
	struct tx_file now;
};

#define SIDES_INIT ((struct sides){TX_FILE_INIT, TX_FILE_INIT, TX_FILE_INIT})

static void sides_release(struct sides *sides)
{
	tx_file_release(&sides->was);
	tx_file_release(&sides->tree);
	tx_file_release(&sides->now);
}

static void note(struct placing *p, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(p->session, path, p->skill, outcome);
}

static int put(struct placing *p, const struct relpath *path, const struct tx_file *file,
	const struct tx_file *there)
{
	return tx_file_stage_over(p->session->tx, path, file, there, p->err);
}

static int take_away(struct placing *p, const struct relpath *path)
{
	if (transaction_remove(p->session->tx, path, p->err) < 0)
		return -1;
	return session_prune_above(p->session, path, p->err);
}

/* --- what the person changed ---------------------------------------------------------- */

static int in_the_way(struct placing *p, const struct relpath *path)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(p->err, ERROR_INVALID,
		"%s is not as it is recorded, and cannot be merged with what comes back",
		shown);
	return error_hint(p->err, "move it away first");
}

/* It stays until somebody says that it may go; abort can bring it back as it is. */
static int leave_open(struct placing *p, const struct relpath *path, const struct tx_file *file)
{
	if (put(p, path, file, file) < 0)
		return -1;
	session_add_conflict(p->session, (struct conflict){
						 .kind = CONFLICT_DELETE,
						 .path = relpath_copy(path),
						 .skill = xstrdup(p->skill),
						 .recorded_apart = true,
					 });
	note(p, path, OUTCOME_DECISION);
	return 0;
}

static int decide(struct placing *p, const struct relpath *path, const struct tx_file *file)
{
	static const char *const choices[] = {"keep it", "delete it, with your changes"};
	const struct ask *ask = &p->session->options->ask;
	CLEANUP(freep)
	char *question = xasprintf(
		"'%s' goes with skill '%s', and you have changed it.", path->text, p->skill);
	int answer;

	if (!ask->in_person)
		return leave_open(p, path, file);
	answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, p->err);
	if (answer < 0)
		return -1;
	note(p, path, answer ? OUTCOME_REMOVED : OUTCOME_KEPT);
	return answer ? take_away(p, path) : 0;
}

/* Bring the person's changes over to the file as it comes out now. */
static int merge(struct placing *p, const struct relpath *path, const struct sides *sides)
{
	char label[] = "as recorded";
	struct ancestor ancestor = {.file = sides->was, .label = label};
	struct session *s = p->session;
	size_t conflicts = s->result->conflict_count;
	bool drift_left = s->drift_left;
	struct layer_file merged;
	struct file_merge m = {
		.session = s,
		.skill = p->skill,
		.version = "",
		.path = path,
		.ours = &sides->tree,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&sides->now.content),
		.theirs_mode = sides->now.mode,
	};
	int failed;

	if (sides->tree.kind != TX_FILE || sides->now.kind != TX_FILE ||
		sides->was.kind == TX_SYMLINK)
		return in_the_way(p, path);
	s->drift_left = false;
	failed = file_merge(&m, &merged, p->err);
	s->drift_left = drift_left;
	/* The state has what it should, however that is settled. */
	for (size_t i = conflicts; i < s->result->conflict_count; i++)
		s->result->conflicts[i].recorded_apart = true;
	return failed;
}

/* --- one file ---------------------------------------------------------------------------- */

static int place_changed(
	struct placing *p, const struct relpath *path, const struct sides *sides)
{
	if (tx_file_equal(&sides->tree, &sides->now) ||
		tx_file_equal(&sides->was, &sides->now) || sides->tree.kind == TX_ABSENT)
		return 0;
	if (sides->now.kind == TX_ABSENT)
		return decide(p, path, &sides->tree);
	return merge(p, path, sides);
}

/* Was it there before a skill that is removed added the same? */
static bool was_found(struct placing *p, const struct relpath *path)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(path));

	for (size_t i = 0; i < p->replay->left_out.count; i++) {
		const struct applied_skill *skill =
			state_find(&p->replay->old, p->replay->left_out.list[i]);
		const struct yaml_node *list = yaml_get(skill->node, "files_found");

		for (size_t j = 0; list && list->kind == YAML_SEQUENCE && j < list->count; j++)
			if (view_equal_str(list->items[j]->text, key))
				return true;
	}
	return false;
}

/* Does a decision about it wait? Then it has to be there, for abort. */
static bool is_open(struct placing *p, const struct relpath *path)
{
	const struct apply_result *result = p->session->result;

	for (size_t i = 0; i < result->conflict_count; i++)
		if (relpath_compare(&result->conflicts[i].path, path) == 0)
			return true;
	return false;
}

static int place_plain(struct placing *p, const struct relpath *path, const struct sides *sides)
{
	if (is_open(p, path)) {
		note(p, path, OUTCOME_DECISION);
		return put(p, path, &sides->tree, &sides->tree);
	}
	if (!tx_file_equal(&sides->tree, &sides->was))
		return place_changed(p, path, sides);
	if (tx_file_equal(&sides->tree, &sides->now))
		return 0;
	if (sides->now.kind == TX_ABSENT && was_found(p, path)) {
		note(p, path, OUTCOME_KEPT);
		return 0;
	}
	if (sides->now.kind == TX_ABSENT) {
		note(p, path, OUTCOME_REMOVED);
		return take_away(p, path);
	}
	note(p, path, sides->tree.kind == TX_ABSENT ? OUTCOME_RESTORED : OUTCOME_MERGED);
	return put(p, path, &sides->now, &sides->tree);
}

/* A file that gets back the name that it had. */
static int place_renamed(struct placing *p, const struct relpath *from,
	const struct relpath *to, struct sides *sides)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (transaction_read(p->session->tx, to, &there, p->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return in_the_way(p, to);
	if (sides->tree.kind == TX_ABSENT)
		return 0;
	session_note_rename(p->session, from, to, p->skill);
	if (take_away(p, from) < 0)
		return -1;
	if (tx_file_equal(&sides->tree, &sides->was))
		return put(p, to, &sides->now, &sides->tree);
	if (put(p, to, &sides->tree, &sides->tree) < 0)
		return -1;
	return tx_file_equal(&sides->was, &sides->now) ? 0 : merge(p, to, sides);
}

/* The two names of a file that a removed skill has renamed. */
struct pair {
	struct relpath then;
	struct relpath now;
};

static void pair_release(struct pair *pair)
{
	relpath_release(&pair->then);
	relpath_release(&pair->now);
}

/* Is the file under its old name again, and under the new one no more? */
static int is_moved(struct placing *p, const struct pair *pair, bool *ret_moved)
{
	CLEANUP(tx_file_release) struct tx_file then = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;

	*ret_moved = false;
	if (relpath_compare(&pair->then, &pair->now) == 0)
		return 0;
	if (transaction_read(p->replay->result, &pair->then, &then, p->err) < 0 ||
		transaction_read(p->replay->result, &pair->now, &now, p->err) < 0)
		return -1;
	*ret_moved = then.kind == TX_ABSENT && now.kind != TX_ABSENT;
	return 0;
}

static int read_sides(struct placing *p, const struct relpath *then, const struct relpath *now,
	struct sides *ret_sides)
{
	if (recorded_read(p->session, p->recorded, then, &ret_sides->was, p->err) < 0 ||
		transaction_read(p->replay->result, now, &ret_sides->now, p->err) < 0)
		return -1;
	/* The last: what is changed is what was read. */
	return transaction_read(p->session->tx, then, &ret_sides->tree, p->err);
}

/* The last of the skills that had to do with the file, for what is told. */
static const char *find_skill(struct placing *p, const char *text)
{
	const struct string_array *names = &p->replay->left_out;
	struct layer_file file;

	for (size_t i = names->count; i > 0; i--) {
		const struct layer layer = {
			.node = state_find(&p->replay->old, names->list[i - 1])->node};

		if (layer_get(&layer, view_of(text), &file))
			return names->list[i - 1];
	}
	return names->list[0];
}

static int loses_settled(struct placing *p, const struct relpath *then,
	const struct sides *sides, bool *ret_lost)
{
	*ret_lost = false;
	if (sides->was.kind != TX_FILE || sides->tree.kind != TX_FILE ||
		sides->now.kind != TX_FILE || is_open(p, then))
		return 0;
	return remove_loses_settled(p->session, p->replay, then,
		view_of_buf(&sides->was.content), view_of_buf(&sides->now.content), ret_lost,
		p->err);
}

static int place(struct placing *p, const char *text)
{
	CLEANUP(sides_release) struct sides sides = SIDES_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(pair_release) struct pair here = {0};
	CLEANUP(pair_release) struct pair there = {0};
	bool moved_here, moved_away, lost;

	if (relpath_parse(view_of(text), &path, p->err) < 0)
		return -1;
	p->skill = find_skill(p, text);
	here = (struct pair){
		.then = replay_name_then(p->replay, &path), .now = relpath_copy(&path)};
	there = (struct pair){
		.then = relpath_copy(&path), .now = replay_name_now(p->replay, &path)};
	if (is_moved(p, &here, &moved_here) < 0 || is_moved(p, &there, &moved_away) < 0)
		return -1;
	if (moved_away)
		return 0; /* with the other name */
	if (read_sides(p, moved_here ? &here.then : &path, &path, &sides) < 0 ||
		loses_settled(p, moved_here ? &here.then : &path, &sides, &lost) < 0)
		return -1;
	if (lost) {
		string_array_add(&p->replay->hard, text);
		return 0;
	}
	return moved_here ? place_renamed(p, &here.then, &path, &sides)
			  : place_plain(p, &path, &sides);
}

/* Contents that are recorded now. */
static int keep_contents(struct placing *p)
{
	const struct journal *journal = transaction_journal(p->replay->result);

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (change->kind != CHANGE_PUT ||
			!view_starts_with(relpath_view(&change->path), ".nanoclaw/objects/"))
			continue;
		if (transaction_read(p->replay->result, &change->path, &file, p->err) < 0 ||
			recorded_keep(p->session, view_of_buf(&file.content), p->err) < 0)
			return -1;
	}
	return 0;
}

int remove_stage_files(struct session *s, struct replay *replay, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	struct placing p = {s, replay, &recorded, NULL, err};

	if (recorded_collect(&replay->old, &recorded, err) < 0 || keep_contents(&p) < 0)
		return -1;
	for (size_t i = 0; i < replay->paths.count; i++)
		if (!string_array_has(&replay->hard, replay->paths.list[i]) &&
			place(&p, replay->paths.list[i]) < 0)
			return -1;
	return remove_stage_hard(s, replay, err);
}
