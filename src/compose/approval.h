/*
 * Claude Code reads files that a CLAUDE.md imports from outside of its folder only where
 * somebody has approved that, and passes over them in silence elsewhere. The composed file
 * imports from /app, so the approval is written for it, in its own file of settings:
 *
 *	{"projects": {"/workspace/agent": {"hasClaudeMdExternalIncludesApproved": true}}}
 *
 * It is .claude.json in the folder that is its CLAUDE_CONFIG_DIR. All else that stands in
 * there stays, in its order and layout. One that is no JSON is moved aside.
 */
#ifndef COMPOSE_APPROVAL_H
#define COMPOSE_APPROVAL_H

#include "compose/folder.h"

#define APPROVAL_FILE ".claude.json"

/* `settings` is the folder of Claude Code's settings. */
int approval_write(struct folder *settings, const char *cwd, struct error *err);

#endif
