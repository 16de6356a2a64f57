#include "web/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static int key_make(char ret_key[static SESSION_KEY_SIZE], struct error *err)
{
	unsigned char bytes[(SESSION_KEY_SIZE - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return error_errno(err, "cannot get random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret_key + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* In a time that does not depend on where they differ. */
static bool key_equal(const char *key, struct view given)
{
	unsigned char differs = 0;

	if (!*key || given.len != SESSION_KEY_SIZE - 1)
		return false;
	for (size_t i = 0; i < given.len; i++)
		differs |= (unsigned char)(key[i] ^ given.data[i]);
	return !differs;
}

int session_new_code(struct session *session, uint64_t now,
	char ret_code[static SESSION_KEY_SIZE], struct error *err)
{
	size_t i = session->next_code;

	if (key_make(session->codes[i].key, err) < 0) {
		session->codes[i].key[0] = '\0';
		return -1;
	}
	session->codes[i].until = now + SESSION_CODE_MS;
	session->next_code = (i + 1) % SESSION_CODES;
	memcpy(ret_code, session->codes[i].key, SESSION_KEY_SIZE);
	return 0;
}

int session_enter(struct session *session, struct view code, uint64_t now,
	char ret_token[static SESSION_KEY_SIZE], struct error *err)
{
	char *token = session->tokens[session->next_token];
	bool valid = false;

	for (size_t i = 0; i < SESSION_CODES; i++)
		if (key_equal(session->codes[i].key, code)) {
			valid = now < session->codes[i].until;
			session->codes[i].key[0] = '\0';
		}
	if (!valid) {
		error_set(err, ERROR_INVALID, "this link was used before, or is too old");
		return error_hint(err, "type 'nanoclaw web' for a new one");
	}
	if (key_make(token, err) < 0) {
		token[0] = '\0';
		return -1;
	}
	session->next_token = (session->next_token + 1) % SESSION_TOKENS;
	memcpy(ret_token, token, SESSION_KEY_SIZE);
	return 0;
}

bool session_has(const struct session *session, struct view token)
{
	bool found = false;

	for (size_t i = 0; i < SESSION_TOKENS; i++)
		found |= key_equal(session->tokens[i], token);
	return found;
}
