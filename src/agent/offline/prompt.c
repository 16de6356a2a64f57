#include "agent/offline/prompt.h"

#include <stdlib.h>
#include <string.h>

void prompt_release(struct prompt *prompt)
{
	for (size_t i = 0; i < prompt->count; i++) {
		free(prompt->list[i].time);
		free(prompt->list[i].text);
		free(prompt->list[i].file);
	}
	free(prompt->list);
	free(prompt->skill);
	free(prompt->instructions);
	free(prompt->output_format);
}

static char *text_unescape(struct view text)
{
	static const struct {
		const char *name;
		char character;
	} entities[] = {
		{"&amp;", '&'},
		{"&apos;", '\''},
		{"&gt;", '>'},
		{"&lt;", '<'},
		{"&quot;", '"'},
	};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	while (text.len) {
		size_t len = 1;
		char character = text.data[0];

		for (size_t i = 0; character == '&' && i < ARRAY_SIZE(entities); i++)
			if (view_starts_with(text, entities[i].name)) {
				len = strlen(entities[i].name);
				character = entities[i].character;
				break;
			}
		buf_append_char(&out, character);
		text = view_slice(text, len, text.len);
	}
	return buf_take(&out);
}

static const char *tag_find(struct view text, const char *word)
{
	return text.len ? memmem(text.data, text.len, word, strlen(word)) : NULL;
}

/* The value of an attribute in `<name a="…" b="…">`, or "". */
static struct view message_attribute(struct view tag, const char *name)
{
	CLEANUP(freep) char *before = xasprintf(" %s=\"", name);
	const char *start = tag_find(tag, before);
	const char *end;

	if (!start)
		return (struct view){"", 0};
	start += strlen(before);
	end = memchr(start, '"', (size_t)(tag.data + tag.len - start));
	return end ? (struct view){start, (size_t)(end - start)} : (struct view){"", 0};
}

/* The message text, without the file elements after it: the text itself has no raw '<'. */
static struct view said_in(struct view content)
{
	const char *element = content.len ? memchr(content.data, '<', content.len) : NULL;

	return element ? view_trim(view_slice(content, 0, (size_t)(element - content.data)))
		       : content;
}

static void message_add(struct prompt *prompt, struct view tag, struct view content)
{
	GROW(prompt->list, prompt->count, prompt->cap);
	prompt->list[prompt->count++] = (struct prompt_message){
		.time = text_unescape(message_attribute(tag, prompt->is_task ? "due" : "time")),
		.text = text_unescape(content),
		.is_context = view_equal_str(message_attribute(tag, "context"), "yes"),
	};
}

/* The next element of this name, which is taken off `*rest`. */
static bool next_element(
	struct view *rest, const char *name, struct view *ret_tag, struct view *ret_content)
{
	CLEANUP(freep) char *opening = xasprintf("<%s ", name);
	CLEANUP(freep) char *closing = xasprintf("</%s>", name);
	const char *end_of_text = rest->data + rest->len;
	const char *start = tag_find(*rest, opening);
	const char *inner = start ? memchr(start, '>', (size_t)(end_of_text - start)) : NULL;
	const char *end =
		inner ? tag_find((struct view){inner, (size_t)(end_of_text - inner)}, closing)
		      : NULL;

	if (!end)
		return false;
	*ret_tag = (struct view){start, (size_t)(inner - start)};
	*ret_content = (struct view){inner + 1, (size_t)(end - inner - 1)};
	end += strlen(closing);
	*rest = (struct view){end, (size_t)(end_of_text - end)};
	return true;
}

/* The content of the first element with this name and no attributes; "" if there is none. */
static char *element_inside(struct view text, const char *name)
{
	CLEANUP(freep) char *opening = xasprintf("<%s>", name);
	CLEANUP(freep) char *closing = xasprintf("</%s>", name);
	const char *start = tag_find(text, opening);
	const char *end =
		start ? tag_find((struct view){start, (size_t)(text.data + text.len - start)},
				closing)
		      : NULL;

	if (!end)
		return xstrdup("");
	start += strlen(opening);
	return text_unescape(view_trim((struct view){start, (size_t)(end - start)}));
}

/* Takes a leading skill off `*rest`, up to the messages. */
static void read_skill(struct view *rest, struct prompt *prompt)
{
	struct view tag;
	struct view content;
	const char *said;

	if (!view_starts_with(*rest, "<skill ") || !next_element(rest, "skill", &tag, &content))
		return;
	prompt->skill = text_unescape(message_attribute(tag, "name"));
	prompt->instructions = element_inside(content, "instructions");
	prompt->output_format = element_inside(content, "output_format");
	said = rest->len ? memchr(rest->data, '<', rest->len) : NULL;
	if (said)
		*rest = view_slice(*rest, (size_t)(said - rest->data), rest->len);
}

void prompt_read(struct view text, struct prompt *ret_prompt)
{
	struct prompt prompt = {0};
	struct view rest = view_trim(text);
	struct view tag;
	struct view content;

	read_skill(&rest, &prompt);
	if (view_starts_with(rest, "<scheduled_task ") &&
		next_element(&rest, "scheduled_task", &tag, &content)) {
		prompt.is_task = true;
		message_add(&prompt, tag, content);
	} else if (view_starts_with(rest, "<messages>")) {
		while (next_element(&rest, "message", &tag, &content)) {
			message_add(&prompt, tag, said_in(content));
			if (view_starts_with(view_trim(content), "<attachment "))
				prompt.list[prompt.count - 1].file =
					xmemdupz(content.data, content.len);
		}
	} else {
		message_add(&prompt, (struct view){"", 0}, rest);
	}
	*ret_prompt = prompt;
}
