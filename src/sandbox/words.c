#include "sandbox/words.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"

static void words_take(struct words *words, char *word)
{
	if (words->count + 1 >= words->cap) {
		words->cap = words->cap + words->cap / 2 + 16;
		words->list = xreallocarray(words->list, words->cap, sizeof(*words->list));
	}
	words->list[words->count++] = word;
	words->list[words->count] = NULL;
}

void words_add(struct words *words, const char *word)
{
	words_take(words, xstrdup(word));
}

void words_addf(struct words *words, const char *format, ...)
{
	struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	words_take(words, buf_take(&text));
}

void words_add_all(struct words *words, const char *const *more)
{
	for (; *more; more++)
		words_add(words, *more);
}

void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct words){0};
}
