#include "engine/resolution/resolution_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/quote.h"
#include "engine/package/manifest.h"
#include "engine/package/semver.h"
#include "fs/relpath.h"

/* Prefix of the hash that replaces a key too long for a name. */
#define LONG_KEY '+'

void resolution_skills_add(
	struct resolution_skills *skills, const char *name, const char *version)
{
	GROW(skills->list, skills->count, skills->cap);
	skills->list[skills->count++] = (struct resolution_skill){
		.name = xstrdup(name),
		.version = version && *version ? xstrdup(version) : NULL,
	};
}

int resolution_skills_parse(
	struct resolution_skills *skills, struct view text, struct error *err)
{
	const char *at = text.len ? memchr(text.data, '@', text.len) : NULL;
	size_t len = at ? (size_t)(at - text.data) : text.len;
	CLEANUP(semver_release) struct semver parsed = {0};
	CLEANUP(freep) char *name = xmemdupz(text.data, len);
	CLEANUP(freep) char *version = NULL;
	CLEANUP(freep) char *shown = NULL;

	if (manifest_wrong_in_name(view_slice(text, 0, len))) {
		shown = quote(text);
		return error_set(err, ERROR_INVALID, "%s is not a skill's name", shown);
	}
	if (at) {
		struct view rest = view_slice(text, len + 1, text.len);

		if (semver_parse(rest, &parsed, err) < 0)
			return error_prefix(err, "the version of skill '%s'", name);
		version = xmemdupz(rest.data, rest.len);
	}
	resolution_skills_add(skills, name, version);
	return 0;
}

static int compare_skills(const void *a, const void *b)
{
	const struct resolution_skill *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void resolution_skills_sort(struct resolution_skills *skills)
{
	if (skills->count)
		qsort(skills->list, skills->count, sizeof(*skills->list), compare_skills);
}

const struct resolution_skill *resolution_skills_find(
	const struct resolution_skills *skills, struct view name)
{
	for (size_t i = 0; i < skills->count; i++)
		if (view_equal_str(name, skills->list[i].name))
			return &skills->list[i];
	return NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool resolution_skills_equal(
	const struct resolution_skills *a, const struct resolution_skills *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!is_same_text(a->list[i].name, b->list[i].name) ||
			!is_same_text(a->list[i].version, b->list[i].version))
			return false;
	return true;
}

/* --- what fits ----------------------------------------------------------- */

static int compare_name(const void *key, const void *skill)
{
	return view_compare(*(const struct view *)key,
		view_of(((const struct resolution_skill *)skill)->name));
}

static const struct resolution_skill *skills_find_sorted(
	const struct resolution_skills *present, struct view name)
{
	if (!present->count)
		return NULL;
	return bsearch(
		&name, present->list, present->count, sizeof(*present->list), compare_name);
}

bool resolution_skills_fit(
	const struct resolution_skills *skills, const struct resolution_skills *present)
{
	for (size_t i = 0; i < skills->count; i++) {
		const struct resolution_skill *wanted = &skills->list[i];
		const struct resolution_skill *found =
			skills_find_sorted(present, view_of(wanted->name));

		if (!found ||
			(wanted->version && !is_same_text(wanted->version, found->version)))
			return false;
	}
	return skills->count > 0;
}

/*
 * Remove one skill from the front. A version may contain a `+`, which also separates skills, so
 * the version is compared with the expected one.
 */
static const struct resolution_skill *key_next_skill(
	struct view *key, const struct resolution_skills *sorted)
{
	size_t len = 0;
	const struct resolution_skill *found;
	struct view rest;

	while (len < key->len && key->data[len] != '@' && key->data[len] != '+')
		len++;
	found = skills_find_sorted(sorted, view_slice(*key, 0, len));
	rest = view_slice(*key, len, key->len);
	if (!found)
		return NULL;
	if (rest.len && rest.data[0] == '@') {
		rest = view_slice(rest, 1, rest.len);
		if (!found->version || !view_starts_with(rest, found->version))
			return NULL;
		rest = view_slice(rest, strlen(found->version), rest.len);
	}
	if (rest.len && (rest.data[0] != '+' || rest.len == 1))
		return NULL;
	*key = rest.len ? view_slice(rest, 1, rest.len) : rest;
	return found;
}

static bool is_long_key(struct view key)
{
	return key.len && key.data[0] == LONG_KEY;
}

bool resolution_key_fits(struct view key, const struct resolution_skills *present)
{
	if (is_long_key(key))
		return true; /* the name does not list the skills; meta.yaml does */
	if (!key.len)
		return false;
	while (key.len)
		if (!key_next_skill(&key, present))
			return false;
	return true;
}

bool resolution_key_is_between(
	struct view key, const struct resolution_skills *a, const struct resolution_skills *b)
{
	struct view rest = key;

	if (is_long_key(key) || resolution_key_fits(key, a) || resolution_key_fits(key, b))
		return false;
	while (rest.len)
		if (!key_next_skill(&rest, a) && !key_next_skill(&rest, b))
			return false;
	return key.len > 0;
}

bool resolution_key_names(struct view key, const struct resolution_skills *skills)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills sorted = RESOLUTION_SKILLS_INIT;
	CLEANUP(freep) bool *seen = xcalloc(skills->count + 1, sizeof(*seen));
	size_t count = 0;

	if (is_long_key(key))
		return true;
	for (size_t i = 0; i < skills->count; i++)
		resolution_skills_add(&sorted, skills->list[i].name, skills->list[i].version);
	resolution_skills_sort(&sorted);
	while (key.len) {
		const struct resolution_skill *found = key_next_skill(&key, &sorted);

		if (!found || seen[found - sorted.list])
			return false;
		seen[found - sorted.list] = true;
		count++;
	}
	return count == skills->count;
}

/* --- texts --------------------------------------------------------------- */

char *resolution_skill_text(const struct resolution_skill *skill)
{
	return skill->version ? xasprintf("%s@%s", skill->name, skill->version)
			      : xstrdup(skill->name);
}

char *resolution_key(const struct resolution_skills *skills)
{
	CLEANUP(buf_release) struct buf key = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	for (size_t i = 0; i < skills->count; i++) {
		CLEANUP(freep) char *text = resolution_skill_text(&skills->list[i]);

		buf_appendf(&key, "%s%s", i ? "+" : "", text);
	}
	if (key.len <= RELPATH_COMPONENT_MAX)
		return buf_take(&key);
	hash = hash_of(view_of_buf(&key));
	hash_to_hex(&hash, hex);
	return xasprintf("%c%s", LONG_KEY, hex);
}

void resolution_skills_release(struct resolution_skills *skills)
{
	for (size_t i = 0; i < skills->count; i++) {
		free(skills->list[i].name);
		free(skills->list[i].version);
	}
	free(skills->list);
}
