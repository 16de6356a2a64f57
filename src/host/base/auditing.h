/*
 * The audit log of a host that runs: ledger/audit.h, written a moment after something has
 * happened, and at the end.
 */
#ifndef HOST_BASE_AUDITING_H
#define HOST_BASE_AUDITING_H

#include "host/base/installation.h"
#include "ledger/audit.h"

struct auditing;

struct auditing *auditing_new(struct installation *inst);

/* As audit_add() and audit_check() are; and it gets written by itself. */
void auditing_add(struct auditing *auditing, const struct audit_entry *entry);
int auditing_check(struct auditing *auditing, struct error *err);

/* What waits, now. */
int auditing_write(struct auditing *auditing, struct error *err);

/* The host stops: what comes from now on is written when it is freed. */
void auditing_stop(struct auditing *auditing);

/* After the loop has ended. */
void auditing_free(struct auditing *auditing);

#endif
