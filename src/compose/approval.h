/*
 * Claude Code reads files that a CLAUDE.md imports from outside its folder only where somebody has
 * approved this; otherwise it silently ignores them. The composed file imports from /app, so the
 * approval is written for it, in its own file of settings:
 *
 *	{"projects": {"/workspace/agent": {"hasClaudeMdExternalIncludesApproved": true}}}
 *
 * It is .claude.json in the folder that is its CLAUDE_CONFIG_DIR. Everything else in the file keeps
 * its order and layout. A file that is not JSON is moved aside.
 */
#ifndef COMPOSE_APPROVAL_H
#define COMPOSE_APPROVAL_H

#include "compose/folder.h"

#define APPROVAL_FILE ".claude.json"

/* `settings` is the folder of Claude Code's settings. */
int approval_write(struct folder *settings, const char *cwd, struct error *err);

#endif
