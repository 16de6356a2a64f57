/*
 * SHA-256, to tell whether content is the same.
 *
 *	struct hash hash = hash_of(view_of_buf(&text));
 *	char hex[HASH_HEX_SIZE];
 *
 *	hash_to_hex(&hash, hex);
 *
 * In text a hash is 64 lower-case hexadecimal digits. Upper case is refused, so
 * that equal hashes are equal texts.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

#define HASH_SIZE     32
#define HASH_HEX_SIZE (2 * HASH_SIZE + 1)

struct hash {
	unsigned char bytes[HASH_SIZE];
};

struct hash hash_of(struct view content);

/* Hashes from the current offset of `fd` to the end. */
int hash_of_fd(int fd, struct hash *ret_hash, struct error *err);

/*
 * Of content that comes in pieces:
 *
 *	struct hasher *hasher = hasher_new();
 *
 *	hasher_add(hasher, data, len);
 *	hash = hasher_end(&hasher);
 */
struct hasher;

struct hasher *hasher_new(void);
void hasher_add(struct hasher *hasher, const void *data, size_t len);

/* Frees it; `*hasher` is NULL then. */
struct hash hasher_end(struct hasher **hasher);
void hasher_freep(struct hasher **hasher);

/* HMAC-SHA-256: making one requires the secret. */
struct hash hash_hmac(struct view secret, struct view content);

bool hash_equal(const struct hash *a, const struct hash *b);
/* Takes the same time wherever they differ: for secrets that a stranger may try to guess. */
bool hash_equal_secret(const struct hash *a, const struct hash *b);
int hash_compare(const struct hash *a, const struct hash *b);

void hash_to_hex(const struct hash *hash, char ret_hex[static HASH_HEX_SIZE]);
/* Of a content at once. */
void hash_hex_of(struct view content, char ret_hex[static HASH_HEX_SIZE]);
int hash_from_hex(struct view hex, struct hash *ret_hash, struct error *err);

#endif
