#include <string.h>

#include "engine/structured/npm/npm.h"

/* --- pins -------------------------------------------------------------------------------- */

struct npm_pin {
	const char *where; /* "overrides" */
	const char *spec;  /* points into the package */
};

static bool is_any(const char *spec)
{
	return npm_spec_kind(view_of(spec)) == NPM_SPEC_ANY;
}

/* In yarn's files a range can have its protocol: "npm:^1.2.0". */
static const char *without_protocol(const char *spec)
{
	if (strncmp(spec, "npm:", 4) != 0)
		return spec;
	return npm_spec_kind(view_of(spec + 4)) == NPM_SPEC_RANGE ? spec + 4 : spec;
}

/* "bar>foo" of pnpm is about a dependency of bar; "foo@>=2" is not. */
static bool has_parent(const char *key)
{
	for (size_t i = 1; key[i]; i++)
		if (key[i] == '>' && !strchr(" |@", key[i - 1]))
			return true;
	return false;
}

/*
 * Is this key about `name` with the specifier `spec`? `*ret_versions` is the text after
 * its @, or "": "foo@2" is a pin for other versions than ^1.0.0.
 */
static bool pin_concerns(
	const char *key, const char *name, const char *spec, const char **ret_versions)
{
	CLEANUP(buf_release) struct buf common = BUF_INIT;
	size_t len = strlen(name);
	const char *versions;

	if (!strncmp(key, "**/", 3))
		key += 3;
	if (strncmp(key, name, len) != 0 || (key[len] && key[len] != '@') || has_parent(key))
		return false;
	*ret_versions = key[len] ? key + len + 1 : "";
	versions = without_protocol(*ret_versions);
	return is_any(versions) || npm_spec_kind(view_of(spec)) != NPM_SPEC_RANGE ||
	       npm_specs_combine((const char *const[]){versions, spec}, 2, &common);
}

/* "$bar" means the package's own specifier for bar. */
static const char *resolve_pin(json_t *package, const char *name, const char *spec)
{
	static const enum npm_section order[] = {
		NPM_DEV, NPM_OPTIONAL, NPM_DEPENDENCIES, NPM_PEER};
	const char *found = NULL;

	if (*spec != '$')
		return without_protocol(spec);
	for (size_t i = 0; i < ARRAY_SIZE(order) && strcmp(spec + 1, name) != 0 && !found; i++)
		found = npm_spec_of(package, order[i], spec + 1);
	return found;
}

/*
 * The pin for a direct dependency that has, or would get, the specifier `spec`. Pins for the
 * dependencies of others do not count.
 */
static bool find_pin(
	json_t *package, const char *name, const char *spec, struct npm_pin *ret_pin)
{
	static const char *const places[] = {"overrides", "pnpm.overrides", "resolutions"};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		json_t *pins =
			i == 1 ? json_object_get(json_object_get(package, "pnpm"), "overrides")
			       : json_object_get(package, places[i]);
		const char *key;
		json_t *value;

		json_object_foreach(pins, key, value) {
			const char *versions, *text;

			if (!pin_concerns(key, name, spec, &versions))
				continue;
			/* {"foo": {".": "1.0.0", …}}; without the dot, the key's version. */
			text = json_string_value(
				json_is_object(value) ? json_object_get(value, ".") : value);
			if (!text && json_is_object(value))
				text = versions;
			text = text ? resolve_pin(package, name, text) : NULL;
			if (!text || is_any(text))
				continue;
			*ret_pin = (struct npm_pin){places[i], text};
			return true;
		}
	}
	return false;
}

/* --- the package's own dependencies ------------------------------------------------------ */

struct npm_own {
	const char *entry; /* from where it is installed; or NULL */
	struct npm_pin pin;
	char *text; /* all of it in one; NULL: nothing */
};

static void npm_own_release(struct npm_own *own)
{
	free(own->text);
}

/* --- clashes ----------------------------------------------------------------------------- */

/* "package.json has 'foo' ^1.0.0, skill 'a' wants ^2.0.0, and skill 'b' wants ^3.0.0" */
static char *describe_npm_clash(const struct structured_input *input, const struct clash *clash,
	const struct npm_own *own)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < clash->claim_count; i++) {
		const struct claim *claim = &clash->claims[i];
		bool pinned = !*claim->who && own->pin.spec;

		if (i)
			buf_append_str(&text, i + 1 == clash->claim_count ? ", and " : ", ");
		if (!*claim->who)
			buf_appendf(&text, "%s %s", input->name, pinned ? "pins" : "has");
		else
			buf_appendf(&text, "skill '%s' wants", claim->who);
		if (!i)
			buf_appendf(&text, " '%s'%s", clash->key, pinned ? " to" : "");
		buf_appendf(&text, " %s", claim->what);
		if (pinned)
			buf_appendf(&text, " in '%s'", own->pin.where);
	}
	return buf_take(&text);
}

/* What to write, though nothing satisfies all; NULL: leave the dependency out. */
static char *resolve_npm_clash(const struct structured_input *input,
	const struct npm_wish *wish, const struct npm_own *own,
	struct structured_output *output)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(npm_package_release) struct npm_package file = NPM_PACKAGE_INIT;
	struct clash *clash = clash_list_add(&clashes, wish->name);
	const char *spec, *there = NULL;

	if (own->text && !is_any(own->text))
		clash_add_claim(clash, "", own->text);
	for (size_t i = 0; i < wish->count; i++)
		if (!is_any(wish->claims[i].spec))
			clash_add_claim(clash, wish->claims[i].skill, wish->claims[i].spec);
	if (!clash_is_decided(clash, input, &spec)) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;

		if (npm_package_parse(input->name, input->file, &file, &ignored) == 0)
			there = npm_installed_spec(file.json, wish->name);
		spec = clash_side_text(clash, input, there);
		/* The package's own specifier is kept byte for byte. */
		if (spec == clash->claims[0].what && !*clash->claims[0].who && own->entry)
			spec = own->entry;
		clash->about = describe_npm_clash(input, clash, own);
		clash_report(clash, output);
	}
	return spec ? xstrdup(spec) : NULL;
}

int npm_verdict(const struct structured_input *input, json_t *package,
	const struct npm_wish *wish, struct structured_output *output,
	struct npm_verdict *ret_verdict, struct error *err)
{
	CLEANUP(npm_own_release) struct npm_own own = {0};
	CLEANUP(buf_release) struct buf combined = BUF_INIT;
	struct npm_verdict verdict = NPM_VERDICT_INIT;
	CLEANUP(buf_release) struct buf wanted = BUF_INIT;
	CLEANUP(buf_release) struct buf both = BUF_INIT;
	const char *peer;
	const char *text;

	for (int section = 0; section < NPM_SECTION_COUNT; section++) {
		const char *const keys[] = {npm_section_names[section], wish->name, NULL};
		json_t *object = npm_section(package, (enum npm_section)section);

		if (json_object_get(object, wish->name) &&
			!npm_spec_of(package, (enum npm_section)section, wish->name))
			return npm_package_error(input->name, input->own, keys, err,
				"the range of '%s' in '%s' must be a string", wish->name,
				keys[0]);
	}
	peer = npm_spec_of(package, NPM_PEER, wish->name);
	own.entry = npm_installed_spec(package, wish->name);
	if (!npm_wish_combine(wish, NULL, &wanted))
		buf_append_str(&wanted, wish->claims[0].spec);
	find_pin(package, wish->name, own.entry ? own.entry : wanted.data, &own.pin);
	if (own.pin.spec)
		text = own.pin.spec;
	else if (own.entry && peer &&
		 npm_specs_combine((const char *const[]){own.entry, peer}, 2, &both))
		text = both.data;
	else
		text = own.entry ? own.entry : peer;
	own.text = text ? xstrdup(text) : NULL;
	verdict.own = own.entry;
	verdict.pinned_by = own.pin.where;
	if (!own.entry && yaml_has_item(input->unwanted, view_of(wish->name))) {
		verdict.unwanted = true;
	} else if (!npm_wish_combine(wish, own.text, &combined)) {
		verdict.spec = resolve_npm_clash(input, wish, &own, output);
	} else if (own.entry &&
		   (own.pin.spec || !strcmp(combined.data, "*") ||
			   view_equal_str(view_trim(view_of(own.entry)), combined.data))) {
		/* The package's own specifier is kept byte for byte if possible. */
		verdict.spec = xstrdup(own.entry);
	} else {
		verdict.spec = xstrdup(own.pin.spec ? own.pin.spec : combined.data);
	}
	*ret_verdict = verdict;
	return 0;
}

void npm_verdict_release(struct npm_verdict *verdict)
{
	free(verdict->spec);
	*verdict = NPM_VERDICT_INIT;
}

/* --- problems ---------------------------------------------------------------------------- */

static void check_wish(const char *file, json_t *package, const struct npm_wish *wish,
	struct string_array *problems)
{
	const char *spec = npm_installed_spec(package, wish->name);
	CLEANUP(freep) const char **agreed = xcalloc(wish->count + 1, sizeof(*agreed));
	CLEANUP(buf_release) struct buf combined = BUF_INIT;
	const struct npm_claim *exceeded = NULL;
	struct npm_pin pin;
	size_t count = 0;

	if (!spec || find_pin(package, wish->name, spec, &pin))
		return;
	agreed[count++] = spec;
	for (size_t i = 0; i < wish->count; i++) {
		const struct npm_claim *claim = &wish->claims[i];
		CLEANUP(buf_release) struct buf common = BUF_INIT;

		if (!npm_specs_combine((const char *const[]){spec, claim->spec}, 2, &common))
			continue;
		agreed[count++] = claim->spec;
		if (!npm_spec_is_within(spec, claim->spec))
			exceeded = claim;
	}
	if (exceeded && npm_specs_combine(agreed, count, &combined)) {
		CLEANUP(freep)
		char *problem = xasprintf(
			"'%s' %s in '%s' allows versions that skill '%s' does "
			"not accept (it wants %s): write %s",
			wish->name, spec, file, exceeded->skill, exceeded->spec, combined.data);

		string_array_add(problems, problem);
	}
}

void npm_find_problems(const char *name, struct view text,
	const struct contribution *contributions, size_t count,
	struct string_array *ret_problems)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(npm_package_release) struct npm_package package = NPM_PACKAGE_INIT;
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
	struct npm_wish wish = {0};

	if (npm_package_parse(name, text, &package, &ignored) < 0)
		return;
	npm_claims_read(contributions, count, &claims);
	while (npm_claims_next(&claims, &wish))
		check_wish(name, package.json, &wish, ret_problems);
}
