/*
 * Where a command of the assistant works: the project, and its store or its host.
 */
#ifndef CLI_ASSISTANT_PLACE_H
#define CLI_ASSISTANT_PLACE_H

#include "cli/assistant/client.h"
#include "cli/command.h"
#include "db/store.h"
#include "engine/disk/project.h"
#include "host/base/registry.h"
#include "host/base/settings.h"

struct place {
	struct project project;
	struct settings settings;
	struct store *store;
	struct client client; /* of the host, if `running` */
	bool running;
	int lock;
	bool made_store, made_groups; /* these folders, by place_change() */
};

#define PLACE_INIT ((struct place){.project = PROJECT_INIT, .client = CLIENT_INIT, .lock = -1})

/* The project alone. What a killed restore has left to do is done first. */
int place_find(struct place *ret_place, struct error *err);

/*
 * For looking: with the store. Where there is none, `store` is NULL; that is no error.
 */
int place_look(struct place *ret_place, struct error *err);

/* The store alone, for completions, or NULL: nothing is said or done about what is wrong. */
struct store *place_peek(void);

/*
 * For a change: with the host if it runs, else with the store, locked, and main in it.
 * ERROR_BUSY if somebody else holds the lock all the time.
 */
int place_change(struct place *ret_place, struct error *err);

/* With the project: the host if it runs, else the lock. place_change() calls it. */
int place_take(struct place *place, struct error *err);

/* The lock; a host that runs is ERROR_BUSY. `what` is for the message. */
int place_take_alone(struct place *place, const char *what, struct error *err);

void place_release(struct place *place);

/* With a store: the registry over it. */
struct registry place_registry(const struct place *place);

/* With a store: the group that a word names, which must be there; nothing for NULL. */
int place_group(const struct place *place, const char *word, struct group *ret_group,
	struct error *err);

/*
 * An operation (host/ops/operations.h), done by the host, so that it knows at once; or here, if
 * no host runs. A schedule without a time zone gets that of the person who types. `request`
 * is released.
 */
int host_call(json_t *request, json_t **ret_reply, struct error *err);

/*
 * An operation that only looks: with the store, without the host or its lock. Where there is
 * no store, that is ERROR_INVALID with ENOENT: nothing has been made yet.
 */
int host_look(json_t *request, json_t **ret_reply, struct error *err);

#endif
