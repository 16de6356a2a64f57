/*
 * A fuzz target is a file that begins its one function with FUZZ_TARGET(name-of-the-file). The
 * function gets `data` and `len`, and ends the process when it finds something wrong.
 *
 * In an ordinary build replay.c runs it over the inputs in corpus/NAME, as a test; with
 * -Dfuzzers=true libFuzzer searches for more (see meson.build). An input that found a bug is put
 * into the corpus with the fix.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;
	int (*run)(const uint8_t *data, size_t len);
};

/* replay.c finds the targets in a section of their own. */
#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
#define FUZZ_TARGET(file) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
#else
#define FUZZ_TARGET(file)                                                                      \
	static int fuzz_##file(const uint8_t *data, size_t len);                               \
	static const struct fuzz_target target_##file = {#file, fuzz_##file};                  \
	__attribute__((used, section("fuzz_targets"))) static const struct fuzz_target         \
		*const target_of_##file = &target_##file;                                      \
	static int fuzz_##file(const uint8_t *data, size_t len)
#endif

#endif
