/*
 * The files of a run, which both halves have, and keep equal.
 *
 *	files_new(&link, FILES_HOST)		or FILES_NODE
 *	files_add_mount(files, …)		in the same order in both halves
 *	files_ask(files)			compare them, and send what changed
 *	files_work(files, err)			in each turn of the loop
 *	files_take(files, bytes, err)		what the other half sent (link_handlers.files)
 *	files_stored(files, number, err)	the other half's message "stored"
 *	files_may_pass(files, stream, bytes)	link_handlers.may_pass, for the gates of streams
 *
 *	         files_ask()              all sent                  "stored"
 *	[idle] --------------> [sending] ----------> [waits for it] ---------> [idle]
 *
 * So bytes that could tell of files pass a gate only when the other half has these files on its
 * disk: an answer, a call of the host, a line of input.
 *
 * The host sends all mounts. The node sends regular files and folders of writable folders, and the
 * host trusts none of it: names stay beneath the mount, which openat2() checks; a mount within
 * another one, `container.json` and links are refused; and the limit of the disk holds before
 * anything is written. A file is written beside its place, synced and renamed.
 *
 * Changed on both sides: the host's version stays, and the agent's is beside it, as
 * NAME.from-agent. To notice it, each half remembers what it last sent or stored. The node takes
 * nothing while it sends, so what it sends is older than what it takes.
 */
#ifndef PROGRAMS_REMOTE_LINK_FILES_H
#define PROGRAMS_REMOTE_LINK_FILES_H

#include "programs/remote_link/link.h"

#define FILES_MAX        ((size_t)100000)
#define FILES_FROM_AGENT ".from-agent"

enum files_half {
	FILES_HOST,
	FILES_NODE,
};

enum files_kind {
	MOUNT_FOLDER,
	MOUNT_FILE, /* only from the host to the node */
	MOUNT_SOCKET,
};

struct files_mount {
	char *target; /* absolute, inside */
	enum files_kind kind;
	bool writable;
	bool counted; /* for the limit of the disk */
	int fd; /* the folder; of a file on the host the file, on the node the folder of `name` */
	char *name;
};

struct files;

struct files *files_new(struct link *link, enum files_half half, uint64_t limit);

/* Takes over what the mount owns. */
void files_add_mount(struct files *files, struct files_mount mount);
const struct files_mount *files_mount(const struct files *files, size_t number);
size_t files_mounts(const struct files *files);

/* Returns a number for files_is_stored(). */
uint64_t files_ask(struct files *files);
bool files_is_stored(const struct files *files, uint64_t number);

int files_work(struct files *files, struct error *err);
int files_take(struct files *files, struct view bytes, struct error *err);
int files_stored(struct files *files, uint64_t number, struct error *err);
size_t files_may_pass(struct files *files, struct stream *stream, struct view bytes);

/* Removes what is not complete. */
void files_end(struct files *files);

/* Has the other half sent all of its files once? */
bool files_have_come(const struct files *files);

#endif
