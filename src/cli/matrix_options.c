#include "cli/matrix_options.h"

void matrix_option_words(const struct arguments *args, const struct option *option,
	struct string_array *ret_words)
{
	for (size_t i = 0; i < args->option_count; i++) {
		struct view rest, word;

		if (args->options[i].option != option || !args->options[i].value)
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

int matrix_options_plan(const struct arguments *args, const struct option *skills,
	const struct option *cores, const struct project *project, struct matrix *ret_matrix,
	struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};
	struct matrix_request request = {0};

	matrix_option_words(args, skills, &names);
	matrix_option_words(args, cores, &versions);
	request.skills = (const char *const *)names.list;
	request.skill_count = names.count;
	request.core_versions = (const char *const *)versions.list;
	request.core_version_count = versions.count;
	return matrix_plan(project, &request, ret_matrix, err);
}
