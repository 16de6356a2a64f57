#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/email/email.h"
#include "format/json.h"

/* Older ones are forgotten: an answer there has a plain subject. */
#define MOST_THREADS 200

static void thread_release(struct email_thread *thread)
{
	free(thread->name);
	free(thread->subject);
	free(thread->last);
}

static size_t thread_index(const struct email *email, const char *name)
{
	size_t i = 0;

	while (i < email->thread_count && strcmp(email->threads[i].name, name) != 0)
		i++;
	return i;
}

/* Anybody can write any id into a mail: nobody gets the subject of another person's thread. */
static char *thread_name(const char *address, const char *root)
{
	return xasprintf("%s %s", address, root);
}

const struct email_thread *email_thread_find(
	const struct email *email, const char *address, const char *root)
{
	CLEANUP(freep) char *name = thread_name(address, root);
	size_t i = thread_index(email, name);

	return i < email->thread_count ? &email->threads[i] : NULL;
}

static void thread_put(
	struct email *email, const char *name, const char *subject, const char *last)
{
	size_t i = thread_index(email, name);

	if (i == email->thread_count && i == MOST_THREADS)
		i = 0;
	if (i < email->thread_count) {
		thread_release(&email->threads[i]);
		memmove(email->threads + i, email->threads + i + 1,
			(email->thread_count - i - 1) * sizeof(*email->threads));
		email->thread_count--;
	}
	email->threads[email->thread_count++] =
		(struct email_thread){xstrdup(name), xstrdup(subject), xstrdup(last)};
}

void email_thread_note(struct email *email, const struct mail *mail)
{
	CLEANUP(freep) char *name = mail->root ? thread_name(mail->from, mail->root) : NULL;

	if (name)
		thread_put(email, name, mail->subject, mail->id ? mail->id : mail->root);
}

/* {"day": 1, "threads": [["address root", "subject", "last"] …], "uid": 2, "validity": 3} */
char *email_memory_text(const struct email *email)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *memory = NULL;
	json_t *threads = json_array();

	for (size_t i = 0; i < email->thread_count; i++) {
		const struct email_thread *thread = &email->threads[i];

		json_array_append_new(
			threads, json_pack("[o, o, o]", json_text(view_of(thread->name)),
					 json_text(view_of(thread->subject)),
					 json_text(view_of(thread->last))));
	}
	memory = json_pack("{s:I, s:o, s:I, s:I}", "day", (json_int_t)email->day, "threads",
		threads, "uid", (json_int_t)email->uid, "validity",
		(json_int_t)email->validity);
	json_write_ours(memory, false, &text);
	return buf_take(&text);
}

void email_memory_read(struct email *email, const char *text)
{
	CLEANUP(json_decrefp) json_t *memory = json_loads(text, 0, NULL);
	json_t *thread;
	size_t i;

	email->threads = xcalloc(MOST_THREADS, sizeof(*email->threads));
	email->day = json_integer_value(json_object_get(memory, "day"));
	email->uid = json_integer_value(json_object_get(memory, "uid"));
	email->validity = json_integer_value(json_object_get(memory, "validity"));
	json_array_foreach(json_object_get(memory, "threads"), i, thread) {
		const char *name = NULL;
		const char *subject;
		const char *last;

		if (!json_unpack(thread, "[s, s, s]", &name, &subject, &last))
			thread_put(email, name, subject, last);
	}
}

void email_memory_release(struct email *email)
{
	for (size_t i = 0; i < email->thread_count; i++)
		thread_release(&email->threads[i]);
	free(email->threads);
}
