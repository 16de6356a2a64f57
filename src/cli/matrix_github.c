#include "cli/matrix_github.h"

/* A job for the entries from `first` up to `end`. Ids need no quotes in any shell. */
static json_t *job_of(const struct matrix *matrix, size_t first, size_t end)
{
	CLEANUP(buf_release) struct buf run = BUF_INIT;
	json_t *name;

	buf_append_str(&run, "nanoclaw matrix run");
	for (size_t i = first; i < end; i++)
		buf_appendf(&run, " --only %s", matrix->list[i].id);
	name = end - first == 1 ? json_string(matrix->list[first].id)
				: json_sprintf("%s and %zu more", matrix->list[first].id,
					  end - first - 1);
	return json_pack("{s:o, s:I, s:s}", "name", name, "entries", (json_int_t)(end - first),
		"run", run.data);
}

json_t *matrix_github(const struct matrix *matrix)
{
	size_t jobs = matrix->count < MATRIX_GITHUB_JOBS ? matrix->count : MATRIX_GITHUB_JOBS;
	json_t *include = json_array();

	for (size_t i = 0; i < jobs; i++)
		json_array_append_new(include, job_of(matrix, i * matrix->count / jobs,
						       (i + 1) * matrix->count / jobs));
	return json_pack("{s:o}", "include", include);
}
