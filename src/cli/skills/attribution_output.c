#include "cli/skills/attribution_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "engine/look/attribution.h"
#include "format/json.h"
#include "fs/beneath.h"

/* --- the files ------------------------------------------------------------------------ */

struct shown_file {
	struct relpath path;
	struct relpath recorded; /* a different one if the user moved the file */
};

struct shown_files {
	struct shown_file *list;
	size_t count;
	size_t cap;
};

static void files_release(struct shown_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		relpath_release(&files->list[i].path);
		relpath_release(&files->list[i].recorded);
	}
	free(files->list);
}

static void add_file(
	struct shown_files *files, const struct relpath *path, const struct relpath *recorded)
{
	GROW(files->list, files->count, files->cap);
	files->list[files->count++] =
		(struct shown_file){relpath_copy(path), relpath_copy(recorded)};
}

static int add_text(struct shown_files *files, const char *text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	add_file(files, &path, &path);
	return 0;
}

/* By path; a moved file before the same path by itself. */
static int in_order(const void *a, const void *b)
{
	const struct shown_file *x = a, *y = b;
	int order = relpath_compare(&x->path, &y->path);

	return order ? order
		     : !relpath_compare(&x->path, &x->recorded) -
			       !relpath_compare(&y->path, &y->recorded);
}

static int look_for_file(const struct comparison *c, const struct relpath *path,
	bool *ret_exists, struct error *err)
{
	CLEANUP(error_release) struct error absent = ERROR_INIT;
	struct stat st = {0};
	int failed = beneath_stat(c->session.project->root, path, &st, &absent);

	*ret_exists = !failed && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode));
	return failed && !beneath_is_absent(&absent) ? error_move(err, &absent) : 0;
}

static int shown_files_collect(const struct comparison *c, const struct selection *selection,
	struct shown_files *files, struct error *err)
{
	size_t kept = 0;
	int failed = 0;

	for (size_t i = 0; i < c->recorded.count; i++)
		if (selection_has(selection, view_of(c->recorded.files[i].path)) &&
			add_text(files, c->recorded.files[i].path, err) < 0)
			return -1;
	for (size_t i = 0; i < c->patch.count; i++) {
		const struct patch_change *change = &c->patch.changes[i];

		add_file(files, patch_path(change),
			patch_is_rename(change) ? &change->old.path : patch_path(change));
	}
	for (size_t i = 0; i < c->unknown.count; i++)
		if (selection_has(selection, view_of(c->unknown.list[i].path)) &&
			add_text(files, c->unknown.list[i].path, err) < 0)
			return -1;
	for (size_t i = 0; i < selection->count; i++)
		add_file(files, &selection->list[i], &selection->list[i]);
	/* Each file once, and only files that exist. */
	if (files->count)
		qsort(files->list, files->count, sizeof(*files->list), in_order);
	for (size_t i = 0; i < files->count; i++) {
		struct shown_file file = files->list[i];
		bool wanted = !kept || relpath_compare(&files->list[kept - 1].path, &file.path);

		if (wanted && !failed)
			failed = look_for_file(c, &file.path, &wanted, err);
		if (wanted) {
			files->list[kept++] = file;
		} else {
			relpath_release(&file.path);
			relpath_release(&file.recorded);
		}
	}
	files->count = kept;
	return failed;
}

/* --- lines per author ----------------------------------------------------------- */

static size_t *count_by_author(const struct attribution *a, const struct attributed_file *file)
{
	size_t *counts = xcalloc(a->author_count, sizeof(*counts));

	for (size_t i = 0; i < file->count; i++)
		counts[file->lines[i].author - a->authors]++;
	return counts;
}

static struct view without_newline(struct view line)
{
	return view_ends_with(line, "\n") ? view_slice(line, 0, line.len - 1) : line;
}

/* --- for programs ----------------------------------------------------------------------- */

static json_t *author_json(const struct author *author)
{
	json_t *json = json_build("by:s name:s", author_kind_names[author->kind], author->name);

	if (author->resolved)
		json_put(json, "settled:b", true);
	return json;
}

static json_t *summary_json(const struct attribution *a, const struct attributed_file *file)
{
	CLEANUP(freep) size_t *counts = count_by_author(a, file);
	json_t *skills = json_object(), *patches = json_object();
	size_t core = 0, user = 0, resolved = 0;

	for (size_t i = 0; i < a->author_count; i++) {
		const struct author *author = &a->authors[i];
		json_t *where = author->kind == AUTHOR_SKILL ? skills : patches;

		if (author->kind == AUTHOR_CORE)
			core += counts[i];
		else if (author->kind == AUTHOR_USER)
			user += counts[i];
		else if (counts[i])
			json_object_set_new(
				where, author->name, json_integer((json_int_t)counts[i]));
		resolved += author->resolved ? counts[i] : 0;
	}
	return json_build("core:I skills:o patches:o user:I settled:I", core, skills, patches,
		user, resolved);
}

/* --- for people ------------------------------------------------------------------------- */

static const char *author_name(const struct author *author)
{
	if (author->kind == AUTHOR_CORE)
		return "core";
	if (author->kind == AUTHOR_USER)
		return author->resolved ? "you (resolved)" : "you";
	return author->name;
}

static const char *author_color(const struct cli *cli, const struct author *author)
{
	static const char *const colors[] = {
		[AUTHOR_CORE] = COLOR_DIM,
		[AUTHOR_SKILL] = COLOR_CYAN,
		[AUTHOR_PATCH] = COLOR_YELLOW,
		[AUTHOR_USER] = COLOR_GREEN,
	};

	return output_color(cli, colors[author->kind]);
}

static size_t author_width(const struct attributed_file *file)
{
	size_t width = 0;

	for (size_t i = 0; i < file->count; i++) {
		size_t len = strlen(author_name(file->lines[i].author));

		width = len > width ? len : width;
	}
	return width;
}

static void attributed_line_print(const struct cli *cli, const struct attributed_file *file,
	size_t i, int width, int digits)
{
	const struct attributed_line *line = &file->lines[i];
	bool again = i && file->lines[i - 1].author == line->author;
	struct view text = without_newline(line->text);
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (!shown_on_terminal())
		buf_append(&out, text.data, text.len);
	else
		shown_append(&out,
			view_ends_with(text, "\r") ? view_slice(text, 0, text.len - 1) : text);
	printf("%s%-*s%s  %*zu%s", author_color(cli, line->author), width,
		again ? "" : author_name(line->author), output_color(cli, COLOR_RESET), digits,
		i + 1, out.len ? "  " : "");
	fwrite(out.data, 1, out.len, stdout);
	printf("\n");
}

static void print_file(const struct cli *cli, const struct attribution *a,
	const struct relpath *path, const struct attributed_file *file)
{
	CLEANUP(freep) char *shown = output_path(path->text);
	int digits = snprintf(NULL, 0, "%zu", file->count), width = (int)author_width(file);
	CLEANUP(freep) size_t *counts = NULL;
	const char *before = "  ";

	printf("%s%s%s\n", output_color(cli, COLOR_BOLD), shown,
		output_color(cli, COLOR_RESET));
	if (file->whole) {
		printf("  no text; all of it: %s%s%s\n", author_color(cli, file->whole),
			author_name(file->whole), output_color(cli, COLOR_RESET));
		return;
	}
	for (size_t i = 0; i < file->count; i++)
		attributed_line_print(cli, file, i, width, digits);
	/* "2 core, 1 skill diary, 3 you" */
	counts = count_by_author(a, file);
	for (size_t i = 0; i < a->author_count; i++) {
		const struct author *author = &a->authors[i];
		bool named = author->name != NULL;

		if (!counts[i])
			continue;
		printf("%s%zu %s%s%s%s%s", before, counts[i], author_color(cli, author),
			named ? author_kind_names[author->kind] : "", named ? " " : "",
			author_name(author), output_color(cli, COLOR_RESET));
		before = ", ";
	}
	printf(file->count ? "\n" : "  no lines\n");
}

/* --- both ------------------------------------------------------------------------------- */

int attribution_output(const struct cli *cli, struct comparison *comparison,
	const struct selection *selection, struct error *err)
{
	CLEANUP(attribution_release) struct attribution a = ATTRIBUTION_INIT;
	CLEANUP(files_release) struct shown_files files = {0};
	CLEANUP(json_decrefp) json_t *list = json_array();

	attribution_begin(&a, comparison);
	if (shown_files_collect(comparison, selection, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.count; i++) {
		const struct shown_file *f = &files.list[i];
		CLEANUP(attributed_file_release)
		struct attributed_file file = ATTRIBUTED_FILE_INIT;

		if (attribution_of(&a, &f->path, &f->recorded, &file, err) < 0)
			return -1;
		if (cli->json) {
			json_t *lines = json_array(), *shown;

			for (size_t k = 0; k < file.count; k++) {
				json_t *line = author_json(file.lines[k].author);

				json_put(line, "line:I text:v", (json_int_t)k + 1,
					without_newline(file.lines[k].text));
				json_array_append_new(lines, line);
			}
			shown = file.whole ? author_json(file.whole) : json_object();
			json_put(shown, "path:v whole:o lines:o summary:o",
				relpath_view(&f->path), json_boolean(file.whole), lines,
				summary_json(&a, &file));
			json_array_append_new(list, shown);
			continue;
		}
		if (i)
			printf("\n");
		print_file(cli, &a, &f->path, &file);
	}
	if (cli->json)
		output_success("files:O", list);
	return 0;
}
