/*
 * The audit log of a running host: ledger/audit.h, written a moment after each event and when the
 * host ends.
 */
#ifndef HOST_BASE_AUDITING_H
#define HOST_BASE_AUDITING_H

#include "host/base/installation.h"
#include "ledger/audit.h"

struct auditing;

struct auditing *auditing_new(struct installation *inst);

/* Like audit_add() and audit_check(), but entries are written automatically. */
void auditing_add(struct auditing *auditing, const struct audit_entry *entry);
int auditing_check(struct auditing *auditing, struct error *err);

/* Write the waiting entries now. */
int auditing_write(struct auditing *auditing, struct error *err);

/* The host is stopping: later entries are written when this is freed. */
void auditing_stop(struct auditing *auditing);

/* After the loop has ended. */
void auditing_free(struct auditing *auditing);

#endif
