/*
 * A host that is worth an attack: an installation with two groups, keys, sockets, processes.
 *
 * Attempts get these variables, with the same names inside and outside of the sandbox:
 *
 *	ROOT	the folder of the installation	HOST	one with the secrets of the host
 *	AGENT, APP, PROJECT, SESSION, SHM, PROGRAMS, LAUNCHER: where these are, for the one
 *	who tries; NANOCLAW_SOCKET: a socket that the sandbox is given
 *	VICTIM, MARKER: a process of the host, and a word in its command line
 *	PORT, PORT_V6, METADATA_PORT, ABSTRACT, QUEUE, SHM_KEY, DESCRIPTOR
 */
#ifndef SANDBOX_WORLD_H
#define SANDBOX_WORLD_H

#include "base/string_array.h"
#include "sandbox/sandbox.h"

struct world {
	char *folder;             /* all of it is below */
	int root;                 /* the installation */
	struct string_array bare; /* the variables */
	struct string_array inside;
	struct string_array without_mounts; /* for a sandbox that has the paths of the host */
	pid_t victim;
	pid_t server; /* at the socket that is given */
	int descriptor;
	char *marker;
	char *program; /* attempt */
};

/* Ends the program if it cannot be made. */
void world_make(struct world *world, const char *attempt);

/* As it was before the first attempt. */
void world_restore(struct world *world);

/*
 * The variables and mounts that the host would give to the main group's agent, and the attempt
 * program. The spec has its kind.
 */
void world_fill(const struct world *world, struct sandbox_spec *spec);

/* Is container.json as it was, for itself alone? And a changed one was kept if it has to be. */
bool world_is_guarded(const struct world *world, bool kept);

void world_release(struct world *world);

#endif
