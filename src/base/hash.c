#include "base/hash.h"

#include <errno.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"

#define READ_SIZE (64 * 1024)

_Static_assert(HASH_SIZE == SHA256_DIGEST_SIZE, "a hash is a SHA-256");

struct hash hash_of(struct view content)
{
	struct sha256_ctx context;
	struct hash hash;

	sha256_init(&context);
	sha256_update(&context, content.len, (const uint8_t *)content.data);
	sha256_digest(&context, sizeof(hash.bytes), hash.bytes);
	return hash;
}

int hash_of_fd(int fd, struct hash *ret_hash, struct error *err)
{
	CLEANUP(freep) uint8_t *piece = xmalloc(READ_SIZE);
	struct sha256_ctx context;
	ssize_t n;

	sha256_init(&context);
	while ((n = read(fd, piece, READ_SIZE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "cannot read to compute a hash");
		sha256_update(&context, (size_t)n, piece);
	}
	sha256_digest(&context, sizeof(ret_hash->bytes), ret_hash->bytes);
	return 0;
}

struct hasher {
	struct sha256_ctx context;
};

struct hasher *hasher_new(void)
{
	struct hasher *hasher = xmalloc(sizeof(*hasher));

	sha256_init(&hasher->context);
	return hasher;
}

void hasher_add(struct hasher *hasher, const void *data, size_t len)
{
	sha256_update(&hasher->context, len, data);
}

struct hash hasher_end(struct hasher **hasher)
{
	struct hash hash;

	sha256_digest(&(*hasher)->context, sizeof(hash.bytes), hash.bytes);
	hasher_freep(hasher);
	return hash;
}

void hasher_freep(struct hasher **hasher)
{
	free(*hasher);
	*hasher = NULL;
}

struct hash hash_hmac(struct view secret, struct view content)
{
	struct hmac_sha256_ctx context;
	struct hash hash;

	hmac_sha256_set_key(&context, secret.len, (const uint8_t *)secret.data);
	hmac_sha256_update(&context, content.len, (const uint8_t *)content.data);
	hmac_sha256_digest(&context, sizeof(hash.bytes), hash.bytes);
	explicit_bzero(&context, sizeof(context));
	return hash;
}

bool hash_equal(const struct hash *a, const struct hash *b)
{
	return !hash_compare(a, b);
}

bool hash_equal_secret(const struct hash *a, const struct hash *b)
{
	return memeql_sec(a->bytes, b->bytes, sizeof(a->bytes));
}

int hash_compare(const struct hash *a, const struct hash *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

void hash_to_hex(const struct hash *hash, char ret_hex[static HASH_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < HASH_SIZE; i++) {
		ret_hex[2 * i] = digits[hash->bytes[i] >> 4];
		ret_hex[2 * i + 1] = digits[hash->bytes[i] & 15];
	}
	ret_hex[2 * HASH_SIZE] = '\0';
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

void hash_hex_of(struct view content, char ret_hex[static HASH_HEX_SIZE])
{
	struct hash hash = hash_of(content);

	hash_to_hex(&hash, ret_hex);
}

int hash_from_hex(struct view hex, struct hash *ret_hash, struct error *err)
{
	struct hash hash;

	if (hex.len != 2 * HASH_SIZE)
		return error_set(err, ERROR_INVALID, "a hash has %d digits, not %zu",
			2 * HASH_SIZE, hex.len);
	for (size_t i = 0; i < HASH_SIZE; i++) {
		int high = digit_of(hex.data[2 * i]);
		int low = digit_of(hex.data[2 * i + 1]);

		if (high < 0 || low < 0) {
			CLEANUP(freep) char *shown = quote(hex);

			return error_set(err, ERROR_INVALID,
				"%s is not a hash of lower-case hexadecimal digits", shown);
		}
		hash.bytes[i] = (unsigned char)(high << 4 | low);
	}
	*ret_hash = hash;
	return 0;
}
