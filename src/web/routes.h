/*
 * The routes of the dashboard: each is one nanoclaw command.
 *
 *	route_find(name)			GET or POST /api/NAME
 *	route_call(route, parameters, …)	the words of the command, after the parameters are checked
 *
 * routes.c has a row for each. In a row's command, {name} is a parameter; words in [ ] are left
 * out if their parameter is missing:
 *
 *	"history [--last {limit}] [--before {before}] -- {group}"
 *
 * What a parameter may be depends on its name alone (routes.c has the table). The value of an
 * option is passed as --option=VALUE, and all other values come after "--", so no value can be
 * mistaken for an option. No parameter names a server or a program.
 */
#ifndef WEB_ROUTES_H
#define WEB_ROUTES_H

#include <jansson.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"

enum route_kind {
	ROUTE_READ,   /* GET; the answer is the command's JSON */
	ROUTE_ACTION, /* POST; the answer is {exit, result} */
	ROUTE_JOB,    /* POST; the answer is {job}, the rest are events */
};

struct route {
	const char *name;
	enum route_kind kind;
	const char *command;
	const char *input; /* the parameter that goes to standard input, or NULL */
	bool destructive;  /* the client shows a preview or asks first */
};

/* Ends with an empty one. */
extern const struct route routes[];

/* Or NULL. */
const struct route *route_find(struct view name);

/*
 * The command's words, behind "nanoclaw", and its standard input. `parameters` is an object of
 * texts, numbers and lists of texts. ERROR_INVALID names what is wrong.
 */
int route_call(const struct route *route, json_t *parameters, struct string_array *ret_words,
	struct buf *ret_input, struct error *err);

/* {"commands": [{name, method, command: [word], parameters: [{name, kind, required}], …}]} */
json_t *routes_json(void);

#endif
