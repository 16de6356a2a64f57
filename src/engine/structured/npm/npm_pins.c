#include "engine/structured/npm/npm_pins.h"

#include <string.h>

#include "engine/structured/npm/npm_package.h"
#include "engine/structured/npm/npm_spec.h"

/* Is this key about `name`? `*ret_versions` is what stands behind its @, or "". */
static bool is_about(const char *key, const char *name, const char **ret_versions)
{
	size_t len = strlen(name);

	if (strncmp(key, name, len) != 0 || (key[len] && key[len] != '@'))
		return false;
	*ret_versions = key[len] ? key + len + 1 : "";
	return true;
}

/* In yarn's files a range can have its protocol: "npm:^1.2.0". */
static const char *without_protocol(const char *spec)
{
	if (strncmp(spec, "npm:", 4) != 0)
		return spec;
	return npm_spec_kind(view_of(spec + 4)) == NPM_SPEC_RANGE ? spec + 4 : spec;
}

static bool concerns(const char *versions, const char *spec)
{
	versions = without_protocol(versions);
	if (npm_spec_kind(view_of(versions)) == NPM_SPEC_ANY ||
		npm_spec_kind(view_of(spec)) != NPM_SPEC_RANGE)
		return true;
	return npm_specs_agree(versions, spec);
}

/* "bar>foo" of pnpm is about a dependency of bar; "foo@>=2" is not. */
static bool has_parent(const char *key)
{
	for (size_t i = 1; key[i]; i++)
		if (key[i] == '>' && !strchr(" |@", key[i - 1]))
			return true;
	return false;
}

/* "$bar" is what the package itself has of bar. */
static const char *resolved(json_t *package, const char *name, const char *spec)
{
	static const enum npm_section order[] = {
		NPM_DEV, NPM_OPTIONAL, NPM_DEPENDENCIES, NPM_PEER};

	if (*spec != '$')
		return without_protocol(spec);
	if (!strcmp(spec + 1, name))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const char *found = npm_spec_of(package, order[i], spec + 1);

		if (found)
			return found;
	}
	return NULL;
}

/* {"foo": {".": "1.0.0", …}} pins foo as well; without the dot it pins what is in its key. */
static const char *pinned_text(json_t *value, const char *versions)
{
	const char *text =
		json_string_value(json_is_object(value) ? json_object_get(value, ".") : value);

	return text ? text : json_is_object(value) ? versions : NULL;
}

static bool find_in(json_t *package, json_t *pins, const char *where, const char *name,
	const char *spec, struct npm_pin *ret_pin)
{
	const char *key;
	json_t *value;

	json_object_foreach(pins, key, value)
	{
		const char *pinned = strncmp(key, "**/", 3) ? key : key + 3;
		const char *versions;
		const char *text;

		if (!is_about(pinned, name, &versions) || has_parent(pinned) ||
			!concerns(versions, spec))
			continue;
		text = pinned_text(value, versions);
		text = text ? resolved(package, name, text) : NULL;
		if (!text || npm_spec_kind(view_of(text)) == NPM_SPEC_ANY)
			continue;
		*ret_pin = (struct npm_pin){where, text};
		return true;
	}
	return false;
}

bool npm_pin_find(json_t *package, const char *name, const char *spec, struct npm_pin *ret_pin)
{
	json_t *pnpm = json_object_get(package, "pnpm");

	return find_in(package, json_object_get(package, "overrides"), "overrides", name, spec,
		       ret_pin) ||
	       find_in(package, json_object_get(pnpm, "overrides"), "pnpm.overrides", name,
		       spec, ret_pin) ||
	       find_in(package, json_object_get(package, "resolutions"), "resolutions", name,
		       spec, ret_pin);
}
