/*
 * The audit log: the requests of agents, and their outcomes.
 *
 *	struct audit *audit = audit_new(store);
 *
 *	audit_add(audit, &(struct audit_entry){
 *		.group = "family", .kind = AUDIT_TOOL, .what = "send_message",
 *		.outcome = AUDIT_DONE, .detail = "text=\"good morning\""});
 *	…
 *	audit_write(audit, err)
 *
 * Entries are collected in memory, and audit_write() stores them in one transaction, so that an
 * agent's call does not wait for the disk. The owner calls audit_write() a moment after the
 * first waiting entry, and before it ends; a killed host loses at most that moment. When
 * AUDIT_WAITING_MAX entries wait, audit_add() writes by itself.
 *
 * The log has a limit per group and `what` and per group and kind, and keeps nothing longer than
 * AUDIT_DAYS. So no agent can push out another agent's entries, or hide one action behind many
 * others. When a group is removed, its entries stay without their details
 * (store_group_remove()).
 */
#ifndef LEDGER_AUDIT_H
#define LEDGER_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

#define AUDIT_WAITING_MAX 256
#define AUDIT_DAYS        90

/*
 * The minimum number of rows that are kept: per group, kind, outcome and `what`, or per group,
 * kind and outcome where an agent chooses `what`. Old rows are deleted once there are
 * AUDIT_SLACK more.
 */
#define AUDIT_ROWS_OF_WHAT 1000
#define AUDIT_ROWS_OF_KIND 20000
#define AUDIT_SLACK        500

/* Longer texts are cut, in bytes. */
#define AUDIT_WHAT_MAX   256
#define AUDIT_DETAIL_MAX 500

enum audit_kind {
	AUDIT_TOOL,   /* an operation of the host; `what` is its name */
	AUDIT_EGRESS, /* the network; `what` is the host that was asked for */
	AUDIT_BUDGET,
	AUDIT_AGENT, /* a tool inside the sandbox, as the agent reports it */
	AUDIT_KIND_COUNT,
};

enum audit_outcome {
	AUDIT_DONE,
	AUDIT_REFUSED, /* it may not, or asked in a wrong way */
	AUDIT_FAILED,
	AUDIT_ASKED, /* the host does not see the outcome */
	AUDIT_OUTCOME_COUNT,
};

const char *audit_outcome_name(enum audit_outcome outcome);
int audit_kind_parse(const char *name, enum audit_kind *ret_kind, struct error *err);

/* --- writing ----------------------------------------------------------------- */

struct audit_entry {
	int64_t at;        /* 0: now */
	const char *group; /* its folder */
	int64_t turn;      /* 0: in none, or not known */
	enum audit_kind kind;
	const char *what;
	enum audit_outcome outcome;
	const char *detail; /* for people, without secrets; may be NULL */
};

struct audit;

struct audit *audit_new(struct store *store);
void audit_free(struct audit *audit); /* what waits is lost: write it first */

/* Copies the entry; never within a transaction. If entries cannot be stored for a long time, the
 * oldest waiting ones are dropped. */
void audit_add(struct audit *audit, const struct audit_entry *entry);

/* -1 if the buffer is full and cannot be stored. */
int audit_check(struct audit *audit, struct error *err);

int audit_write(struct audit *audit, struct error *err);

/* --- reading ----------------------------------------------------------------- */

struct audit_row {
	int64_t id;
	char *at;
	char *group;
	int64_t turn; /* 0: none */
	char *kind;
	char *what;
	char *outcome;
	char *detail; /* NULL: none */
};

struct audit_rows {
	struct audit_row *list;
	size_t count;
	size_t cap;
};

void audit_rows_release(struct audit_rows *rows);

struct audit_filter {
	const char *group; /* NULL: all */
	const char *kind;  /* NULL: all */
	int64_t last;      /* at most this many, the latest */
	int64_t before;    /* only those before this id; 0: all */
};

/* The oldest first. */
int audit_list(struct store *store, const struct audit_filter *filter,
	struct audit_rows *ret_rows, struct error *err);

#endif
