/*
 * Parts of the resolver (resolver.h) that have their own files. They return -1, with the reason
 * in `*ret_refused`, if the request or its result is refused.
 */
#ifndef ENGINE_CONFLICT_INTERNAL_H
#define ENGINE_CONFLICT_INTERNAL_H

struct buf;
struct resolver_request;

/* The JSON document for a command. `folder` is the absolute path of the copies. */
int resolver_write_request(const struct resolver_request *request, const char *folder,
	struct buf *out, char **ret_refused);

/* The prompt for Claude Code, which can only edit text. */
int resolver_write_prompt(
	const struct resolver_request *request, struct buf *out, char **ret_refused);

/* How Claude Code is started: NANOCLAW_CLAUDE, or the one in PATH. The lists end in NULL. */
char *resolver_claude_program(void);
extern const char *const resolver_claude_options[];
extern const char *const resolver_claude_env[];

/* Read the copies back from the open folder, one for each file, and check them. */
int resolver_read_back(const struct resolver_request *request, int folder,
	struct buf *ret_edits, char **ret_refused);

#endif
