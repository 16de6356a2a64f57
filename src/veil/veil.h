/*
 * Runs a command that others wrote, with the caller's secrets out of sight.
 *
 *	CLEANUP(veil_release) struct veil veil = VEIL_INIT;
 *
 *	if (veil_put_on(&veil, &(struct veil_request){.argv = argv, .folder = root}, err) < 0)
 *		return -1;
 *	request.argv = (const char *const *)veil.argv.list;	of process_run()
 *	request.fds = veil.fds; request.fd_count = veil.fd_count;
 *	request.session = true;
 *
 * The command has its own processes: it sees no others, and all of them end with it. Homes are
 * empty, except for the project, programs and caches (veil.c lists them), and the folders that
 * variables name which it gets. Everywhere else it sees files as they are, except for '.env' and
 * the like in the project and in the folders above it, the data of an assistant, and the sockets
 * of programs that act for the caller. Hidden files are empty and read-only. A repository and
 * .nanoclaw can only be read. It may create namespaces of its own, as our host does when a test
 * starts it.
 *
 * If something cannot be hidden, such as in a folder that an earlier command has closed, the
 * command does not run.
 *
 * It takes 'unshare' and 'bwrap'. The first use finds out whether they work here. If not, as in
 * many containers, the command runs as it is after a warning, and only the environment is kept
 * from it: our process cannot be read from then on, except by root.
 *
 * The environment of such a command is veil_environment(): what building needs, and what
 * veil_pass_env() adds for this process.
 */
#ifndef VEIL_VEIL_H
#define VEIL_VEIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string_array.h"

#define VEIL_MAX_FILES 500

#define VEIL_MISSING                                                                           \
	"commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' " \
	"and 'bwrap' do not work here"

struct veil_request {
	const char *const *argv; /* ends in NULL; the program can be found */
	const char *folder;      /* where it runs: an absolute path */
	const char *writes;      /* a path in .nanoclaw that it may write to; or NULL */
	bool installs;           /* a package manager, which keeps its own configuration */
};

struct veil {
	struct string_array argv;   /* the whole command line */
	struct string_array hidden; /* '.env' files, which are empty for it */
	int fds[VEIL_MAX_FILES];    /* that it needs as 3, 4 and so on; all are the same */
	size_t fd_count;
	bool on; /* false: it runs as it is */
};

#define VEIL_INIT ((struct veil){0})

/* From now on, hide what is secret in this project, wherever a command runs. */
void veil_protect(const char *root);

/* Does it work here? The first call tries it. */
bool veil_works(void);

int veil_put_on(struct veil *veil, const struct veil_request *request, struct error *err);
/* After the command: is each '.env' where it was? It may have renamed a folder above. */
int veil_check(const struct veil *veil, struct error *err);
void veil_release(struct veil *veil);

/* For tests: behave as where no sandbox can be made. */
void veil_never(void);

/* Also pass this variable, and show the files that it names. `name` must stay valid. */
int veil_pass_env(const char *name, struct error *err);

/* Does a command get this variable, "NAME=value"? */
bool veil_passes(const char *variable);

/* The part of our environment that commands get. */
void veil_environment(struct string_array *ret_env);

#endif
