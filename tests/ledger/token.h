/*
 * Tokens: what makes every line of a test unique, and says whose it is.
 *
 *	<core:3.17>	line 17 of the third file of the core
 *	<B2:5>		a line that came with version 2 of skill B
 *	<user:12>	a line that the user wrote
 *
 * They are found in any content, text or binary.
 */
#ifndef LEDGER_TOKEN_H
#define LEDGER_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"
#include "tree.h"

/* A sorted set. */
struct tokens {
	char **list;
	size_t count;
	size_t cap;
};

#define TOKENS_INIT ((struct tokens){0})

/* The first token of a content, which then begins behind it; false if there is none. */
bool token_next(struct view *content, struct view *ret_token);

void tokens_add(struct tokens *set, struct view token);
void tokens_remove(struct tokens *set, const char *token);
bool tokens_have(const struct tokens *set, struct view token);
void tokens_add_all(struct tokens *set, struct view content);
void tokens_copy(struct tokens *to, const struct tokens *from);
void tokens_release(struct tokens *set);

/* The tokens of one content that another has not. */
void tokens_add_difference(struct tokens *set, struct view content, struct view other);

struct view entry_view(const struct tree_entry *entry);

#endif
