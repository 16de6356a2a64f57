#include "userskill/text/faults.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void skill_faults_add(struct skill_faults *faults, size_t line, enum skill_severity severity,
	const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	if (severity == SKILL_ERROR)
		faults->errors++;
	else
		faults->warnings++;
	if (faults->count >= SKILL_FAULTS_MAX) {
		faults->left_out++;
		return;
	}
	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	GROW(faults->list, faults->count, faults->cap);
	faults->list[faults->count++] = (struct skill_fault){line, severity, buf_take(&text)};
}

void skill_faults_hint(struct skill_faults *faults, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct skill_fault *last = &faults->list[faults->count - 1];
	va_list args;

	if (faults->left_out || last->hint)
		return;
	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	last->hint = buf_take(&text);
}

static int compare_faults(const void *a, const void *b)
{
	const struct skill_fault *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	return strcmp(x->text, y->text);
}

void skill_faults_sort(struct skill_faults *faults)
{
	if (faults->count)
		qsort(faults->list, faults->count, sizeof(*faults->list), compare_faults);
}

const char *skill_severity_name(enum skill_severity severity)
{
	return severity == SKILL_ERROR ? "error" : "warning";
}

int skill_faults_as_error(
	const struct skill_faults *faults, const char *name, struct error *err)
{
	const struct skill_fault *first = NULL;

	if (!faults->errors)
		return 0;
	for (size_t i = 0; i < faults->count && !first; i++)
		if (faults->list[i].severity == SKILL_ERROR)
			first = &faults->list[i];
	if (!first)
		return error_set(err, ERROR_INVALID, "%s: %zu errors", name, faults->errors);
	if (faults->errors > 1)
		error_set(err, ERROR_INVALID, "%s:%zu: %s (and %zu more error%s)", name,
			first->line, first->text, faults->errors - 1,
			faults->errors == 2 ? "" : "s");
	else
		error_set(err, ERROR_INVALID, "%s:%zu: %s", name, first->line, first->text);
	return first->hint && faults->errors == 1 ? error_hint(err, "%s", first->hint) : -1;
}

void skill_faults_release(struct skill_faults *faults)
{
	for (size_t i = 0; i < faults->count; i++) {
		free(faults->list[i].text);
		free(faults->list[i].hint);
	}
	free(faults->list);
	*faults = SKILL_FAULTS_INIT;
}
