/*
 * Ways out of a sandbox. Each is a function that tries one and returns the outcome:
 *
 *	ATTEMPT(read_other_group, "read a file of another group")
 *	{
 *		return opens(place("ROOT", "groups/other/secret"), O_RDONLY);
 *	}
 *
 * The program `attempt NAME` runs one. escape.c runs it without a sandbox, where it has to get
 * through, and then in one, where it must not. Where the machine or the user does not let it
 * through without a sandbox either, nothing would be shown, and it is skipped.
 *
 * Variables (world.h) name the targets: ROOT, HOST and so on.
 */
#ifndef SANDBOX_ATTEMPT_H
#define SANDBOX_ATTEMPT_H

#include <stdbool.h>

enum outcome {
	GOT_THROUGH = 0,
	REFUSED = 10,
	CANNOT_TRY = 11, /* the machine has no such thing */
};

struct attempt {
	const char *name;
	const char *claim;
	enum outcome (*run)(void);
};

#define ATTEMPT(identifier, what)                                                              \
	static enum outcome try_##identifier(void);                                            \
	static const struct attempt attempt_##identifier = {                                   \
		#identifier, what, try_##identifier};                                          \
	__attribute__((used, section("escape_attempts"))) static const struct attempt          \
		*const attempt_pointer_##identifier = &attempt_##identifier;                   \
	static enum outcome try_##identifier(void)

extern const struct attempt *const __start_escape_attempts[];
extern const struct attempt *const __stop_escape_attempts[];

/* A variable of the world; ends the program if it is not set. */
const char *world(const char *name);
long world_number(const char *name);

/* $NAME/rest; good until the next call but seven. */
const char *place(const char *name, const char *rest);

/* GOT_THROUGH if the result is not negative. */
enum outcome got(long result);

/* Of calls that check rights first: any other error is beyond that. */
enum outcome not_refused(long result);

/* A connection to the socket that the sandbox was given, or -1. */
int given_socket(void);

/* Opened, without writing anything. */
enum outcome opens(const char *path, int flags);

#endif
