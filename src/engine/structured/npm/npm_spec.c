#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "engine/structured/npm/npm.h"
#include "engine/structured/npm/semver_range.h"

#define NAME_MAX_LENGTH 214
#define SPEC_MAX_LENGTH 4096

/* --- names ------------------------------------------------------------------------------- */

/* Characters that encodeURIComponent() does not escape. */
static bool is_url_friendly(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > 0x7f || (!isalnum(c) && !strchr("-_.!~*'()", c)))
			return false;
	}
	return len > 0;
}

static const char *why_wrong(const char *name)
{
	const char *slash = strchr(name, '/');
	const char *package = slash ? slash + 1 : name;
	bool scope_good =
		slash ? *name == '@' && is_url_friendly(name + 1, (size_t)(slash - name - 1))
		      : *name != '@';

	if (!*name)
		return "is empty";
	if (strchr(".-_", *name))
		return "begins with a dot, a hyphen or an underscore";
	if (!scope_good || !is_url_friendly(package, strlen(package)))
		return "has characters that npm does not allow in names";
	if (*package == '.')
		return "begins with a dot after its scope";
	if (!strcasecmp(name, "node_modules") || !strcasecmp(name, "favicon.ico"))
		return "is reserved by npm";
	return NULL;
}

static const char *why_old(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (strlen(name) > NAME_MAX_LENGTH)
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

/* --- specifiers -------------------------------------------------------------------------- */

/* Schemes of npm and of the other package managers. */
static const char *const schemes[] = {
	"bitbucket",
	"catalog",
	"exec",
	"file",
	"gist",
	"git",
	"git+file",
	"git+ftp",
	"git+http",
	"git+https",
	"git+rsync",
	"git+ssh",
	"github",
	"gitlab",
	"http",
	"https",
	"jsr",
	"link",
	"patch",
	"portal",
	"sourcehut",
	"ssh",
	"workspace",
};

static bool is_known_scheme(struct view scheme)
{
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strlen(schemes[i]) == scheme.len &&
			!strncasecmp(scheme.data, schemes[i], scheme.len))
			return true;
	return false;
}

static bool is_range(struct view spec)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct semver_range ignored;

	return semver_range_parse(spec, &arena, &ignored);
}

/* The name of another package, and a range or a tag of that: "@scope/name@^1". */
static bool is_alias(struct view spec)
{
	const char *at = spec.len > 1 ? memchr(spec.data + 1, '@', spec.len - 1) : NULL;
	size_t name_len = at ? (size_t)(at - spec.data) : spec.len;
	CLEANUP(freep) char *name = xmemdupz(spec.data, name_len);
	struct view rest = at ? view_slice(spec, name_len + 1, spec.len) : view_of("");
	const char *why;

	if (npm_name_check(name, &why) == NPM_NAME_WRONG)
		return false;
	return !rest.len || is_range(rest) || is_url_friendly(rest.data, rest.len);
}

enum npm_spec_kind npm_spec_kind(struct view spec)
{
	struct view scheme;
	size_t colon = 0;

	spec = view_trim(spec);
	if (!spec.len || view_equal_str(spec, "*") || view_equal_str(spec, "x") ||
		view_equal_str(spec, "X"))
		return NPM_SPEC_ANY;
	for (size_t i = 0; i < spec.len; i++)
		if (iscntrl((unsigned char)spec.data[i]))
			return NPM_SPEC_WRONG;
	if (spec.len > SPEC_MAX_LENGTH)
		return NPM_SPEC_WRONG;
	while (colon < spec.len &&
		(isalpha((unsigned char)spec.data[colon]) || spec.data[colon] == '+'))
		colon++;
	if (colon && colon < spec.len && spec.data[colon] == ':') {
		scheme = view_slice(spec, 0, colon);
		if (scheme.len == 3 && !strncasecmp(scheme.data, "npm", 3)
				? is_alias(view_slice(spec, colon + 1, spec.len))
				: is_known_scheme(scheme))
			return NPM_SPEC_ADDRESS;
		return NPM_SPEC_WRONG;
	}
	if (is_range(spec))
		return NPM_SPEC_RANGE;
	/* A path, or the short form of a repository: "user/repo#v1", "git@host:a/b". */
	if (spec.data[0] == '.' || memchr(spec.data, '/', spec.len) ||
		view_ends_with(spec, ".tgz") || view_ends_with(spec, ".tar.gz") ||
		view_ends_with(spec, ".tar"))
		return NPM_SPEC_ADDRESS;
	return is_url_friendly(spec.data, spec.len) ? NPM_SPEC_TAG : NPM_SPEC_WRONG;
}

bool npm_specs_combine(const char *const *specs, size_t count, struct buf *ret_text)
{
	CLEANUP(freep) const char **wanted = xcalloc(count + 1, sizeof(*wanted));
	bool all_ranges = true, all_same = true;
	size_t wanted_count = 0;
	struct view first;

	for (size_t i = 0; i < count; i++) {
		enum npm_spec_kind kind = npm_spec_kind(view_of(specs[i]));

		if (kind == NPM_SPEC_ANY)
			continue;
		wanted[wanted_count++] = specs[i];
		all_ranges = all_ranges && kind == NPM_SPEC_RANGE;
		all_same = all_same && view_equal(view_trim(view_of(specs[i])),
					       view_trim(view_of(wanted[0])));
	}
	first = wanted_count ? view_trim(view_of(wanted[0])) : view_of("*");
	if (!all_same)
		return all_ranges && semver_range_intersection(wanted, wanted_count, ret_text);
	buf_append(ret_text, first.data, first.len);
	return true;
}

bool npm_spec_is_within(const char *spec, const char *other)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct semver_range inner, outer;
	struct semver_versions versions, allowed, common;

	if (npm_spec_kind(view_of(other)) == NPM_SPEC_ANY ||
		view_equal(view_trim(view_of(spec)), view_trim(view_of(other))))
		return true;
	if (!semver_range_parse(view_of(spec), &arena, &inner) ||
		!semver_range_parse(view_of(other), &arena, &outer))
		return false;
	versions = semver_versions_of(&inner, &arena);
	allowed = semver_versions_of(&outer, &arena);
	common = semver_versions_common(&versions, &allowed, &arena);
	return semver_versions_equal(&versions, &common);
}
