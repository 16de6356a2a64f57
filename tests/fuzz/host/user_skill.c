/*
 * Any bytes as a user skill. The parser terminates and its faults have valid line numbers. If
 * the bytes are text, the parsed skill can be printed and parsed again with the same result.
 */
#include <stdlib.h>
#include <string.h>

#include "../../harness/user_skill_equal.h"
#include "../fuzz.h"
#include "base/utf8.h"
#include "userskill/text/parse.h"
#include "userskill/text/print.h"

#define PATH "planning/day-plan/SKILL.md"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_faults(const struct skill_faults *faults, size_t size)
{
	size_t errors = 0;

	for (size_t i = 0; i < faults->count; i++) {
		require(faults->list[i].line >= 1 && faults->list[i].line <= size + 1);
		require(*faults->list[i].text);
		errors += faults->list[i].severity == SKILL_ERROR;
		require(!i || faults->list[i].line >= faults->list[i - 1].line);
	}
	require(faults->left_out ? errors <= faults->errors : errors == faults->errors);
}

/* A skill without errors has everything that its users rely on. */
static void check_skill(const struct user_skill *skill)
{
	require(skill->name && skill->id && skill_id_valid(skill->id));
	require(skill->version && skill->category && skill->source_text);
	require(skill->source != SOURCE_NONE && skill->status != STATUS_NONE);
	require(skill->command_count || skill->schedule_count || skill->conditions.count);
	require(skill->steps.count >= 3);
	for (int kind = SECTION_TRIGGER; kind <= SECTION_OUTPUT; kind++)
		require(user_skill_section(skill, kind) != NULL);
	for (size_t i = 0; i < skill->command_count; i++)
		require(skill_command_valid(skill->commands[i].name));
	for (size_t i = 0; i < skill->schedule_count; i++) {
		CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;

		require(schedule_parse(skill->schedules[i].type, skill->schedules[i].value,
				"UTC", 0, &schedule, &err) == 0);
	}
}

static void check_again(const struct user_skill *skill)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill again = USER_SKILL_INIT;
	CLEANUP(buf_release) struct buf once = BUF_INIT;
	CLEANUP(buf_release) struct buf twice = BUF_INIT;

	user_skill_print(skill, &once);
	user_skill_parse(view_of_buf(&once), PATH, &again, &faults);
	require(user_skill_equal(skill, &again));
	user_skill_print(&again, &twice);
	require(once.len == twice.len && !memcmp(once.data, twice.data, once.len));
}

static void check_field(struct view text, const struct user_skill *skill)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill changed = USER_SKILL_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	user_skill_set_field(text, "Status", "Retired", &out);
	user_skill_parse(view_of_buf(&out), PATH, &changed, &faults);
	require(changed.status == STATUS_RETIRED && changed.field_count >= skill->field_count);
	require(faults.errors == 0);
}

FUZZ_TARGET(user_skill)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	struct view text = {(const char *)data, len};

	user_skill_parse(text, PATH, &skill, &faults);
	check_faults(&faults, len);
	if (!faults.errors)
		check_skill(&skill);
	if (utf8_valid(text) && (!len || !memchr(data, '\0', len)))
		check_again(&skill);
	if (!faults.errors)
		check_field(text, &skill);
	return 0;
}
