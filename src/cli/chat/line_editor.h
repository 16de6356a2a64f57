/*
 * Reads a line that a person types, with libedit's editing and history, while messages may
 * arrive at any moment.
 *
 *	editor = line_editor_open(&handlers);		NULL: type plainly
 *	line_editor_remember(editor, "notes");		for the arrow keys
 *	while (line_editor_read(editor, fd, &line) == LINE_TYPED)
 *		...
 *
 * While a line is being typed, handlers.heard() is called whenever `fd` can be read. What it
 * prints between line_editor_hide() and line_editor_show() appears above the line, which is
 * then shown again unchanged. Ctrl-C clears the line.
 *
 * There can be only one editor at a time, because there is only one terminal.
 */
#ifndef CLI_CHAT_LINE_EDITOR_H
#define CLI_CHAT_LINE_EDITOR_H

struct line_editor;

struct line_editor_handlers {
	int (*heard)(void *data);          /* -1 ends line_editor_read() with LINE_LOST */
	const char *(*prompt)(void *data); /* asked whenever the line is shown */
	int (*tick_ms)(const void *data);  /* the line is redrawn after this time; -1: never */
	void (*cleared)(void *data);       /* after Ctrl-C, with the line hidden */
	void *data;
};

enum line_read {
	LINE_TYPED,
	LINE_END,  /* Ctrl-D, or the terminal is gone */
	LINE_LOST, /* heard() said so */
};

/* NULL if libedit is not installed, or the terminal cannot move its cursor. */
struct line_editor *line_editor_open(const struct line_editor_handlers *handlers);
void line_editor_free(struct line_editor *editor);

void line_editor_remember(struct line_editor *editor, const char *line);

/*
 * The caller frees `*ret_line`, which has no newline. With LINE_LOST it has the text typed so
 * far; pass it as `typed` to continue with it in the next line.
 */
enum line_read line_editor_read(
	struct line_editor *editor, int fd, const char *typed, char **ret_line);

/* For heard(). */
void line_editor_hide(struct line_editor *editor);
void line_editor_show(struct line_editor *editor);

#endif
