/*
 * Readers: they extract the text of a message's file before the agent gets the message.
 *
 * A reader is a file of this folder with one `struct reader`, which it registers with READER();
 * the linker collects them, so a new one needs no entry in a list. NanoClaw itself has none:
 * skills add them. When a message arrives, each of its files goes to the first reader, by name,
 * that accepts it, and the message waits for the text. The text is stored with the file. The
 * agent gets it in the element of the file or, for a voice message, as the message itself; if
 * there is no text, the agent gets the reason.
 *
 * Settings decide which program or server does the work:
 *
 *	NAME		a command line. It runs in a sandbox (run.c), with the file as its
 *			standard input; what it prints is the text
 *	NAME_URL	else a server, whose requests the reader makes in ask(); with NAME_KEY
 *			and NAME_MODEL
 *
 * else `command`, if the reader has one. Without any of them it accepts no file.
 */
#ifndef HOST_READING_READER_H
#define HOST_READING_READER_H

#include "base/entry.h"
#include "host/base/settings.h"
#include "ledger/attachments.h"
#include "net/http_call.h"

struct reading;

struct reader_server {
	const char *url;
	const char *key; /* these two or NULL */
	const char *model;
};

/* A file to read. */
struct reading_file {
	const char *name; /* its hash, and an extension if it has one: safe in headers */
	const char *type; /* as the channel says, or NULL */
	struct view content;
};

struct reader {
	const char *name;
	const char *setting; /* NAME above */
	const char *command; /* or NULL */
	bool (*takes)(const struct attachment_arrival *about);
	/* Calls reading_ask(). NULL: the reader supports no server. */
	int (*ask)(struct reading *reading, const struct reader_server *server,
		const struct reading_file *file, struct error *err);
};

#define READER(identifier) ENTRY(readers, reader, identifier)

/* All of them by name, ending with NULL. */
const struct reader *const *reader_list(void);

/* NULL: none. */
const struct reader *reader_named(const char *name);
const struct reader *reader_for(
	const struct settings *settings, const struct attachment_arrival *about);

/* The command line, or the server, that the settings name for it; NULL, or no URL: none. */
const char *reader_command(const struct reader *reader, const struct settings *settings);
struct reader_server reader_server(
	const struct reader *reader, const struct settings *settings);

/* The address of `path`, which begins with a slash, on the server; to be freed. */
char *reader_address(const struct reader_server *server, const char *path);

/* For takes(): "audio/" matches all types that begin with it. */
bool reader_is_type(const struct attachment_arrival *about, const char *type);

/*
 * Send a request to `path` below the URL of the server; `text_of` finds the text in its reply,
 * or returns NULL. A request to a server that is busy or cannot be reached is repeated.
 * `request` needs a body and, unless that is JSON, the type of it.
 */
int reading_ask(struct reading *reading, const struct reader_server *server, const char *path,
	const struct http_call_request *request, const char *(*text_of)(const json_t *reply),
	struct error *err);

#endif
