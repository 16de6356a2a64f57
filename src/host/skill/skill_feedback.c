#include "host/skill/skill_feedback.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "db/facts.h"
#include "format/json.h"
#include "time/timestamp.h"

#define MAX_ANSWER ((size_t)2000)

/* The question that a group was asked last: a fact of the store, as JSON. */
struct asked {
	int64_t use; /* 0: none, or it was answered */
	int64_t at;
	enum skill_answer_kind kind;
	int least;
	int most;
	char *question;
};

static void asked_release(struct asked *asked)
{
	free(asked->question);
}

static char *fact_name(const char *folder)
{
	return xasprintf("feedback %s", folder);
}

static int asked_load(
	struct store *store, const char *folder, struct asked *ret_asked, struct error *err)
{
	CLEANUP(skill_use_release) struct skill_use last = {0};
	CLEANUP(freep) char *name = fact_name(folder);
	CLEANUP(freep) char *text = NULL;
	json_t *fact;

	if (store_fact_get(store, name, &text, err) < 0 ||
		store_skill_use_last_asked(store, folder, &last, err) < 0)
		return -1;
	fact = text ? json_loads(text, 0, NULL) : NULL;
	/* Another group of this folder may have been asked, and is gone. */
	if (fact && json_integer_value(json_object_get(fact, "use")) == last.id && last.id)
		*ret_asked = (struct asked){
			.use = last.id,
			.at = json_integer_value(json_object_get(fact, "at")),
			.kind = (enum skill_answer_kind)json_integer_value(
				json_object_get(fact, "kind")),
			.least = (int)json_integer_value(json_object_get(fact, "least")),
			.most = (int)json_integer_value(json_object_get(fact, "most")),
			.question = xstrdup(
				json_string_value(json_object_get(fact, "question")) ?: ""),
		};
	json_decref(fact);
	return 0;
}

static int asked_store(
	struct store *store, const char *folder, const struct asked *asked, struct error *err)
{
	CLEANUP(freep) char *name = fact_name(folder);
	json_t *fact = json_build("use:I at:I kind:i least:i most:i question:s", asked->use,
		asked->at, (int)asked->kind, asked->least, asked->most, asked->question);
	CLEANUP(freep) char *text = json_dumps(fact, JSON_COMPACT);

	json_decref(fact);
	return store_fact_set(store, name, text, err);
}

/* --- asking ------------------------------------------------------------------- */

static char *question_text(const struct skill_question *question)
{
	switch (question->kind) {
	case ANSWER_YES_NO:
		return xasprintf("%s\n(answer 'yes' or 'no', or '/feedback' and your words)",
			question->text);
	case ANSWER_SCALE:
		return xasprintf("%s\n(answer with a number from %d to %d, or '/feedback' and "
				 "your words)",
			question->text, question->least, question->most);
	default:
		return xasprintf(
			"%s\n(answer with '/feedback' and your words)", question->text);
	}
}

int skill_feedback_ask(struct store *store, const struct skill_use *use,
	const struct user_skill *skill, int64_t now, char **ret_question, struct error *err)
{
	CLEANUP(skill_use_release) struct skill_use asked = {0};
	const struct skill_question *question;
	int64_t every = skill->feedback_every ? skill->feedback_every : FEEDBACK_EVERY;
	int64_t since;
	int64_t last = 0;

	*ret_question = NULL;
	if (!skill->question_count)
		return 0;
	if (store_skill_uses_since_asked(store, use->skill, use->group, &since, err) < 0 ||
		store_skill_use_last_asked(store, use->group, &asked, err) < 0 ||
		(asked.id && timestamp_parse(view_of(asked.asked_at), &last, err) < 0))
		return -1;
	if (since < every || (last && now - last < FEEDBACK_PAUSE && now >= last))
		return 0;
	question = &skill->questions[(size_t)use->id % skill->question_count];
	if (store_skill_use_asked(store, use->id, now, err) < 0 ||
		asked_store(store, use->group,
			&(struct asked){use->id, now, question->kind, question->least,
				question->most, question->text},
			err) < 0)
		return -1;
	*ret_question = question_text(question);
	return 0;
}

/* --- answers ------------------------------------------------------------------ */

static bool is_word(struct view text, const char *word)
{
	while (text.len && ispunct((unsigned char)text.data[text.len - 1]))
		text = view_slice(text, 0, text.len - 1);
	return text.len == strlen(word) && !strncasecmp(text.data, word, text.len);
}

/* In thousandths; -1 if the message is more than an answer. */
static int score_of(const struct asked *asked, struct view text)
{
	CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
	char *end;
	long number;

	if (asked->kind == ANSWER_YES_NO)
		return is_word(text, "yes") ? 1000 : is_word(text, "no") ? 0 : -1;
	if (asked->kind != ANSWER_SCALE || asked->most <= asked->least)
		return -1;
	number = strtol(copy, &end, 10);
	if (end == copy || *end || number < asked->least || number > asked->most)
		return -1;
	return (int)((number - asked->least) * 1000 / (asked->most - asked->least));
}

static bool is_open(const struct asked *asked, int64_t now)
{
	return asked->use && now - asked->at < FEEDBACK_OPEN;
}

int skill_feedback_fits(
	struct store *store, const struct said *said, bool *ret_fits, struct error *err)
{
	CLEANUP(asked_release) struct asked asked = {0};

	*ret_fits = false;
	if (said->text.len > 8) /* nothing longer is a bare answer, and most messages are */
		return 0;
	if (asked_load(store, said->folder, &asked, err) < 0)
		return -1;
	if (!is_open(&asked, said->now) || score_of(&asked, said->text) < 0)
		return 0;
	return store_skill_use_is_next(
		store, asked.use, said->chat, said->sender, said->seq, ret_fits, err);
}

int skill_feedback_take(struct store *store, const char *folder, struct view words, int64_t now,
	bool *ret_taken, struct error *err)
{
	CLEANUP(asked_release) struct asked asked = {0};
	CLEANUP(freep) char *answer = NULL;
	int64_t use;

	*ret_taken = false;
	if (asked_load(store, folder, &asked, err) < 0)
		return -1;
	if (!is_open(&asked, now) || !words.len)
		return 0;
	answer = xmemdupz(words.data, words.len < MAX_ANSWER ? words.len : MAX_ANSWER);
	if (words.len > MAX_ANSWER)
		answer[utf8_valid_len((struct view){answer, MAX_ANSWER})] = '\0';
	use = asked.use;
	asked.use = 0;
	if (store_skill_feedback_add(store, use, asked.question, answer,
		    score_of(&asked, words), now, err) < 0 ||
		asked_store(store, folder, &asked, err) < 0)
		return -1;
	*ret_taken = true;
	return 0;
}
