/*
 * Who may use the dashboard.
 *
 *	session_new_code(session, now, code)	for a link: valid once, for SESSION_CODE_MS
 *	session_enter(session, code, now, token)	a code for a token
 *	session_has(session, token)
 *
 * Codes and tokens are random and compared in constant time. Tokens live in memory only, so they
 * end with the process: another program that gets its port cannot be sent a token that is worth
 * anything. If there are too many, the oldest one ends.
 */
#ifndef WEB_SESSION_H
#define WEB_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define SESSION_CODE_MS  60000
#define SESSION_CODES    16
#define SESSION_TOKENS   64
#define SESSION_KEY_SIZE 33 /* 128 bits as hexadecimal digits, and the end */

struct session {
	struct {
		char key[SESSION_KEY_SIZE]; /* "": free */
		uint64_t until;
	} codes[SESSION_CODES];
	char tokens[SESSION_TOKENS][SESSION_KEY_SIZE];
	size_t next_code, next_token;
};

/* `now` is in ms, of a clock that only runs forward. */
int session_new_code(struct session *session, uint64_t now,
	char ret_code[static SESSION_KEY_SIZE], struct error *err);

/* ERROR_INVALID: there is no such code, it was used, or it is too old. */
int session_enter(struct session *session, struct view code, uint64_t now,
	char ret_token[static SESSION_KEY_SIZE], struct error *err);

bool session_has(const struct session *session, struct view token);

#endif
