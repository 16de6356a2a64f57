/*
 * Linked into a program that is built with -fsanitize-coverage=trace-pc: notes which blocks
 * of its code are reached, in a file of its name in the folder LLVM_PROFILE_FILE, a variable
 * that the harness passes on. A block is a byte there, at its distance from the beginning of
 * the program. All processes of a test share the file.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start, etext;
static char *reached;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	if (reached)
		reached[(char *)__builtin_return_address(0) - &__executable_start] = 1;
}

static void __attribute__((constructor)) trace_begin(void)
{
	const char *folder = getenv("LLVM_PROFILE_FILE");
	size_t len = (size_t)(&etext - &__executable_start);
	char program[PATH_MAX] = "";
	char path[PATH_MAX];
	int fd;

	if (!folder || readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, basename(program));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0 && ftruncate(fd, (off_t)len) == 0) {
		char *map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		reached = map == MAP_FAILED ? NULL : map;
	}
	close(fd);
}
