/*
 * A host that is worth an attack: an installation with two groups, keys, sockets, processes.
 *
 * What attempts have to know is in variables, the same names bare and in the sandbox:
 *
 *	ROOT	the folder of the installation	HOST	one with the secrets of the host
 *	AGENT, APP, PROJECT, SHM, PROGRAMS, LAUNCHER: where these are, for the one who tries
 *	VICTIM, MARKER: a process of the host, and a word in its command line
 *	PORT, PORT_V6, METADATA_PORT, ABSTRACT, QUEUE, SHM_KEY, DESCRIPTOR
 */
#ifndef SANDBOX_WORLD_H
#define SANDBOX_WORLD_H

#include "sandbox/sandbox.h"
#include "sandbox/words.h"

struct world {
	char *folder;      /* all of it is below */
	int root;          /* the installation */
	struct words bare; /* the variables */
	struct words inside;
	pid_t victim;
	int descriptor;
	char *marker;
	char *program; /* attempt */
};

/* Ends the program if it cannot be made. */
void world_make(struct world *world, const char *attempt);

/* As it was before the first attempt. */
void world_restore(struct world *world);

/* The mounts that the host would give to the main group's agent, and the attempt program. */
void world_mounts(const struct world *world, struct sandbox_spec *spec);

void world_release(struct world *world);

#endif
