#include "engine/structured/npm/npm_spec.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "engine/structured/npm/npm_name.h"
#include "engine/structured/npm/semver_range.h"

#define MAX_LENGTH 4096

/* Those of npm, and of the other package managers. */
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

static bool has_byte(struct view v, char c)
{
	return v.len && memchr(v.data, c, v.len);
}

/* What stands before the first colon, if that can be the scheme of an address. */
static struct view scheme_of(struct view spec)
{
	for (size_t i = 0; i < spec.len; i++) {
		unsigned char c = (unsigned char)spec.data[i];

		if (c == ':')
			return view_slice(spec, 0, i);
		if (c != '+' && (c > 0x7f || !isalpha(c)))
			break;
	}
	return view_slice(spec, 0, 0);
}

static bool is_known(struct view scheme)
{
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strlen(schemes[i]) == scheme.len &&
			!strncasecmp(scheme.data, schemes[i], scheme.len))
			return true;
	return false;
}

static bool is_path(struct view spec)
{
	return view_starts_with(spec, ".") || view_starts_with(spec, "/") ||
	       view_starts_with(spec, "~/");
}

static bool is_range(struct view spec)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct semver_range ignored;

	return semver_range_parse(spec, &arena, &ignored);
}

static bool is_tag(struct view spec)
{
	for (size_t i = 0; i < spec.len; i++) {
		unsigned char c = (unsigned char)spec.data[i];

		if (c > 0x7f || !(isalnum(c) || (c && strchr("-_.!~*'()", c))))
			return false;
	}
	return spec.len > 0;
}

/* The name of another package, and a range or a tag of that: "npm:@scope/name@^1". */
static bool is_alias(struct view spec)
{
	const char *at = spec.len > 1 ? memchr(spec.data + 1, '@', spec.len - 1) : NULL;
	size_t name_len = at ? (size_t)(at - spec.data) : spec.len;
	CLEANUP(freep) char *name = xmemdupz(spec.data, name_len);
	struct view rest = at ? view_slice(spec, name_len + 1, spec.len) : view_of("");
	const char *why;

	if (npm_name_check(name, &why) == NPM_NAME_WRONG)
		return false;
	return !rest.len || is_range(rest) || is_tag(rest);
}

static bool has_control(struct view spec)
{
	for (size_t i = 0; i < spec.len; i++)
		if (iscntrl((unsigned char)spec.data[i]))
			return true;
	return false;
}

static enum npm_spec_kind kind_of_address(struct view spec, struct view scheme)
{
	if (scheme.len == 3 && !strncasecmp(scheme.data, "npm", 3))
		return is_alias(view_slice(spec, 4, spec.len)) ? NPM_SPEC_ADDRESS
							       : NPM_SPEC_WRONG;
	return is_known(scheme) ? NPM_SPEC_ADDRESS : NPM_SPEC_WRONG;
}

static bool is_any(struct view spec)
{
	return !spec.len || view_equal_str(spec, "*") || view_equal_str(spec, "x") ||
	       view_equal_str(spec, "X");
}

enum npm_spec_kind npm_spec_kind(struct view spec)
{
	struct view scheme;

	spec = view_trim(spec);
	scheme = scheme_of(spec);
	if (is_any(spec))
		return NPM_SPEC_ANY;
	if (spec.len > MAX_LENGTH || has_control(spec))
		return NPM_SPEC_WRONG;
	if (scheme.len)
		return kind_of_address(spec, scheme);
	if (is_range(spec))
		return NPM_SPEC_RANGE;
	/* A path, or the short form of a repository: "user/repo#v1", "git@host:a/b". */
	if (is_path(spec) || has_byte(spec, '/') || view_ends_with(spec, ".tgz") ||
		view_ends_with(spec, ".tar.gz") || view_ends_with(spec, ".tar"))
		return NPM_SPEC_ADDRESS;
	return is_tag(spec) ? NPM_SPEC_TAG : NPM_SPEC_WRONG;
}

/* --- several -------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
	return view_equal(view_trim(view_of(a)), view_trim(view_of(b)));
}

static bool all_same(const char *const *specs, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!same(specs[0], specs[i]))
			return false;
	return true;
}

static bool all_ranges(const char *const *specs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (npm_spec_kind(view_of(specs[i])) != NPM_SPEC_RANGE)
			return false;
	return true;
}

static void append_trimmed(struct buf *out, const char *spec)
{
	struct view text = view_trim(view_of(spec));

	buf_append(out, text.data, text.len);
}

bool npm_specs_combine(const char *const *specs, size_t count, struct buf *ret_text)
{
	CLEANUP(freep) const char **wanted = xcalloc(count + 1, sizeof(*wanted));
	size_t wanted_count = 0;

	for (size_t i = 0; i < count; i++)
		if (npm_spec_kind(view_of(specs[i])) != NPM_SPEC_ANY)
			wanted[wanted_count++] = specs[i];
	if (!wanted_count)
		buf_append_char(ret_text, '*');
	else if (all_same(wanted, wanted_count))
		append_trimmed(ret_text, wanted[0]);
	else
		return all_ranges(wanted, wanted_count) &&
		       semver_range_intersection(wanted, wanted_count, ret_text);
	return true;
}

bool npm_specs_agree(const char *a, const char *b)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	return npm_specs_combine((const char *const[]){a, b}, 2, &text);
}
