#include "cli/authoring/matrix_options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

void matrix_option_words(
	const struct arguments *args, const char *option, struct string_array *ret_words)
{
	for (size_t i = 0; i < args->option_count; i++) {
		struct view rest, word;

		if (!args->options[i].option->name ||
			strcmp(args->options[i].option->name, option) != 0 ||
			!args->options[i].value)
			continue;
		rest = view_of(args->options[i].value);
		while (view_next(&rest, ',', &word)) {
			CLEANUP(freep) char *text = NULL;

			word = view_trim(word);
			text = xmemdupz(word.data, word.len);
			if (word.len)
				string_array_add(ret_words, text);
		}
	}
}

int matrix_option_jobs(const struct arguments *args, size_t *ret_jobs, struct error *err)
{
	int64_t jobs = 1;
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		jobs = CPU_COUNT(&cpus);
	if (jobs > MATRIX_MAX_JOBS)
		jobs = MATRIX_MAX_JOBS;
	if (arguments_number(args, "jobs", 1, MATRIX_MAX_JOBS, &jobs, err) < 0)
		return -1;
	*ret_jobs = (size_t)jobs;
	return 0;
}

int matrix_options_plan(const struct arguments *args, const struct project *project,
	struct matrix *ret_matrix, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};
	struct matrix_request request = {0};

	matrix_option_words(args, "skills", &names);
	matrix_option_words(args, "core-versions", &versions);
	request.skills = names;
	request.core_versions = versions;
	return matrix_plan(project, &request, ret_matrix, err);
}
