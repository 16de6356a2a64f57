/*
 * Memory, and who frees it.
 *
 * The x-functions never return NULL: a machine that is out of memory ends the
 * process with a message. That is safe, because every change to a user's files
 * survives the process ending at any instruction.
 *
 * Every local variable that owns something is declared with a cleanup, and
 * ownership is handed on with TAKE():
 *
 *	CLEANUP(freep) char *name = xstrdup(argument);
 *	...
 *	*ret_name = TAKE(name);		// not freed at the end of the scope
 *
 * A type with a `_release` function is used the same way:
 *
 *	CLEANUP(buf_release) struct buf text = BUF_INIT;
 *
 * The words of a type's life are the same everywhere:
 *	_init		make usable
 *	_release	free what it holds
 *	_clear		release, and make usable again
 *	_free		release, and free the object itself
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>
#include <stdlib.h>

#define CLEANUP(function) __attribute__((cleanup(function)))

/* The value of a pointer or descriptor variable, which is left empty. */
#define TAKE(pointer)                                                                          \
	({                                                                                     \
		__auto_type take_value_ = (pointer);                                           \
		(pointer) = NULL;                                                              \
		take_value_;                                                                   \
	})
#define TAKE_FD(fd)                                                                            \
	({                                                                                     \
		int take_fd_ = (fd);                                                           \
		(fd) = -1;                                                                     \
		take_fd_;                                                                      \
	})

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *pointer, size_t count, size_t size);
char *xstrdup(const char *string);
char *xmemdupz(const void *data, size_t len);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Make room for one more element in `array`, which holds `count` and has room
 * for `*cap`. Grows by half, so that appending is cheap.
 */
#define GROW(array, count, cap)                                                                \
	do {                                                                                   \
		if ((count) >= (cap)) {                                                        \
			(cap) = (cap) + (cap) / 2 + 8;                                         \
			(array) = xreallocarray((array), (cap), sizeof(*(array)));             \
		}                                                                              \
	} while (0)

/* Out of memory, as the x-functions report it: print a message and end the process. */
void out_of_memory(void) __attribute__((noreturn));

/* Cleanups take the address of the variable. */
void freep(void *pointer_to_pointer);
void closep(int *fd);

#endif
