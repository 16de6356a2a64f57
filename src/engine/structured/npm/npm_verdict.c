#include "engine/structured/npm/npm_verdict.h"

#include <string.h>

#include "engine/structured/npm/npm_package.h"
#include "engine/structured/npm/npm_pins.h"
#include "engine/structured/npm/npm_spec.h"

/* What the package itself says about one dependency. */
struct own {
	const char *entry; /* from where it is installed; or NULL */
	const char *peer;  /* or NULL */
	struct npm_pin pin;
	char *text; /* all of it in one; NULL: nothing */
};

static void own_release(struct own *own)
{
	free(own->text);
}

/* --- what the package has ------------------------------------------------------- */

static int check_strings(const struct structured_input *input, json_t *package,
	const char *name, struct error *err)
{
	for (int section = 0; section < NPM_SECTION_COUNT; section++) {
		const char *const keys[] = {npm_section_names[section], name, NULL};
		json_t *object = npm_section(package, (enum npm_section)section);

		if (json_object_get(object, name) &&
			!npm_spec_of(package, (enum npm_section)section, name))
			return npm_package_error(input->name, input->own, keys, err,
				"the range of '%s' in '%s' must be a string", name, keys[0]);
	}
	return 0;
}

/* What is written if nothing else is said: the skills' ranges in one, or the first. */
static char *wanted_text(const struct npm_claim *claims, const struct npm_claim *end)
{
	CLEANUP(freep) const char **specs = xcalloc((size_t)(end - claims), sizeof(*specs));
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const struct npm_claim *claim = claims; claim < end; claim++)
		specs[claim - claims] = claim->spec;
	if (npm_specs_combine(specs, (size_t)(end - claims), &text))
		return buf_take(&text);
	return xstrdup(claims->spec);
}

static char *own_text(const struct own *own)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (own->pin.spec)
		return xstrdup(own->pin.spec);
	if (!own->entry || !own->peer)
		return own->entry || own->peer ? xstrdup(own->entry ? own->entry : own->peer)
					       : NULL;
	if (npm_specs_combine((const char *const[]){own->entry, own->peer}, 2, &text))
		return buf_take(&text);
	return xstrdup(own->entry);
}

static void read_own(json_t *package, const struct npm_claim *claims,
	const struct npm_claim *end, struct own *own)
{
	static const enum npm_section order[] = {NPM_OPTIONAL, NPM_DEPENDENCIES, NPM_DEV};
	CLEANUP(freep) char *wanted = wanted_text(claims, end);

	for (size_t i = 0; i < ARRAY_SIZE(order) && !own->entry; i++)
		own->entry = npm_spec_of(package, order[i], claims->name);
	own->peer = npm_spec_of(package, NPM_PEER, claims->name);
	npm_pin_find(package, claims->name, own->entry ? own->entry : wanted, &own->pin);
	own->text = own_text(own);
}

/* --- all in one ----------------------------------------------------------------- */

static bool combine(const struct own *own, const struct npm_claim *claims,
	const struct npm_claim *end, struct buf *ret_text)
{
	CLEANUP(freep) const char **specs = xcalloc((size_t)(end - claims) + 1, sizeof(*specs));
	size_t count = 0;

	if (own->text)
		specs[count++] = own->text;
	for (const struct npm_claim *claim = claims; claim < end; claim++)
		specs[count++] = claim->spec;
	return npm_specs_combine(specs, count, ret_text);
}

/* What the package has, it keeps to the byte where it can. */
static char *spec_to_write(const struct own *own, const char *combined)
{
	if (own->pin.spec)
		return xstrdup(own->entry ? own->entry : own->pin.spec);
	if (own->entry && (view_equal_str(view_trim(view_of(own->entry)), combined) ||
				  !strcmp(combined, "*")))
		return xstrdup(own->entry);
	return xstrdup(combined);
}

/* --- clashes -------------------------------------------------------------------- */

static bool has_part(const char *spec)
{
	return spec && npm_spec_kind(view_of(spec)) != NPM_SPEC_ANY;
}

/* "package.json has 'foo' ^1.0.0, skill 'a' wants ^2.0.0, and skill 'b' wants ^3.0.0" */
static char *about(
	const struct structured_input *input, const struct clash *clash, const struct own *own)
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
static char *settle(const struct structured_input *input, const struct own *own,
	const struct npm_claim *claims, const struct npm_claim *end,
	struct structured_output *output)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	struct clash *clash = clash_list_add(&clashes, claims->name);
	const char *spec;
	char *copy;

	if (has_part(own->text))
		clash_add_claim(clash, "", own->text);
	for (const struct npm_claim *claim = claims; claim < end; claim++)
		if (has_part(claim->spec))
			clash_add_claim(clash, claim->skill, claim->spec);
	if (clash_is_decided(clash, input, &spec))
		return spec ? xstrdup(spec) : NULL;
	clash->about = about(input, clash, own);
	spec = clash_side_text(clash, input);
	if (spec == clash->claims[0].what && !*clash->claims[0].who && own->entry)
		spec = own->entry;
	copy = spec ? xstrdup(spec) : NULL;
	clash_report(clash, output);
	return copy;
}

/* --- what a person took out ----------------------------------------------------- */

static bool is_named(const struct yaml_node *names, const char *name)
{
	if (!names || names->kind == YAML_SCALAR)
		return false;
	if (names->kind == YAML_MAPPING)
		return yaml_get(names, name);
	for (size_t i = 0; i < names->count; i++)
		if (names->items[i]->kind == YAML_SCALAR &&
			view_equal_str(names->items[i]->text, name))
			return true;
	return false;
}

int npm_verdict(const struct structured_input *input, json_t *package,
	const struct npm_claim *claims, const struct npm_claim *end,
	struct structured_output *output, struct npm_verdict *ret_verdict, struct error *err)
{
	CLEANUP(own_release) struct own own = {0};
	CLEANUP(buf_release) struct buf combined = BUF_INIT;
	struct npm_verdict verdict = NPM_VERDICT_INIT;

	if (check_strings(input, package, claims->name, err) < 0)
		return -1;
	read_own(package, claims, end, &own);
	verdict.own = own.entry;
	verdict.pinned_by = own.pin.where;
	if (!own.entry && is_named(input->unwanted, claims->name))
		verdict.kind = NPM_UNWANTED;
	else if (combine(&own, claims, end, &combined))
		verdict.spec = spec_to_write(&own, combined.data);
	else
		verdict.spec = settle(input, &own, claims, end, output);
	if (!verdict.spec && verdict.kind == NPM_WRITE)
		verdict.kind = NPM_LEAVE;
	*ret_verdict = verdict;
	return 0;
}

void npm_verdict_release(struct npm_verdict *verdict)
{
	free(verdict->spec);
	*verdict = NPM_VERDICT_INIT;
}
