/*
 * What SQLite reports, as an error: a full disk and a damaged database say so, whatever SQLite
 * calls them, and each leads to what helps.
 */
#ifndef DB_FAULT_H
#define DB_FAULT_H

#include <sqlite3.h>

#include "base/error.h"

/*
 * "WHAT: …". A full disk has errnum ENOSPC. Damage is ERROR_INVALID with errnum EBADMSG; another
 * process that keeps the database busy is ERROR_BUSY.
 */
int database_fail(sqlite3 *db, const char *what, struct error *err);

/* The same for a database that is damaged in a way that only its reader sees. */
int database_damaged(const char *what, const char *fault, struct error *err);

#endif
