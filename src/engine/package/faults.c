#include "engine/package/faults.h"

#include <stdarg.h>
#include <string.h>

#include "util/buf.h"
#include "util/view.h"

/* Takes over `where` and `text`. */
static void add(struct faults *faults, enum fault_severity severity, char *where, char *text)
{
	faults->errors += severity == FAULT_ERROR;
	faults->warnings += severity == FAULT_WARNING;
	if (faults->count == FAULTS_MAX) {
		faults->left_out++;
		free(where);
		free(text);
		return;
	}
	GROW(faults->list, faults->count, faults->cap);
	faults->list[faults->count++] = (struct fault){severity, where, text};
}

void faults_add(struct faults *faults, enum fault_severity severity, const char *where,
	const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	add(faults, severity, xstrdup(where), buf_take(&text));
}

/* A place has no spaces: "cannot open 'x': permission denied" begins with none. */
static size_t place_len(const char *message)
{
	size_t len = strcspn(message, " ");

	return len > 1 && message[len] && message[len - 1] == ':' ? len - 1 : 0;
}

void faults_add_error(struct faults *faults, struct error *err)
{
	const char *message = err->message ? err->message : "unknown";
	size_t len = place_len(message);

	add(faults, FAULT_ERROR, xmemdupz(message, len),
		xstrdup(message + (len ? len + 2 : 0)));
	error_clear(err);
}

static const struct fault *first_error(const struct faults *faults)
{
	for (size_t i = 0; i < faults->count; i++)
		if (faults->list[i].severity == FAULT_ERROR)
			return &faults->list[i];
	return NULL;
}

int faults_as_error(const struct faults *faults, struct error *err)
{
	const struct fault *first = first_error(faults);
	CLEANUP(buf_release) struct buf message = BUF_INIT;

	if (!faults->errors)
		return 0;
	if (!first)
		return error_set(err, ERROR_INVALID, "%zu faults", faults->errors);
	if (*first->where)
		buf_appendf(&message, "%s: ", first->where);
	buf_append_str(&message, first->text);
	if (faults->errors > 1)
		buf_appendf(&message, " (and %zu more %s)", faults->errors - 1,
			faults->errors == 2 ? "fault" : "faults");
	return error_set(err, ERROR_INVALID, "%s", message.data);
}

const char *fault_severity_name(enum fault_severity severity)
{
	static const char *const names[] = {
		[FAULT_NOTE] = "note",
		[FAULT_WARNING] = "warning",
		[FAULT_ERROR] = "error",
	};

	return names[severity];
}

void faults_release(struct faults *faults)
{
	for (size_t i = 0; i < faults->count; i++) {
		free(faults->list[i].where);
		free(faults->list[i].text);
	}
	free(faults->list);
}
