/*
 * Which folders of the machine may be given to agents besides their own:
 * ~/.config/nanoclaw/mount-allowlist.json, which lies outside every project and every sandbox.
 *
 *	{
 *	  "allowedRoots": [
 *	    {"path": "~/projects", "allowReadWrite": true, "description": "my work"},
 *	    {"path": "/srv/media", "allowReadWrite": false}
 *	  ],
 *	  "blockedPatterns": ["password", "*.key"],
 *	  "nonMainReadOnly": true
 *	}
 *
 * Without the file, nothing can be mounted. A file with a mistake allows nothing either:
 * ERROR_INVALID with line and column. A file that anybody but us and root may write is refused.
 *
 * A request is refused if it is not within one of the roots, if its path has a symbolic link,
 * or if one of its parts is blocked: by a pattern (a part that contains the text, or, with *
 * and ?, matches as a whole; upper and lower case are the same), or because secrets are usually
 * there (.ssh, .env, credentials and so on, and the system's folders; the list is in
 * allowlist.c), whatever the file says. A folder that directly contains one of those, such as a
 * home directory, is refused too.
 *
 *	allowlist_read(home, &allowlist, err)
 *	allowlist_open(&allowlist, &request, &mount, err)	-> mount.fd, mount.writable
 *
 * The path is opened from its root without following any link. The result is the open file, so
 * nothing can replace it between the check and the mount.
 */
#ifndef SANDBOX_ALLOWLIST_H
#define SANDBOX_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

#define ALLOWLIST_FILE ".config/nanoclaw/mount-allowlist.json"
#define ALLOWLIST_MAX  ((size_t)256 * 1024)

struct allowlist_root {
	char *path; /* absolute */
	char *description;
	bool writable;
};

struct allowlist {
	char *home;
	struct allowlist_root *roots;
	size_t root_count, root_cap;
	char **patterns;
	size_t pattern_count, pattern_cap;
	bool non_main_read_only; /* default: true */
};

#define ALLOWLIST_INIT ((struct allowlist){.non_main_read_only = true})

struct allowlist_request {
	const char *path; /* absolute, or with ~/ */
	bool read_only;
	bool is_main;
};

struct allowlist_mount {
	int fd; /* O_PATH */
	bool writable;
};

/* `home` is absolute. Without the file, the allowlist has no roots. */
int allowlist_read(const char *home, struct allowlist *ret_allowlist, struct error *err);

/* For tests and fuzzing; `shown` is for messages. */
int allowlist_parse(struct view text, const char *home, const char *shown,
	struct allowlist *ret_allowlist, struct error *err);

/* ERROR_INVALID and the reason if it is refused. */
int allowlist_open(const struct allowlist *allowlist, const struct allowlist_request *request,
	struct allowlist_mount *ret_mount, struct error *err);

void allowlist_release(struct allowlist *allowlist);

#endif
