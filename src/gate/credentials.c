#include "gate/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "gate/provider.h"

#define MAX_FILE  ((size_t)256 * 1024)
#define MAX_VALUE ((size_t)16 * 1024)

/* Of all providers. */
static const struct {
	const char *name;
	enum credential_kind kind;
} known[] = {
	{"ANTHROPIC_API_KEY", CREDENTIAL_KEY},
	{"ANTHROPIC_AUTH_TOKEN", CREDENTIAL_TOKEN},
	{"CLAUDE_CODE_OAUTH_TOKEN", CREDENTIAL_OAUTH},
	{"DEEPSEEK_API_KEY", CREDENTIAL_TOKEN},
	{"GROQ_API_KEY", CREDENTIAL_TOKEN},
	{"MISTRAL_API_KEY", CREDENTIAL_TOKEN},
	{PROVIDER_OWN_KEY, CREDENTIAL_TOKEN},
	{"OPENAI_API_KEY", CREDENTIAL_TOKEN},
	{"OPENROUTER_API_KEY", CREDENTIAL_TOKEN},
};

#define KNOWN ARRAY_SIZE(known)

/* Of the process; filled once. */
static char *from_environment[KNOWN];

/* Identifies a version of a file. */
struct version {
	bool there;
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec changed;
};

struct credentials {
	int root;
	credentials_find find;
	struct version version;
	bool known;          /* `version` is the one that was read */
	bool too_new;        /* it might have been changed again without looking different */
	char *values[KNOWN]; /* that the file has; NULL: it has none */
};

/* --- memory ------------------------------------------------------------------ */

void credentials_wipe(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

static void credentials_forget(struct credentials *credentials)
{
	for (size_t i = 0; i < KNOWN; i++) {
		credentials_wipe(credentials->values[i]);
		credentials->values[i] = NULL;
	}
	credentials->known = false;
}

void credentials_new(int root, credentials_find find, struct credentials **ret_credentials)
{
	struct credentials *credentials = xcalloc(1, sizeof(*credentials));

	credentials->root = root;
	credentials->find = find;
	*ret_credentials = credentials;
}

void credentials_free(struct credentials *credentials)
{
	if (!credentials)
		return;
	credentials_forget(credentials);
	free(credentials);
}

/* --- the environment --------------------------------------------------------- */

void credentials_take_environment(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	for (size_t i = 0; i < KNOWN; i++) {
		char *value = getenv(known[i].name);

		if (!value)
			continue;
		if (*value) {
			credentials_wipe(from_environment[i]);
			from_environment[i] = xstrdup(value);
			explicit_bzero(value, strlen(value));
		}
		unsetenv(known[i].name);
	}
}

void credentials_return_environment(void)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (from_environment[i])
			setenv(known[i].name, from_environment[i], 1);
}

enum credential_kind credentials_kind(const char *name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (!strcmp(name, known[i].name))
			return known[i].kind;
	return CREDENTIAL_NONE;
}

bool credentials_is_ours(const char *name)
{
	return credentials_kind(name) != CREDENTIAL_NONE;
}

bool credentials_is_secret(const char *name)
{
	static const char *const others[] = {"ANTHROPIC_CUSTOM_HEADERS",
		"AWS_BEARER_TOKEN_BEDROCK", "CLAUDE_CODE_OAUTH_REFRESH_TOKEN"};

	if (credentials_is_ours(name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(name, others[i]))
			return true;
	return false;
}

/* --- the file ---------------------------------------------------------------- */

const char *credentials_file_fault(const struct stat *st)
{
	if (st->st_mode & S_IWOTH)
		return "everybody may write it";
	if ((st->st_mode & S_IWGRP) && st->st_gid != st->st_uid)
		return "its group can write to it";
	if (st->st_uid != geteuid() && st->st_uid != 0 && geteuid() != 0)
		return "it belongs to another user";
	return NULL;
}

static struct version version_of(const struct stat *st)
{
	return (struct version){true, st->st_dev, st->st_ino, st->st_size, st->st_ctim};
}

static bool same_version(const struct version *a, const struct version *b)
{
	return a->there == b->there && a->device == b->device && a->inode == b->inode &&
	       a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
	       a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Times of files are coarse: within two seconds it might change without a trace. */
static bool is_fresh(const struct version *version)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return version->there && now.tv_sec - version->changed.tv_sec < 2;
}

static int check_value(const char *name, const char *value, struct error *err)
{
	size_t len = strlen(value);

	for (size_t i = 0; i < len; i++)
		if (value[i] <= ' ' || value[i] > '~')
			return error_set(
				err, ERROR_INVALID, "%s has a character that no key has", name);
	if (len > MAX_VALUE)
		return error_set(err, ERROR_INVALID, "%s is too long for a key", name);
	return 0;
}

static int find_in(struct credentials *credentials, struct view text, struct error *err)
{
	for (size_t i = 0; i < KNOWN; i++) {
		char *value = NULL;

		if (credentials->find(text, known[i].name, &value, err) < 0)
			return -1;
		if (value && *value)
			credentials->values[i] = value;
		else
			free(value);
	}
	return 0;
}

/* `*len` bytes of `text` are in use, also on failure: the caller has to wipe them. */
static int credentials_read_all(int fd, char *text, size_t *len, struct error *err)
{
	ssize_t got;

	while (*len < MAX_FILE && (got = read(fd, text + *len, MAX_FILE - *len)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, "cannot read '.env'");
		*len += (size_t)got;
	}
	if (*len == MAX_FILE)
		return error_set(err, ERROR_INVALID, "'.env' is too large");
	return 0;
}

static int credentials_read_file(
	struct credentials *credentials, int fd, const struct stat *st, struct error *err)
{
	const char *fault = credentials_file_fault(st);
	char *text;
	size_t len = 0;
	int failed;

	if (fault) {
		error_set(err, ERROR_INVALID, "'.env' is not used: %s", fault);
		return error_hint(err, "'chmod 600 .env' makes it private");
	}
	text = xmalloc(MAX_FILE);
	failed = credentials_read_all(fd, text, &len, err) < 0 ||
		 find_in(credentials, (struct view){text, len}, err) < 0;
	explicit_bzero(text, len);
	free(text);
	return failed ? -1 : 0;
}

static int credentials_read_again(struct credentials *credentials, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;
	struct stat st;

	credentials_forget(credentials);
	if (relpath_parse(view_of(".env"), &path, err) < 0)
		return -1;
	if (beneath_open_file(credentials->root, &path, &fd, &st, &missing) < 0) {
		if (missing.errnum != ENOENT)
			return error_set(err, ERROR_INVALID, "%s", missing.message);
		credentials->version = (struct version){0};
		credentials->known = true;
		return 0;
	}
	if (credentials_read_file(credentials, fd, &st, err) < 0)
		return -1;
	credentials->version = version_of(&st);
	credentials->too_new = is_fresh(&credentials->version);
	credentials->known = true;
	return 0;
}

static bool credentials_have_changed(const struct credentials *credentials)
{
	struct version now = {0};
	struct stat st;

	if (!credentials->known)
		return true;
	if (fstatat(credentials->root, ".env", &st, AT_SYMLINK_NOFOLLOW) == 0)
		now = version_of(&st);
	return (credentials->version.there && credentials->too_new) ||
	       !same_version(&now, &credentials->version);
}

/* --- lookup ------------------------------------------------------------------ */

/* False if none of the provider's names has a value. */
static bool credential_find(const struct provider *provider, char *const values[static KNOWN],
	struct credential *ret_credential)
{
	for (size_t k = 0; k < PROVIDER_MAX_KEYS && provider->keys[k]; k++)
		for (size_t i = 0; i < KNOWN; i++)
			if (values[i] && !strcmp(known[i].name, provider->keys[k])) {
				*ret_credential = (struct credential){
					known[i].kind, known[i].name, values[i]};
				return true;
			}
	return false;
}

int credentials_get(struct credentials *credentials, const struct provider *provider,
	struct credential *ret_credential, struct error *err)
{
	struct credential found = {CREDENTIAL_NONE, NULL, NULL};

	if (!credential_find(provider, from_environment, &found)) {
		if (credentials_have_changed(credentials) &&
			credentials_read_again(credentials, err) < 0)
			return -1;
		if (!credential_find(provider, credentials->values, &found)) {
			*ret_credential = found;
			return 0;
		}
	}
	if (check_value(found.name, found.value, err) < 0)
		return -1;
	*ret_credential = found;
	return 0;
}
