/*
 * Installs dependencies with the project's package manager: once, at the end of an operation
 * that changed those in package.json.
 *
 *	install_prepare(s, &install, err)	before transaction_apply()
 *	transaction_apply(…)
 *	install_run(s, &install, …)		before other commands, and the commit
 *	…
 *	after a failure, when the transaction is undone:
 *	install_restore(s, &install)
 *
 * The manifest, the lockfile and the state are exposed (T7 in transaction.h): whatever happens,
 * they can be restored. The manager's changes to them are recorded with the last skill, so that
 * they do not count as the person's. On a failure, a new node_modules is removed; an existing
 * one is restored by the manager from its cache, or a message says which command to type.
 *
 * Settings:
 *	NANOCLAW_INSTALL		a command to run instead, by sh
 *	NANOCLAW_INSTALL_TIMEOUT	seconds that it may take
 */
#ifndef ENGINE_COMMIT_INSTALL_H
#define ENGINE_COMMIT_INSTALL_H

#include "engine/commit/install_manager.h"
#include "engine/commit/pending.h"
#include "engine/session/session.h"

#define INSTALL_DEFAULT_SECONDS 900

struct install {
	struct install_choice choice; /* its manager is NULL if there is nothing to install */
	const char *command;          /* instead of the manager's own; or NULL */
	unsigned seconds;
	bool had_modules; /* node_modules was there before */
	bool started;     /* it may be other than it was */
};

#define INSTALL_INIT ((struct install){0})

/*
 * Who would install, in the result, and a warning if that is not to be done. In a dry
 * run this is all.
 */
int install_choose_for(struct session *s, struct install *ret_install, struct error *err);

/* Also: a manager that cannot be run is an error before anything is changed. */
int install_prepare(struct session *s, struct install *ret_install, struct error *err);

/* The command line that it runs, to be freed. */
char *install_text(const struct install *install);

/* `skills` are those of the operation, in their order. */
int install_run(struct session *s, struct install *install, const struct string_array *skills,
	struct error *err);

/*
 * `may_run` is false if the person wants us to end. Returns the command that makes
 * node_modules as it was, to be freed; NULL if that is done, which is a warning,
 * or was not needed.
 */
char *install_restore(struct session *s, const struct install *install, bool may_run);

#endif
