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
 *		… ERROR_INVALID: .env cannot be used, and `err` says why, without what is in it
 *	credential.kind == CREDENTIAL_NONE: there is none
 *
 * .env is looked at each time, and read again when it has changed: a new key is used by the
 * next request. What was in the environment stays. A value that is no longer needed is
 * overwritten, not only freed. Nothing here is ever logged.
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
	CREDENTIAL_OAUTH, /* like a token, and with a beta header that the API wants */
};

/* What an agent gets in the place of each. */
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
 * ERROR_INVALID if that is no such text; then the message has nothing of the text in it.
 */
typedef int (*credentials_find)(
	struct view text, const char *name, char **ret_value, struct error *err);

/* `root` stays the caller's, and open. */
void credentials_new(int root, credentials_find find, struct credentials **ret_credentials);
void credentials_free(struct credentials *credentials);

int credentials_get(struct credentials *credentials, const struct provider *provider,
	struct credential *ret_credential, struct error *err);

/*
 * Move what the environment has into memory of ours, and wipe it there, so that no child gets
 * it and /proc/PID/environ does not show it. And since the process has a key in its memory from
 * now on, that is not to be dumped or read by other processes of the user. May be called again.
 */
void credentials_take_environment(void);

/* Put them back, for another program that this process becomes. */
void credentials_return_environment(void);

/* How the key in a setting is sent; CREDENTIAL_NONE if it is not the name of one. */
enum credential_kind credentials_kind(const char *name);

/* Is it the name of a setting that holds a key? */
bool credentials_is_ours(const char *name);

/* Of something that is a key for a model, too, and that no agent is to be given? */
bool credentials_is_secret(const char *name);

/*
 * NULL, or who else may write a file with these permissions, as in "everybody may write it".
 * Such a .env is not used: its writer could have the key sent elsewhere. A group with the
 * same number as the user counts as private, as in most distributions.
 */
const char *credentials_file_fault(const struct stat *st);

/* Overwrite a text in a way that the compiler does not leave out, and free it. */
void credentials_wipe(char *text);

#endif
