/*
 * `npm_dependencies`: dependencies in package.json.
 *
 * The file is written as npm would write it: its layout, its order of names (npm_order.h),
 * no empty sections, nothing twice that is optional. As with `npm install --save-prod`, a
 * dependency that was one for development or an optional one moves to `dependencies`, with
 * a range that suits both; it moves back when the skill goes. Not as npm:
 *  - An entry in `peerDependencies` stays there, and the dependency comes beside it: what
 *    others have to bring is not for a skill to change.
 *  - One that is in both from the start keeps its range in `dependencies`; npm would write
 *    that of the peers there.
 *  - A file in which nothing has to change keeps its bytes.
 * `bundleDependencies`, `peerDependenciesMeta` and all else are left as they are.
 *
 *	npm_name, npm_spec	names, and what stands behind them
 *	npm_order		the order of names
 *	npm_package		the file
 *	npm_declared		what skills declare
 *	npm_pins		versions that the package pins
 *	npm_verdict		what becomes of one dependency
 *	npm_record		what strip has to know
 *	npm_render, npm_strip	the two directions
 */
#include "engine/package/structured_format.h"
#include "engine/structured/npm/npm_declared.h"
#include "engine/structured/npm/npm_package.h"
#include "engine/structured/npm/npm_render.h"
#include "engine/structured/npm/npm_strip.h"

static int settled(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(npm_package_release) struct npm_package package = NPM_PACKAGE_INIT;
	const char *spec = NULL;

	if (npm_package_read(name, text, &package, err) < 0)
		return -1;
	for (int section = 0; section < NPM_PEER && !spec; section++)
		spec = npm_spec_of(package.json, (enum npm_section)section, clash->key);
	*ret_value = spec ? yaml_new_string(doc, spec) : NULL;
	return 0;
}

static const char *const names[] = {"package.json", NULL};

const struct structured_format structured_npm = {
	.member = "npm_dependencies",
	.names = names,
	.check = npm_declared_check,
	.render = npm_render,
	.strip = npm_strip,
	.settled = settled,
};
