/*
 * A temporary directory for each test, removed after it also when it fails.
 *
 *	static void a_claim(void **state)
 *	{
 *		struct tempdir *temp = *state;
 *
 *		tempdir_put(temp->fd, "file", "content");
 *		...
 *	}
 *
 *	TESTS(IN_TEMPDIR(a_claim))
 *
 * It is made below $TMPDIR or /tmp. The helpers call the kernel directly, not
 * through fs/sys.h, so that they are not counted and do not fail with the code
 * under test. They end the process when they cannot do their work.
 */
#ifndef HARNESS_TEMPDIR_H
#define HARNESS_TEMPDIR_H

#include <stdbool.h>
#include <stddef.h>

struct tempdir {
	char *path;
	int fd;
};

/* For cmocka. */
int tempdir_setup(void **state);
int tempdir_teardown(void **state);

#define IN_TEMPDIR(test) cmocka_unit_test_setup_teardown(test, tempdir_setup, tempdir_teardown)

/* Write a file (as it is, not safely); `name` may be a path. */
void tempdir_put(int dirfd, const char *name, const char *content);
void tempdir_put_bytes(int dirfd, const char *name, const void *content, size_t len);
void tempdir_mkdir(int dirfd, const char *name);
void tempdir_symlink(const char *target, int dirfd, const char *name);
void tempdir_fifo(int dirfd, const char *name);

/*
 * A tree of TEMPDIR_DEEP levels of "directory", each with a file "zfile" beside
 * it: in all longer than any path that the kernel takes.
 */
#define TEMPDIR_DEEP 2000
void tempdir_make_deep(int dirfd);

/* The content of a file, or NULL if it is not there; to be freed. */
char *tempdir_get(int dirfd, const char *name);

/* The target of a symbolic link, or NULL; to be freed. */
char *tempdir_get_link(int dirfd, const char *name);

/*
 * Go on as nobody, if we are root, who may read everything; and be root again.
 * Folders below the temporary directory are reached by descriptor only meanwhile.
 */
void tempdir_be_nobody(void);
void tempdir_be_root(void);

bool tempdir_exists(int dirfd, const char *name);

/* The names in the directory, sorted, each with a newline; to be freed. */
char *tempdir_list(int dirfd);

#endif
