/*
 * Names of npm packages, by the rules of npm's validate-npm-package-name: "grammy",
 * "@scope/name".
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_NAME_H
#define ENGINE_STRUCTURED_NPM_NPM_NAME_H

enum npm_name_kind {
	NPM_NAME_GOOD,
	NPM_NAME_OLD,   /* packages that are there may have it, new ones may not */
	NPM_NAME_WRONG, /* npm refuses it */
};

/* `*ret_why` says why it is not good, as in "the name 'x' …"; NULL if it is. */
enum npm_name_kind npm_name_check(const char *name, const char **ret_why);

#endif
