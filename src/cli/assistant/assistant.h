/*
 * The assistant of a project, for one command: its settings, and its store or its running host.
 *
 *	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
 *
 *	if (assistant_look(&assistant, err) < 0)
 *		return -1;
 *	... assistant.store, NULL before the first start ...
 *
 * A command that calls an operation of the host needs only host_call() or host_look().
 */
#ifndef CLI_ASSISTANT_ASSISTANT_H
#define CLI_ASSISTANT_ASSISTANT_H

#include "cli/assistant/client.h"
#include "cli/command.h"
#include "db/store.h"
#include "engine/disk/project.h"
#include "host/base/registry.h"
#include "host/base/settings.h"

struct assistant {
	struct project project;
	struct settings settings;
	struct store *store;
	struct client client; /* of the host, if `running` */
	bool running;
	int lock;
	bool made_store, made_data, made_groups; /* folders that assistant_change() creates */
};

#define ASSISTANT_INIT                                                                         \
	((struct assistant){.project = PROJECT_INIT, .client = CLIENT_INIT, .lock = -1})

/* The project and the settings. A restore that was killed is completed first. */
int assistant_find(struct assistant *ret_assistant, struct error *err);

/* The same in two steps. */
int assistant_find_project(struct assistant *ret_assistant, struct error *err);
int assistant_read_settings(struct assistant *ret_assistant, struct error *err);

/* To read: with the store; `store` is NULL before the first start. */
int assistant_look(struct assistant *ret_assistant, struct error *err);

/* The store alone, for completions; NULL if it cannot be opened, without a message. */
struct store *assistant_peek(void);

/*
 * After assistant_find(): take the lock; ERROR_BUSY if another process holds it for too long, or a
 * host runs. `what` completes "stop it before ...". */
int assistant_take_alone(struct assistant *assistant, const char *what, struct error *err);

void assistant_release(struct assistant *assistant);

/* The registry over the store, which must be open. */
struct registry assistant_registry(const struct assistant *assistant);

/* The group that a word names; ERROR_INVALID if it does not exist. Does nothing for NULL. */
int assistant_group(const struct assistant *assistant, const char *word,
	struct group *ret_group, struct error *err);

/*
 * The request for an operation, from the command line. The names after `operation`, ending with
 * NULL, are the arguments that come from the command's words, in order; the others come from its
 * options.
 */
json_t *host_request(const struct arguments *args, const char *operation, ...)
	__attribute__((sentinel));

/*
 * An operation (host/ops/operations.h): the host performs it if it runs, so that it takes effect
 * at once, else this process does. A schedule without a time zone gets the caller's zone.
 * `request` is released.
 */
int host_call(json_t *request, json_t **ret_reply, struct error *err);

/*
 * An operation that only reads: on the store itself, without the host or the lock. ERROR_INVALID
 * with ENOENT if there is no store yet. `request` is released.
 */
int host_look(json_t *request, json_t **ret_reply, struct error *err);

/*
 * All of a command that is one host_call(): prints the reply with `print`, or with --json as the
 * document. Returns EXIT_DONE or -1.
 */
int host_command(const struct cli *cli, json_t *request, void (*print)(const json_t *reply),
	struct error *err);

/* A reply as a result for programs: `success` instead of the fields of the protocol. */
json_t *reply_json(json_t *reply);

#endif
