/*
 * The keys and tokens for the APIs of models, which agents never see.
 *
 * Each provider (provider.h) has names of settings that may hold its key; Anthropic has three,
 * in Claude Code's own order. A key comes from the environment of the process, else from the
 * file .env of the project:
 *
 *	credentials_take_environment();		once, at the start: see there
 *	credentials_new(root, find, &credentials);
 *	…
 *	if (credentials_get(credentials, provider, &credential, err) < 0)	for each request
 *		… ERROR_INVALID: .env cannot be used; `err` says why, without quoting it
 *	credential.kind == CREDENTIAL_NONE: no key is set
 *
 * Each call checks .env, and reads it again if it has changed, so the next request uses a new key.
 * Keys from the environment stay. A value that is no longer needed is overwritten, not only
 * freed. Nothing here is ever logged.
 */
#ifndef GATE_CREDENTIALS_H
#define GATE_CREDENTIALS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/view.h"

/* How it is sent. */
enum credential_kind {
	CREDENTIAL_NONE,
	CREDENTIAL_TOKEN, /* "authorization: Bearer …" */
	CREDENTIAL_KEY,   /* "x-api-key: …" */
	CREDENTIAL_OAUTH, /* like a token, with a beta header that the API requires */
};

/* The placeholders that agents get. */
#define CREDENTIAL_PLACEHOLDER "nanoclaw-placeholder-the-host-has-the-key"

struct credential {
	enum credential_kind kind;
	const char *name;  /* of the setting */
	const char *value; /* good until the next call */
};

struct credentials;
struct provider;

/*
 * Finds a setting in the text of .env. The value is allocated, and NULL if it is not set.
 * ERROR_INVALID if the text is malformed; the message quotes nothing from it.
 */
typedef int (*credentials_find)(
	struct view text, const char *name, char **ret_value, struct error *err);

/* The caller keeps `root` open. */
void credentials_new(int root, credentials_find find, struct credentials **ret_credentials);
void credentials_free(struct credentials *credentials);

int credentials_get(struct credentials *credentials, const struct provider *provider,
	struct credential *ret_credential, struct error *err);

/*
 * Moves the keys from the environment into our own memory and wipes them there, so that no child
 * gets them and /proc/PID/environ does not show them. From now on the process has a key in its
 * memory, so core dumps are turned off, and other processes of the user cannot read its memory.
 * May be called again.
 */
void credentials_take_environment(void);

/* Puts them back, for another program that this process executes. */
void credentials_return_environment(void);

/* How the key in this setting is sent; CREDENTIAL_NONE if it holds no key. */
enum credential_kind credentials_kind(const char *name);

/* Is it the name of a setting that holds a key? */
bool credentials_is_ours(const char *name);

/* Is it the name of any variable with a model's key, which no agent may get? */
bool credentials_is_secret(const char *name);

/*
 * NULL, or who else may write a file with these permissions, as in "everybody may write it".
 * Such a .env is not used, because its writer could send the key elsewhere. A group with the
 * same number as the user counts as private, as in most distributions.
 */
const char *credentials_file_fault(const struct stat *st);

/* Overwrites a text, in a way that the compiler cannot optimize away, and frees it. */
void credentials_wipe(char *text);

#endif
