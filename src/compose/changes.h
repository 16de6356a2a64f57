/*
 * What a composition changed, or would change, and why: for people who ask with --check.
 *
 *	changes_add(&changes, CHANGE_MADE, "missing", "%s/%s", folder, name);
 */
#ifndef COMPOSE_CHANGES_H
#define COMPOSE_CHANGES_H

#include <stddef.h>

enum change_kind {
	CHANGE_MADE,
	CHANGE_CHANGED,
	CHANGE_REMOVED,
	CHANGE_KEPT, /* moved aside, because it is not ours */
	CHANGE_KIND_COUNT,
};

struct change {
	enum change_kind kind;
	char *path; /* below the root */
	char *why;
};

struct changes {
	struct change *list;
	size_t count;
	size_t cap;
};

/* "make", "change", … for people and programs. */
extern const char *const change_kind_names[CHANGE_KIND_COUNT];

void changes_add(struct changes *changes, enum change_kind kind, const char *why,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
void changes_release(struct changes *changes);

#endif
