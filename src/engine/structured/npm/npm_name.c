#include "engine/structured/npm/npm_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#define MAX_LENGTH 214

/* What encodeURIComponent() leaves as it is. */
static bool is_url_friendly(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > 0x7f || (!isalnum(c) && !strchr("-_.!~*'()", c)))
			return false;
	}
	return len > 0;
}

/* Without the scope; NULL if there is a slash too many or too few, or nothing before it. */
static const char *after_scope(const char *name)
{
	const char *slash = strchr(name, '/');

	if (!slash)
		return *name == '@' ? NULL : name;
	if (*name != '@' || strchr(slash + 1, '/') ||
		!is_url_friendly(name + 1, (size_t)(slash - name - 1)))
		return NULL;
	return slash + 1;
}

static const char *why_wrong(const char *name)
{
	const char *package = after_scope(name);

	if (!*name)
		return "is empty";
	if (strchr(".-_", *name))
		return "begins with a dot, a hyphen or an underscore";
	if (!package || !is_url_friendly(package, strlen(package)))
		return "has characters that a name of npm cannot have";
	if (*package == '.')
		return "begins with a dot behind its scope";
	if (!strcasecmp(name, "node_modules") || !strcasecmp(name, "favicon.ico"))
		return "is one that npm keeps for itself";
	return NULL;
}

static const char *why_old(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (strlen(name) > MAX_LENGTH)
		return "is longer than npm allows for new packages";
	for (const char *c = name; *c; c++)
		if (isupper((unsigned char)*c))
			return "has capital letters, which npm allows only for old packages";
	if (strpbrk(slash ? slash : name, "~'!()*"))
		return "has special characters, which npm allows only for old packages";
	return NULL;
}

enum npm_name_kind npm_name_check(const char *name, const char **ret_why)
{
	*ret_why = why_wrong(name);
	if (*ret_why)
		return NPM_NAME_WRONG;
	*ret_why = why_old(name);
	return *ret_why ? NPM_NAME_OLD : NPM_NAME_GOOD;
}
