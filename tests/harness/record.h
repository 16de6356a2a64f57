/*
 * Write down every call that changes the file system, for the power-loss test (power.h).
 *
 * In `nanoclaw-faulty`, which has this linked in, the environment switches it on:
 *
 *	NANOCLAW_RECORD=FILE		records are appended there
 *	NANOCLAW_RECORD_TREE=FOLDER	only what happens below it is recorded
 *	NANOCLAW_RECORD_COPIES=1	no file gets a second name, as on FAT
 *
 * A record is one line of numbers, and behind it the bytes of two paths, relative to the
 * folder, and of data:
 *
 *	KIND NUMBER LENGTH-OF-PATH LENGTH-OF-OTHER LENGTH-OF-DATA
 *
 * Only calls that succeed are recorded. What other programs change is not seen by the
 * table `sys`: after a child has ended, the next record has the whole tree before it.
 */
#ifndef HARNESS_RECORD_H
#define HARNESS_RECORD_H

enum record_kind {
	RECORD_CREATE = 'c',   /* NUMBER: its permissions */
	RECORD_CONTENT = 'w',  /* NUMBER: where the data begins */
	RECORD_LENGTH = 't',   /* NUMBER: where the file ends now */
	RECORD_MODE = 'm',     /* NUMBER: its permissions */
	RECORD_TIMES = 'i',    /* the data is a struct timespec */
	RECORD_RENAME = 'r',   /* NUMBER: 1 if the two were exchanged */
	RECORD_LINK = 'l',     /* the second path is the new one */
	RECORD_SYMLINK = 'y',  /* the data is where it leads */
	RECORD_UNLINK = 'u',   /* a file or a folder */
	RECORD_MKDIR = 'd',    /* NUMBER: its permissions */
	RECORD_SYNC = 's',     /* of one file or folder */
	RECORD_SYNC_ALL = 'S', /* of everything */
	RECORD_THERE =
		'.', /* the tree: NUMBER is st_mode; the data is that of a file or link */
	RECORD_THERE_END = ';',
};

#endif
