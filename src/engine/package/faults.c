#include "engine/package/faults.h"

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "base/view.h"

/* Takes ownership of `where` and `text`. */
static void faults_append(
	struct faults *faults, enum fault_severity severity, char *where, char *text)
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
	faults_append(faults, severity, xstrdup(where), buf_take(&text));
}

void faults_add_at(struct faults *faults, enum fault_severity severity,
	const struct yaml_doc *doc, struct yaml_place at, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	faults_append(faults, severity, xasprintf("%s:%zu:%zu", doc->name, at.line, at.column),
		buf_take(&text));
}

void faults_add_error(struct faults *faults, struct error *err)
{
	const char *message = err->message ? err->message : "unknown";
	size_t len = strcspn(message, " ");

	/* A place has no spaces: "cannot open 'x': permission denied" begins with none. */
	len = len > 1 && message[len] && message[len - 1] == ':' ? len - 1 : 0;
	faults_append(faults, FAULT_ERROR, xmemdupz(message, len),
		xstrdup(message + (len ? len + 2 : 0)));
	error_clear(err);
}

bool faults_expect(struct faults *faults, const struct yaml_node *node, enum yaml_kind kind,
	const char *what)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, kind, what, &err) == 0)
		return true;
	faults_add_error(faults, &err);
	return false;
}

bool faults_string(struct faults *faults, const struct yaml_node *node, const char *what,
	const char **ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_string(node, what, ret_text, &err) == 0)
		return true;
	faults_add_error(faults, &err);
	return false;
}

void faults_note_unknown(
	struct faults *faults, const struct yaml_node *mapping, const char *const *known)
{
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];
		const char *const *k = known;
		CLEANUP(freep) char *shown = NULL;

		while (*k && !view_equal_str(entry->key, *k))
			k++;
		if (*k)
			continue;
		shown = quote_start(entry->key);
		faults_add_at(faults, FAULT_NOTE, mapping->doc, entry->key_at,
			"unknown key %s is ignored", shown);
	}
}

int faults_as_error(const struct faults *faults, struct error *err)
{
	const struct fault *first = NULL;
	CLEANUP(buf_release) struct buf message = BUF_INIT;

	if (!faults->errors)
		return 0;
	for (size_t i = faults->count; i-- > 0;)
		if (faults->list[i].severity == FAULT_ERROR)
			first = &faults->list[i];
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
