/*
 * A fuzz target is one file with this function, which ends the process when it
 * finds something wrong.
 *
 * In an ordinary build replay.c runs it over the inputs in corpus/NAME, as a
 * test; with -Dfuzzers=true libFuzzer searches for more (see meson.build). An
 * input that found a bug is put into the corpus with the fix.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#endif
