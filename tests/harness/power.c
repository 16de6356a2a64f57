#include "power.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk.h"
#include "fs/file.h"

/* Of one command, so many bad disks are shown in full. */
#define SHOWN_MAX 3

/* Choices by chance at one point. */
#define RANDOM_CUTS 100

/* Of the recoveries at one point, so many lose power, too, with so many disks each. */
#define SECOND_RUNS  12
#define SECOND_DISKS 24

/* With fewer disks at one point, fewer of these, too. */
#define SECOND_RUNS_OF(limit)  ((limit) / 4 < SECOND_RUNS ? (limit) / 4 : SECOND_RUNS)
#define SECOND_DISKS_OF(limit) ((limit) / 2 < SECOND_DISKS ? (limit) / 2 : SECOND_DISKS)

struct power {
	const struct matrix *m;
	size_t limit; /* of disks at one point */
	uint64_t *seen;
	size_t disks;
	size_t seen_cap;
	size_t bad;
	struct buf shown;
};

/* --- running ----------------------------------------------------------------- */

/* Run the command, or the recovery if `line` is NULL, and read what it did. */
static int run_recorded(const struct power *p, const struct scenario_command *command,
	struct buf *report, struct buf *ret_records, struct error *err)
{
	const struct workspace *w = p->m->workspace;
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(freep) char *path = xasprintf("%s/records", w->root);
	CLEANUP(freep) char *record = xasprintf("NANOCLAW_RECORD=%s", path);
	CLEANUP(freep) char *tree = xasprintf("NANOCLAW_RECORD_TREE=%s", w->tree);
	const char *const extra[] = {record, tree,
		getenv("NANOCLAW_POWER_COPIES") ? "NANOCLAW_RECORD_COPIES=1" : NULL, NULL};
	CLEANUP(closep) int fd = -1;

	if (unlink(path) < 0 && access(path, F_OK) == 0)
		return error_errno(err, "cannot remove '%s'", path);
	if (!command) {
		if (matrix_recover(p->m, extra, report, err) < 0)
			return -1;
	} else if (matrix_run(p->m, command->line, view_of_buf(&command->input), extra, &result,
			   err) < 0) {
		return -1;
	}
	command_end_all();
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(
			err, "nothing was recorded: is nanoclaw the one with faults?");
	return file_read_fd(fd, path, (size_t)1 << 30, ret_records, err);
}

static int fill(const struct power *p, const struct disk *disk, struct error *err)
{
	const struct tree nothing = TREE_INIT;

	if (workspace_fill(p->m->workspace, &nothing, &p->m->old_home, err) < 0)
		return -1;
	return disk_write(disk, p->m->workspace->tree, err);
}

/* --- cuts -------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* The steps and contents that are uncertain at a point. */
struct open {
	size_t *steps; /* names and permissions */
	size_t step_count;
	size_t *nodes; /* contents */
	size_t node_count;
};

static void open_release(struct open *open)
{
	free(open->steps);
	free(open->nodes);
}

static void open_find(const struct run *run, size_t point, struct open *open)
{
	size_t step_cap = 0, node_cap = 0;

	for (size_t i = 0; i < run->points[point]; i++) {
		const struct step *step = &run->steps[i];
		bool known = false;

		if (!step_is_open(run, i, point))
			continue;
		if (step->kind != STEP_CONTENT) {
			GROW(open->steps, open->step_count, step_cap);
			open->steps[open->step_count++] = i;
			continue;
		}
		for (size_t n = 0; n < open->node_count; n++)
			known |= open->nodes[n] == step->node;
		if (known)
			continue;
		GROW(open->nodes, open->node_count, node_cap);
		open->nodes[open->node_count++] = step->node;
	}
}

static void keep_steps(const struct open *open, struct cut *cut, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		cut->kept[open->steps[i]] = true;
}

static void tear_nodes(const struct open *open, struct cut *cut, enum torn torn)
{
	for (size_t i = 0; i < open->node_count; i++)
		cut->torn[open->nodes[i]] = torn;
}

static size_t count_cuts(const struct open *open)
{
	return 2 * (1 + 3 * open->step_count) + TORN_COUNT * (1 + open->node_count) +
	       RANDOM_CUTS;
}

/* The cut of this number, of those that power.h lists. */
static void make_cut(
	const struct run *run, const struct open *open, size_t number, struct cut *cut)
{
	uint64_t chance = cut->point * 1000003 + number;
	size_t steps = open->step_count;

	memset(cut->kept, 0, run->count * sizeof(*cut->kept));
	memset(cut->torn, 0, run->before.count * sizeof(*cut->torn));
	if (number < 2 * (1 + 3 * steps)) {
		size_t one = number / 2;

		tear_nodes(open, cut, number % 2 ? TORN_OLD : TORN_NOT);
		if (one == 0)
			return;
		one--;
		if (one < steps) {
			keep_steps(open, cut, 0, one + 1);
			cut_complete(run, cut);
		} else if (one < 2 * steps) {
			keep_steps(open, cut, one - steps, one - steps + 1);
			cut_complete(run, cut);
		} else {
			keep_steps(open, cut, 0, steps);
			cut->kept[open->steps[one - 2 * steps]] = false;
			cut_prune(run, cut);
		}
		return;
	}
	number -= 2 * (1 + 3 * steps);
	if (number < TORN_COUNT * (1 + open->node_count)) {
		size_t one = number / TORN_COUNT;

		keep_steps(open, cut, 0, steps);
		if (one == 0)
			tear_nodes(open, cut, number % TORN_COUNT);
		else
			cut->torn[open->nodes[one - 1]] = number % TORN_COUNT;
		return;
	}
	for (size_t i = 0; i < steps; i++)
		cut->kept[open->steps[i]] = next_random(&chance) % 2;
	for (size_t i = 0; i < open->node_count; i++)
		cut->torn[open->nodes[i]] = next_random(&chance) % TORN_COUNT;
	if (number % 2)
		cut_complete(run, cut);
	else
		cut_prune(run, cut);
}

/* --- checking ---------------------------------------------------------------- */

static void describe(struct buf *out, const struct run *run, const struct cut *cut)
{
	static const char *const torn[] = {
		[TORN_OLD] = "old",
		[TORN_EMPTY] = "empty",
		[TORN_HALF] = "half",
		[TORN_BYTE] = "short",
		[TORN_ZEROS] = "zeros",
	};

	buf_appendf(out, "power cut at point %zu of %zu, where of what is not synced\n",
		cut->point + 1, run->point_count);
	for (size_t i = 0; i < run->points[cut->point]; i++) {
		const struct step *step = &run->steps[i];

		if (!step_is_open(run, i, cut->point))
			continue;
		if (step->kind != STEP_CONTENT)
			buf_appendf(out, "  %s: %s\n", cut->kept[i] ? "kept" : "lost",
				step->record);
		else if (cut->torn[step->node])
			buf_appendf(
				out, "  %s: %s\n", torn[cut->torn[step->node]], step->record);
	}
}

enum wanted {
	WANTED_ANY,
	WANTED_OLD,
	WANTED_NEW,
};

/* The same disk was checked, and the same was wanted of it. */
static bool is_seen(struct power *p, const struct disk *disk, enum wanted wanted)
{
	struct hash hash = disk_hash(disk);
	uint64_t key;

	memcpy(&key, hash.bytes, sizeof(key));
	key += wanted;
	for (size_t i = 0; i < p->disks; i++)
		if (p->seen[i] == key)
			return true;
	GROW(p->seen, p->disks, p->seen_cap);
	p->seen[p->disks++] = key;
	return false;
}

static int check_run(struct power *p, const struct run *run, enum wanted wanted,
	enum wanted at_end, bool second, struct error *err);

/* The recovery has left `got`. What is wrong is added to the report; else: old or new? */
static enum wanted judge(
	const struct power *p, const struct tree *got, enum wanted wanted, struct buf *report)
{
	const struct lines *ignore = &p->m->scenario->ignore;
	const struct lines *leftover = &p->m->scenario->leftover;
	bool old = !tree_diff(NULL, &p->m->old, got, ignore, leftover);
	bool new = matrix_check(p->m, leftover, got, report);

	if (report->len)
		return WANTED_ANY;
	if ((wanted == WANTED_NEW && !new) || (wanted == WANTED_OLD && !old))
		buf_appendf(report, "the files are the %s ones, and must be the %s ones\n",
			new ? "new" : "old", new ? "old" : "new");
	return old && new ? WANTED_ANY : new ? WANTED_NEW : WANTED_OLD;
}

/* Returns 1 if it is a disk that was not checked before. */
static int check_cut(struct power *p, const struct run *run, const struct cut *cut,
	enum wanted wanted, bool interrupt, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(disk_release) struct disk disk = DISK_INIT;
	CLEANUP(buf_release) struct buf report = BUF_INIT;
	CLEANUP(buf_release) struct buf records = BUF_INIT;
	CLEANUP(tree_release) struct tree got = TREE_INIT;
	CLEANUP(run_release) struct run recovery = RUN_INIT;
	size_t bad = p->bad;
	enum wanted is;

	cut_disk(run, cut, &arena, &disk);
	if (is_seen(p, &disk, wanted))
		return 0;
	if (fill(p, &disk, err) < 0 || run_recorded(p, NULL, &report, &records, err) < 0 ||
		tree_read(&got, p->m->workspace->tree, err) < 0)
		return -1;
	is = judge(p, &got, wanted, &report);
	if (report.len) {
		if (p->bad++ >= SHOWN_MAX)
			return 1;
		describe(&p->shown, run, cut);
		buf_append(&p->shown, report.data, report.len);
		return 1;
	}
	if (!interrupt || !records.len)
		return 1;
	if (run_read(&recovery, &disk, view_of_buf(&records), err) < 0 ||
		check_run(p, &recovery, is, is, true, err) < 0)
		return -1;
	if (p->bad > bad && bad < SHOWN_MAX) {
		buf_append_str(&p->shown, "that was a recovery after a ");
		describe(&p->shown, run, cut);
	}
	return 1;
}

/* A step through all numbers below `count` that spreads the first ones. */
static size_t stride_of(size_t count)
{
	size_t stride = count * 618 / 1000 + 1;

	for (;; stride++) {
		size_t a = stride, b = count;

		while (b) {
			size_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return stride;
	}
}

static int check_point(struct power *p, const struct run *run, struct cut *cut,
	enum wanted wanted, bool second, struct error *err)
{
	CLEANUP(open_release) struct open open = {0};
	size_t limit = second ? SECOND_DISKS_OF(p->limit) : p->limit;
	size_t count, stride, interrupted = 0;

	open_find(run, cut->point, &open);
	count = count_cuts(&open);
	stride = stride_of(count);
	for (size_t i = 0, done = 0; i < count && done < limit; i++) {
		bool interrupt = !second && interrupted < SECOND_RUNS_OF(p->limit);
		int result;

		make_cut(run, &open, i * stride % count, cut);
		result = check_cut(p, run, cut, wanted, interrupt, err);
		if (result < 0)
			return -1;
		done += (size_t)result;
		interrupted += (size_t)result;
	}
	return 0;
}

static int check_run(struct power *p, const struct run *run, enum wanted wanted,
	enum wanted at_end, bool second, struct error *err)
{
	CLEANUP(freep) bool *kept = xcalloc(run->count + 1, sizeof(*kept));
	CLEANUP(freep) enum torn *torn = xcalloc(run->before.count, sizeof(*torn));
	struct cut cut = {.kept = kept, .torn = torn};

	for (; cut.point < run->point_count; cut.point++)
		if (check_point(p, run, &cut,
			    cut.point + 1 == run->point_count ? at_end : wanted, second,
			    err) < 0)
			return -1;
	return 0;
}

/* Do the records say all that the command has done? */
static int check_records(const struct power *p, const struct run *run, struct error *err)
{
	CLEANUP(tree_release) struct tree got = TREE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fill(p, &run->after, err) < 0 || tree_read(&got, p->m->workspace->tree, err) < 0)
		return -1;
	if (tree_diff(&text, &p->m->new, &got, &p->m->scenario->ignore, NULL))
		return error_set(err, ERROR_FAILED,
			"the records do not lead to what the command left:\n%s", text.data);
	return 0;
}

static int run_all(struct power *p, struct error *err)
{
	CLEANUP(disk_release) struct disk before = DISK_INIT;
	CLEANUP(run_release) struct run run = RUN_INIT;
	CLEANUP(buf_release) struct buf records = BUF_INIT;

	disk_from_tree(&before, &p->m->old);
	if (fill(p, &before, err) < 0 ||
		run_recorded(p, p->m->command, NULL, &records, err) < 0 ||
		run_read(&run, &before, view_of_buf(&records), err) < 0 ||
		check_records(p, &run, err) < 0)
		return -1;
	return check_run(p, &run, WANTED_ANY, WANTED_NEW, false, err);
}

void power_allow(struct lines *leftover)
{
	static const char *const rest[] = {"armed", "guard", "stage"};

	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		CLEANUP(freep) char *pattern = xasprintf("**.nanoclaw/history/*/%s", rest[i]);

		lines_add(leftover, view_of(pattern), 0);
	}
}

unsigned long power_run(struct tap *tap, const struct matrix *m)
{
	const char *limit = getenv("NANOCLAW_POWER_DISKS");
	struct power p = {.m = m, .limit = SIZE_MAX, .shown = BUF_INIT};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *name = NULL;
	unsigned long disks;

	if (limit && strtoul(limit, NULL, 10))
		p.limit = strtoul(limit, NULL, 10);
	if (run_all(&p, &err) < 0) {
		p.bad++;
		buf_appendf(&p.shown, "%s\n", err.message);
	}
	if (p.bad)
		name = xasprintf("%s: %zu disks after a power cut, %zu of them wrong", m->label,
			p.disks, p.bad);
	else
		name = xasprintf("%s: %zu disks after a power cut, old or new on every one",
			m->label, p.disks);
	tap_result(tap, !p.bad, name);
	tap_note(p.shown.data);
	disks = p.disks;
	free(p.seen);
	buf_release(&p.shown);
	return disks;
}
