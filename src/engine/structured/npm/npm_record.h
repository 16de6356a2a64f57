/*
 * What render() did to a package.json, as strip() has to know it. In the state:
 *
 *	entries:	# each dependency of a skill
 *	  grammy: {written: ^1.39.3, own: {devDependencies: ^1.39.0}}
 *	repeated: {fsevents: ^2.3.0}	# was in `dependencies`, and is optional
 *	unwanted: [left-pad]
 *	made: true			# there was no member `dependencies`
 *	created: true			# there was no file
 *	sections:			# that are gone because they are empty
 *	- {name: devDependencies, after: scripts, empty: false}
 *	order: {dependencies: [b, a]}	# where it was not npm's
 *	style: {indent: "", newline: "\n"}	# where the file does not show it
 *
 * `written` is missing where a decision left the entry out; `own` is what the package had,
 * and where. Members that would be empty or false are left out.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_RECORD_H
#define ENGINE_STRUCTURED_NPM_NPM_RECORD_H

#include <jansson.h>

#include "engine/structured/npm/npm_verdict.h"
#include "util/json.h"
#include "util/yaml_build.h"

/* While names of a section are no more than these, their order is kept. */
#define NPM_RECORD_MAX_ORDER 1000

void npm_record_entry(struct yaml_node *record, json_t *own, const char *name,
	const struct npm_verdict *verdict);

/* A dependency of the own `dependencies` that is in `optionalDependencies`, too. */
void npm_record_repeated(struct yaml_node *record, const char *name, const char *spec);

/* What is different in the sections as such: `own` is before, `package` behind. */
void npm_record_sections(struct yaml_node *record, json_t *own, json_t *package);

void npm_record_style(struct yaml_node *record, const struct json_style *style);

#endif
