/*
 * What people say, and what they want by it.
 */
#include "agent/offline/request.h"

#include <string.h>

#include "../test.h"
#include "base/alloc.h"

struct sample {
	const char *text;
	enum request_kind kind;
	const char *what;
};

static void check(const struct sample *samples, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		CLEANUP(request_release) struct request request = {0};

		request_read(view_of(samples[i].text), "Andy", "@Andy", &request);
		if (request.kind == samples[i].kind && !strcmp(request.what, samples[i].what))
			continue;
		print_message("# '%s': %d '%s'\n", samples[i].text, request.kind, request.what);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(samples) check(samples, ARRAY_SIZE(samples))

static void politeness_case_and_the_name_do_not_matter(void **state)
{
	static const struct sample samples[] = {
		{"notes", REQUEST_NOTES, ""},
		{"NOTES!", REQUEST_NOTES, ""},
		{"@Andy notes", REQUEST_NOTES, ""},
		{"@andy: notes, please", REQUEST_NOTES, ""},
		{"Andy, could you please show me my notes?", REQUEST_NOTES, ""},
		{"hey Andy show notes", REQUEST_NOTES, ""},
		{"ok so now show my notes", REQUEST_NOTES, ""},
		{"what do you remember, Andy?", REQUEST_NOTES, ""},
		{"What do you remember about Ann?", REQUEST_NOTES, "Ann"},
		{"@Andy", REQUEST_HELP, ""},
		{"?", REQUEST_HELP, ""},
		{"", REQUEST_HELP, ""},
		{"hey", REQUEST_SAY, ""},
		{"Hi, Andy!", REQUEST_SAY, ""},
		{"@Andyman notes", REQUEST_UNKNOWN, "@Andyman notes"},
	};

	(void)state;
	CHECK(samples);
}

static void a_note_is_what_stands_behind_the_word(void **state)
{
	static const struct sample samples[] = {
		{"remember milk", REQUEST_REMEMBER, "milk"},
		{"Remember that the key is under the mat.", REQUEST_REMEMBER,
			"the key is under the mat."},
		{"please remember to water the plants", REQUEST_REMEMBER, "water the plants"},
		{"note: Ann likes tea", REQUEST_REMEMBER, "Ann likes tea"},
		{"make a note that Ann likes tea", REQUEST_REMEMBER, "Ann likes tea"},
		{"don't forget the milk", REQUEST_REMEMBER, "the milk"},
		{"remember", REQUEST_NOTES, ""},
		{"note", REQUEST_NOTES, ""},
		{"remember - milk", REQUEST_REMEMBER, "milk"},
		{"remember: -5 degrees outside", REQUEST_REMEMBER, "-5 degrees outside"},
		{"remember one\ntwo", REQUEST_REMEMBER, "one\ntwo"},
		{"remember \"quotes\" & <tags>", REQUEST_REMEMBER, "\"quotes\" & <tags>"},
	};

	(void)state;
	CHECK(samples);
}

static void what_is_to_go_is_named(void **state)
{
	static const struct sample samples[] = {
		{"forget 2", REQUEST_FORGET, "2"},
		{"forget -2", REQUEST_FORGET, "-2"},
		{"Forget note 2, please.", REQUEST_FORGET, "2"},
		{"delete note number 2", REQUEST_FORGET, "2"},
		{"forget about the milk", REQUEST_FORGET, "the milk"},
		{"forget everything!", REQUEST_FORGET, "everything"},
		{"delete all my notes", REQUEST_FORGET, "everything"},
		{"forget it", REQUEST_NO, ""},
		{"never mind", REQUEST_NO, ""},
		{"cancel 3", REQUEST_CANCEL, "3"},
		{"cancel task 3", REQUEST_CANCEL, "3"},
		{"delete reminder 3", REQUEST_CANCEL, "3"},
		{"cancel all reminders", REQUEST_CANCEL, "all reminders"},
		{"pause the reminder about mum", REQUEST_PAUSE, "about mum"},
		{"unpause 3", REQUEST_RESUME, "3"},
		{"add group \"Family Chat\"", REQUEST_ADD_GROUP, "\"Family Chat\""},
		{"remove the group Family Chat", REQUEST_REMOVE_GROUP, "Family Chat"},
		{"find chats family", REQUEST_CHATS, "family"},
	};

	(void)state;
	CHECK(samples);
}

static void a_wish_to_be_reminded_is_handed_on_as_a_whole(void **state)
{
	static const struct sample samples[] = {
		{"remind me to call mum at 5pm", REQUEST_REMIND,
			"remind me to call mum at 5pm"},
		{"@Andy tomorrow at 9 remind me to call mum", REQUEST_REMIND,
			"tomorrow at 9 remind me to call mum"},
		{"could you please remind me in 5 minutes", REQUEST_REMIND,
			"remind me in 5 minutes"},
		{"reminders", REQUEST_TASKS, ""},
		{"show me my reminders", REQUEST_TASKS, ""},
		{"what is scheduled?", REQUEST_TASKS, ""},
	};

	(void)state;
	CHECK(samples);
}

static void yes_goes_with_what_follows_it(void **state)
{
	CLEANUP(request_release) struct request request = {0};
	static const struct sample samples[] = {
		{"yes", REQUEST_YES, ""},
		{"Yes, please!", REQUEST_YES, ""},
		{"yes, forget everything", REQUEST_FORGET, "everything"},
		{"no", REQUEST_NO, ""},
	};

	(void)state;
	CHECK(samples);
	request_read(view_of("yes, forget everything"), "Andy", "@Andy", &request);
	assert_true(request.confirmed);
	request_release(&request);
	request_read(view_of("forget everything"), "Andy", "@Andy", &request);
	assert_false(request.confirmed);
}

static void times_and_zones_are_asked_for(void **state)
{
	static const struct sample samples[] = {
		{"time zone Europe/Berlin", REQUEST_ZONE, "Europe/Berlin"},
		{"set my time zone to New York", REQUEST_ZONE, "New York"},
		{"timezone", REQUEST_ZONE, ""},
		{"what time is it?", REQUEST_TIME, ""},
		{"what's the date", REQUEST_TIME, ""},
		{"what’s the time", REQUEST_TIME, ""},
	};

	(void)state;
	CHECK(samples);
}

static void tasks_are_moved_and_lists_are_kept_in_plain_words(void **state)
{
	static const struct sample samples[] = {
		{"move 3 to 6pm", REQUEST_MOVE, "3 to 6pm"},
		{"please postpone the rent by 2 hours", REQUEST_MOVE, "the rent by 2 hours"},
		{"snooze", REQUEST_SNOOZE, ""},
		{"snooze 10 minutes", REQUEST_SNOOZE, "10 minutes"},
		{"remind me again in 10 minutes", REQUEST_SNOOZE, "in 10 minutes"},
		{"what's on today?", REQUEST_AGENDA, "today"},
		{"what’s on the shopping list?", REQUEST_LIST, "shopping list"},
		{"add milk to shopping", REQUEST_ADD_ITEM, "milk to shopping"},
		{"remove milk from shopping", REQUEST_REMOVE_ITEM, "milk from shopping"},
		{"add group Family", REQUEST_ADD_GROUP, "Family"},
		{"remind Family at 5pm to cook", REQUEST_REMIND_GROUP, "Family at 5pm to cook"},
		{"timer 10 minutes", REQUEST_REMIND, "timer 10 minutes"},
		{"wake me at 7", REQUEST_REMIND, "wake me at 7"},
		{"erinnere mich um 7 an Mama", REQUEST_REMIND, "erinnere mich um 7 an Mama"},
		{"tell me a joke", REQUEST_UNKNOWN, "tell me a joke"},
	};

	(void)state;
	CHECK(samples);
}

static void what_is_not_known_may_be_like_something(void **state)
{
	CLEANUP(request_release) struct request request = {0};

	(void)state;
	request_read(view_of("remeber milk"), "Andy", "@Andy", &request);
	assert_int_equal(request.kind, REQUEST_UNKNOWN);
	assert_string_equal(request.like, "remember");
	request_release(&request);
	request_read(view_of("sing a song"), "Andy", "@Andy", &request);
	assert_int_equal(request.kind, REQUEST_UNKNOWN);
	assert_null(request.like);
}

TESTS(cmocka_unit_test(politeness_case_and_the_name_do_not_matter),
	cmocka_unit_test(a_note_is_what_stands_behind_the_word),
	cmocka_unit_test(what_is_to_go_is_named),
	cmocka_unit_test(a_wish_to_be_reminded_is_handed_on_as_a_whole),
	cmocka_unit_test(yes_goes_with_what_follows_it),
	cmocka_unit_test(times_and_zones_are_asked_for),
	cmocka_unit_test(tasks_are_moved_and_lists_are_kept_in_plain_words),
	cmocka_unit_test(what_is_not_known_may_be_like_something))
