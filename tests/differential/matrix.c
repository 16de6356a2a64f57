/*
 * The pairs of the test matrix (engine/maintain/matrix.h) against brute force:
 *
 *	matrix COUNT SEED
 *
 * Projects of 30 random skills each, which overlap in all the ways there are: files, folders
 * that are files elsewhere, renames and deletions of files and of folders, older names, files
 * changed as text for which others declare entries, npm packages, variables, services, ports;
 * with dependencies, conflicts, and system packages, which do not matter. The test computes the
 * overlaps of every two skills a second time from the manifests, one entry at a time. They must
 * match the plan: the same pairs, for the same reasons, and no others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/maintain/matrix.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define SKILLS 30
#define THINGS 8

static uint64_t random_state;

/* splitmix64: small, good enough, the same everywhere */
static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % limit);
}

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "matrix: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- what there is -------------------------------------------------------------------- */

static const char *const paths[] = {
	".env.example",
	"compose.yaml",
	"lib",
	"lib/a.c",
	"lib/b.c",
	"lib/deep",
	"lib/deep/c.c",
	"lib/deep/er/d.c",
	"libx",
	"old/a.c",
	"old/b.c",
	"package.json",
	"src/a.c",
	"src/b.c",
	"src/c.c",
	"src/d.c",
	"src/e.c",
	"src/f.c",
	"src/g.c",
	"src/h.c",
	"system-packages.txt",
};

/* Older names, where the project has some. The first leads on to the second. */
static const char *const remap[][2] = {{"older/a.c", "old/a.c"}, {"old/a.c", "src/a.c"}};

/* A skill as it was written down. */
struct skill {
	const char *files[THINGS];
	size_t file_count;
	const char *op_paths[THINGS]; /* what is renamed, new names, what is deleted */
	size_t op_count;
	unsigned npm, env, services; /* bits */
	bool system;
	unsigned port; /* 0: none; of its only service, or its first */
	bool depends[SKILLS];
	bool conflicts[SKILLS];
};

static struct skill skills[SKILLS];
static bool has_remap;

/* --- random skills ---------------------------------------------------------------------- */

static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strlen(path) > len && !memcmp(path, folder, len) && path[len] == '/';
}

/* A manifest must not contradict itself. */
static bool fits(const struct skill *skill, const char *path)
{
	for (size_t i = 0; i < skill->file_count; i++)
		if (!strcmp(skill->files[i], path) || is_in(skill->files[i], path) ||
			is_in(path, skill->files[i]))
			return false;
	for (size_t i = 0; i < skill->op_count; i++)
		if (!strcmp(skill->op_paths[i], path) || is_in(skill->op_paths[i], path) ||
			is_in(path, skill->op_paths[i]))
			return false;
	return true;
}

static const char *pick(const struct skill *skill)
{
	for (int tries = 0; tries < 50; tries++) {
		const char *path =
			has_remap && !below(12) ? remap[0][0] : paths[below(ARRAY_SIZE(paths))];

		if (fits(skill, path))
			return path;
	}
	return NULL;
}

static void write_files(struct skill *skill, FILE *out)
{
	const char *adds = below(2) ? "adds" : "modifies";
	const char *path;

	for (int round = 0; round < 2; round++) {
		fprintf(out, "%s:\n",
			round ? !strcmp(adds, "adds") ? "modifies" : "adds" : adds);
		for (unsigned count = below(2); count; count--)
			if ((path = pick(skill))) {
				fprintf(out, "  - %s\n", path);
				skill->files[skill->file_count++] = path;
			}
	}
}

static void write_ops(struct skill *skill, FILE *out)
{
	const char *from, *to;

	if (below(4))
		return;
	from = pick(skill);
	if (!from)
		return;
	skill->op_paths[skill->op_count++] = from;
	to = below(2) ? pick(skill) : NULL;
	if (to) {
		skill->op_paths[skill->op_count++] = to;
		fprintf(out, "file_ops:\n  - {type: rename, from: %s, to: %s}\n", from, to);
	} else {
		fprintf(out, "file_ops:\n  - {type: delete, path: %s}\n", from);
	}
}

static void write_structured(struct skill *skill, FILE *out)
{
	skill->npm = below(4) ? 0 : 1u << below(6);
	skill->env = below(4) ? 0 : 1u << below(6);
	skill->services = below(4) ? 0 : 1u << below(6);
	skill->system = !below(3);
	skill->port = skill->services && below(2) ? 9000 + below(6) : 0;
	fprintf(out, "structured:\n");
	for (unsigned i = 0; i < 6; i++) {
		if (skill->npm & 1u << i)
			fprintf(out, "  npm_dependencies: {pack%u: ^%u.0.0}\n", i, below(3));
		if (skill->env & 1u << i)
			fprintf(out, "  env_additions: [VAR_%u]\n", i);
		if (skill->services & 1u << i)
			fprintf(out, "  docker_compose_services: {svc%u: {image: x", i);
		if (skill->services & 1u << i && skill->port)
			fprintf(out, ", ports: ['%u:80']", skill->port);
		if (skill->services & 1u << i)
			fprintf(out, "}}\n");
	}
	if (skill->system)
		fprintf(out, "  system_packages: [ffmpeg]\n");
}

/* Only on earlier ones, so that there is no circle. */
static void write_relations(unsigned number, FILE *out)
{
	struct skill *skill = &skills[number];

	for (unsigned i = 0; i < number; i++) {
		unsigned choice = below(60);

		skill->depends[i] = choice == 0;
		skill->conflicts[i] = choice == 1;
	}
	fprintf(out, "depends: [");
	for (unsigned i = 0, any = 0; i < number; i++)
		if (skill->depends[i])
			fprintf(out, "%ss%02u", any++ ? ", " : "", i);
	fprintf(out, "]\nconflicts: [");
	for (unsigned i = 0, any = 0; i < number; i++)
		if (skill->conflicts[i])
			fprintf(out, "%ss%02u", any++ ? ", " : "", i);
	fprintf(out, "]\n");
}

static void write_skill(unsigned number)
{
	CLEANUP(freep) char *folder = xasprintf("skills/s%02u", number);
	CLEANUP(freep) char *path = xasprintf("%s/manifest.yaml", folder);
	struct skill *skill = &skills[number];
	FILE *out;

	require(mkdir(folder, 0777) == 0, folder);
	out = fopen(path, "w");
	require(out, path);
	*skill = (struct skill){0};
	fprintf(out, "skill: s%02u\nversion: 1.0.0\ncore_version: 1.0.0\n", number);
	write_files(skill, out);
	write_ops(skill, out);
	write_structured(skill, out);
	write_relations(number, out);
	require(fclose(out) == 0, path);
}

static void write_state(void)
{
	FILE *out;

	require(mkdir(".nanoclaw", 0777) == 0, ".nanoclaw");
	out = fopen(".nanoclaw/state.yaml", "w");
	require(out, "state.yaml");
	fprintf(out, "skills_system_version: 0.1.0\ncore_version: 1.0.0\napplied_skills: []\n");
	fprintf(out, "path_remap:\n");
	for (size_t i = 0; i < ARRAY_SIZE(remap); i++)
		fprintf(out, "  %s: %s\n", remap[i][0], remap[i][1]);
	require(fclose(out) == 0, "state.yaml");
}

static void write_project(void)
{
	FILE *out = fopen("VERSION", "w");

	require(out && fputs("1.0.0\n", out) >= 0 && fclose(out) == 0, "VERSION");
	require(mkdir("skills", 0777) == 0, "skills");
	has_remap = below(2);
	if (has_remap)
		write_state();
	for (unsigned i = 0; i < SKILLS; i++)
		write_skill(i);
}

/* --- brute force -------------------------------------------------------------------------- */

struct claims {
	char *list[2000 * THINGS];
	size_t count;
};

static void claim(struct claims *claims, unsigned a, unsigned b, const char *what)
{
	char *text = xasprintf("s%02u s%02u %s", a, b, what);

	for (size_t i = 0; i < claims->count; i++)
		if (!strcmp(claims->list[i], text)) {
			free(text);
			return;
		}
	require(claims->count < ARRAY_SIZE(claims->list), "too many overlaps");
	claims->list[claims->count++] = text;
}

static const char *name_now(const char *path)
{
	for (size_t i = 0; has_remap && i < ARRAY_SIZE(remap); i++)
		if (!strcmp(path, remap[i][0]))
			path = remap[i][1];
	return path;
}

/* The file itself, or NULL: of two paths of which one may be in the other. */
static const char *met(const char *a, const char *b)
{
	a = name_now(a);
	b = name_now(b);
	if (!strcmp(a, b) || is_in(a, b))
		return a;
	return is_in(b, a) ? b : NULL;
}

static void claim_path(
	struct claims *claims, unsigned a, unsigned b, const char *kind, const char *path)
{
	CLEANUP(freep) char *what = path ? xasprintf("%s %s", kind, path) : NULL;

	if (what)
		claim(claims, a, b, what);
}

static bool declares(const struct skill *skill, const char *path)
{
	return (!strcmp(path, "package.json") && skill->npm) ||
	       (!strcmp(path, ".env.example") && skill->env) ||
	       (!strcmp(path, "compose.yaml") && skill->services) ||
	       (!strcmp(path, "system-packages.txt") && skill->system);
}

static void compare_paths(struct claims *claims, unsigned a, unsigned b)
{
	const struct skill *x = &skills[a], *y = &skills[b];

	for (size_t i = 0; i < x->file_count; i++) {
		for (size_t k = 0; k < y->file_count; k++)
			claim_path(claims, a, b, "file", met(x->files[i], y->files[k]));
		for (size_t k = 0; k < y->op_count; k++)
			claim_path(claims, a, b, "file-op", met(x->files[i], y->op_paths[k]));
	}
	for (size_t i = 0; i < x->op_count; i++) {
		for (size_t k = 0; k < y->file_count; k++)
			claim_path(claims, a, b, "file-op", met(x->op_paths[i], y->files[k]));
		for (size_t k = 0; k < y->op_count; k++)
			claim_path(
				claims, a, b, "file-op", met(x->op_paths[i], y->op_paths[k]));
	}
}

/* Files that one skill changes as text and for which the other declares entries. */
static void compare_text(
	struct claims *claims, unsigned a, unsigned b, unsigned one, unsigned other)
{
	for (size_t i = 0; i < skills[one].file_count; i++)
		if (declares(&skills[other], skills[one].files[i]))
			claim_path(claims, a, b, "file", skills[one].files[i]);
	for (size_t i = 0; i < skills[one].op_count; i++)
		if (declares(&skills[other], skills[one].op_paths[i]))
			claim_path(claims, a, b, "file-op", skills[one].op_paths[i]);
}

static void compare_entries(struct claims *claims, unsigned a, unsigned b)
{
	const struct skill *x = &skills[a], *y = &skills[b];
	char what[64];

	for (unsigned i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "npm pack%u", i);
		if (x->npm & y->npm & 1u << i)
			claim(claims, a, b, what);
		snprintf(what, sizeof(what), "env VAR_%u", i);
		if (x->env & y->env & 1u << i)
			claim(claims, a, b, what);
		snprintf(what, sizeof(what), "service svc%u", i);
		if (x->services & y->services & 1u << i)
			claim(claims, a, b, what);
	}
	snprintf(what, sizeof(what), "port %u/tcp", x->port);
	if (x->port && x->port == y->port)
		claim(claims, a, b, what);
}

/* Who comes along with a skill. */
static void reach(unsigned number, bool *reached)
{
	reached[number] = true;
	for (unsigned i = 0; i < number; i++)
		if (skills[number].depends[i])
			reach(i, reached);
}

static bool exclude(unsigned a, unsigned b)
{
	bool together[SKILLS] = {false};

	reach(a, together);
	reach(b, together);
	for (unsigned i = 0; i < SKILLS; i++)
		for (unsigned k = 0; k < SKILLS; k++)
			if (together[i] && together[k] && skills[i].conflicts[k])
				return true;
	return false;
}

static void find_all(struct claims *claims)
{
	for (unsigned a = 0; a < SKILLS; a++)
		for (unsigned b = a + 1; b < SKILLS; b++) {
			if (exclude(a, b))
				continue;
			compare_paths(claims, a, b);
			compare_text(claims, a, b, a, b);
			compare_text(claims, a, b, b, a);
			compare_entries(claims, a, b);
		}
}

/* --- the plan --------------------------------------------------------------------------- */

static unsigned number_of(const char *skill)
{
	return (unsigned)strtoul(skill + 1, NULL, 10);
}

static void read_plan(const struct matrix *matrix, struct claims *claims)
{
	for (size_t i = 0; i < matrix->count; i++)
		for (size_t k = 0; k < matrix->list[i].reason_count; k++) {
			const struct matrix_reason *reason = &matrix->list[i].reasons[k];

			if (reason->kind != MATRIX_PAIR)
				continue;
			for (size_t n = 0; n < reason->overlap.count; n++)
				claim_path(claims, number_of(reason->skills.list[0]),
					number_of(reason->skills.list[1]),
					matrix_target_names[reason->overlap.list[n].target],
					reason->overlap.list[n].name);
		}
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool same(struct claims *ours, struct claims *brute)
{
	bool equal = ours->count == brute->count;

	qsort(ours->list, ours->count, sizeof(*ours->list), compare_texts);
	qsort(brute->list, brute->count, sizeof(*brute->list), compare_texts);
	for (size_t i = 0; equal && i < ours->count; i++)
		equal = !strcmp(ours->list[i], brute->list[i]);
	for (size_t i = 0, k = 0; !equal && (i < ours->count || k < brute->count);) {
		int order = i == ours->count    ? 1
			    : k == brute->count ? -1
						: strcmp(ours->list[i], brute->list[k]);

		if (order < 0)
			printf("# only in the plan: %s\n", ours->list[i]);
		if (order > 0)
			printf("# missing in the plan: %s\n", brute->list[k]);
		i += order <= 0;
		k += order >= 0;
	}
	return equal;
}

static void claims_free(struct claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		free(claims->list[i]);
	free(claims);
}

static bool run_case(unsigned long seed, unsigned long number, size_t *found)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	struct claims *ours = xcalloc(1, sizeof(*ours)), *brute = xcalloc(1, sizeof(*brute));
	bool equal;

	random_state = seed * 1000003 + number;
	require(mkdir("project", 0777) == 0 && chdir("project") == 0, "project");
	write_project();
	if (project_open_here(&project, &err) < 0 ||
		matrix_plan(&project, &(struct matrix_request){0}, &matrix, &err) < 0) {
		printf("# case %lu: %s\n", number, err.message);
		return false;
	}
	find_all(brute);
	read_plan(&matrix, ours);
	equal = same(ours, brute);
	*found += brute->count;
	claims_free(ours);
	claims_free(brute);
	require(chdir("..") == 0, "..");
	if (!equal)
		printf("# case %lu\n", number);
	else
		require(tree_remove(AT_FDCWD, "project", &err) == 0, "remove");
	return equal;
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep)
	char *folder = xasprintf(
		"%s/nanoclaw-matrix-test-XXXXXX", temporary && *temporary ? temporary : "/tmp");
	unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long seed = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t found = 0;
	bool equal = true;

	if (!count) {
		fprintf(stderr, "usage: matrix COUNT SEED\n");
		return 2;
	}
	require(mkdtemp(folder) && chdir(folder) == 0, folder);
	for (unsigned long i = 0; i < count && equal; i++)
		equal = run_case(seed, i, &found);
	/* Skills that have nothing in common would say nothing. */
	equal = equal && found >= 50 * count;
	printf("%sok 1 - %zu overlaps in %lu projects of %d skills are those of brute force "
	       "(seed %lu)\n1..1\n",
		equal ? "" : "not ", found, count, SKILLS, seed);
	if (!equal)
		printf("# the files are in %s\n", folder);
	else if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return equal ? 0 : 1;
}
