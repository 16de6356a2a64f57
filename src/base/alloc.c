#include "base/alloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void out_of_memory(void)
{
	static const char message[] = "error: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)ignored;
	_exit(1);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *pointer, size_t count, size_t size)
{
	void *p = reallocarray(pointer, count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *string)
{
	return xmemdupz(string, strlen(string));
}

char *xmemdupz(const void *data, size_t len)
{
	char *p;

	if (len == SIZE_MAX)
		out_of_memory();
	p = xmalloc(len + 1);
	if (len)
		memcpy(p, data, len);
	p[len] = '\0';
	return p;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *p;
	int len;

	va_start(args, format);
	len = vasprintf(&p, format, args);
	va_end(args);
	if (len < 0)
		out_of_memory();
	return p;
}

void freep(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(TAKE_FD(*fd));
	errno = saved;
}
