/*
 * Files of messages that came in, and of texts that go out.
 *
 *	          stored             retention
 *	[pending] ------> [stored] ------------> [missing]
 *	    |                                        ^
 *	    +---- given up: too large, gone, … ------+
 *
 * A row describes a file. The content is in data/media/FOLDER under its hash
 * (host/base/media_file.h), and is on the disk before the row says "stored". Several rows of a
 * group may share a file.
 *
 * A reader can extract the text of a file (host/reading/reader.h). The row has the name of the
 * reader from the beginning. When the file is stored, the reader is called, if necessary several
 * times, and the row gets a text, or a reason why there is none.
 *
 * A message with pending or unread files is held: no turn claims it before they are done or the
 * time `held_until` is reached.
 */
#ifndef LEDGER_ATTACHMENTS_H
#define LEDGER_ATTACHMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"
#include "db/store.h"

#define ATTACHMENT_MAX_NAME   200
#define ATTACHMENT_MAX_SOURCE 1024
#define ATTACHMENT_MAX_TEXT   ((size_t)16 * 1024)
#define ATTACHMENT_MAX_TEXTS  1000 /* of a group; the oldest go */

/* A file as a channel describes it. */
struct attachment_arrival {
	const char *kind;    /* "image", "voice", "sticker" …; NULL: it is not known */
	const char *name;    /* as its sender calls it; or NULL */
	const char *type;    /* its MIME type; or NULL */
	int64_t size;        /* in bytes; 0: not known */
	struct view content; /* the file, if the channel has it already */
	const char *source;  /* else what fetch() finds it by; NULL: it cannot be fetched */
	const char *text;    /* instead of all of these: the text itself, for agents; or NULL */
};

struct attachment {
	int64_t id;
	int64_t message; /* its number; 0: of a text that goes out */
	char *group_folder;
	char *channel;  /* of the message; NULL with a text */
	char *chat_jid; /* likewise */
	char *kind;     /* these four or NULL */
	char *name;
	char *type;
	char *file; /* its name in the group's store, if stored */
	int64_t size;
	char *source;
	char *error; /* why it is missing, or was not fetched yet; or NULL */
	int failures;
	bool pending;
	char *reader;     /* these three or NULL */
	char *text;       /* that the reader has found, or the channel has sent */
	char *text_error; /* why there is no text */
};

struct attachment_list {
	struct attachment *list;
	size_t count;
	size_t cap;
};

#define ATTACHMENT_FOLDER "data/media" /* below the project; with a folder for each group */

/* The path of a stored file, below the project; to be freed. */
char *attachment_path(const char *group_folder, const char *file);

void attachment_release(struct attachment *attachment);
void attachment_list_release(struct attachment_list *list);

/*
 * A file of the message `message` or, if that is 0, of the text `outbox`. With `file` it is
 * stored, under that name; else pending if it has a source; else missing, for the reason `error`.
 */
struct attachment_row {
	int64_t message;
	int64_t outbox;
	const char *group_folder;
	const struct attachment_arrival *about;
	int64_t size;
	const char *file;
	const char *error;
	const char *reader; /* the reader that accepts it, or NULL */
};

int attachment_add(
	struct store *store, const struct attachment_row *row, int64_t now, struct error *err);

/* In their order. */
int attachments_of_message(
	struct store *store, int64_t seq, struct attachment_list *ret_list, struct error *err);
int attachments_of_text(struct store *store, int64_t outbox, struct attachment_list *ret_list,
	struct error *err);

/*
 * The oldest pending file of each group that may be fetched by `now`, at most `max`; and the
 * next time at which there is something to do: a fetch, or the end of a hold; 0: none.
 */
int attachments_to_fetch(struct store *store, int64_t now, int max,
	struct attachment_list *ret_list, struct error *err);
int attachments_next_time(struct store *store, int64_t *ret_time, struct error *err);

/* The outcome of fetching a pending file. It is not an error if its row is gone. */
int attachment_stored(
	struct store *store, int64_t id, const char *file, int64_t size, struct error *err);
int attachment_missing(struct store *store, int64_t id, const char *reason, struct error *err);
int attachment_later(struct store *store, int64_t id, bool failed, const char *reason,
	int64_t not_before, struct error *err);

/*
 * The same for stored files that wait for their reader. The groups take turns, in the order of
 * their names, beginning with the one after `folder`; NULL: with the first.
 */
int attachments_to_read(struct store *store, int64_t now, const char *folder, int max,
	struct attachment_list *ret_list, struct error *err);

/* The outcome of a reading. The oldest texts of the group are deleted if there are too many. */
int attachment_read(struct store *store, const struct attachment *attachment, const char *text,
	struct error *err);
int attachment_unreadable(
	struct store *store, int64_t id, const char *reason, struct error *err);
int attachment_read_later(
	struct store *store, int64_t id, int64_t not_before, struct error *err);

/*
 * Hold a message for its files; release messages that no longer wait, and list their groups, each
 * followed by a newline. Files that are unread at that time stay unread.
 */
int message_hold(struct store *store, int64_t seq, int64_t until, struct error *err);
int messages_unhold(
	struct store *store, int64_t now, struct buf *ret_folders, struct error *err);

/* --- retention --------------------------------------------------------------- */

/* Bytes of the files of a group, or only of those that are still needed. */
int attachment_bytes(struct store *store, const char *folder, bool needed, int64_t *ret_bytes,
	struct error *err);

/* Bytes of its files that wait to be sent. */
int attachment_waiting_bytes(
	struct store *store, const char *folder, int64_t *ret_bytes, struct error *err);

/* Does the store know this file of the group? */
int attachment_is_known(struct store *store, const char *folder, const char *file,
	bool *ret_known, struct error *err);

/*
 * Files that are no longer needed and are older than `before`, or exceed the newest `bytes` of
 * their group; at most `max`. Only the folder and the file of each are set. attachment_drop()
 * then marks their rows as missing.
 */
int attachments_to_drop(struct store *store, int64_t before, int64_t bytes, int max,
	struct attachment_list *ret_list, struct error *err);
int attachment_drop(
	struct store *store, const char *folder, const char *file, struct error *err);

#endif
