/*
 * What a file is supposed to be, without its content: a regular file, a symbolic
 * link, or nothing.
 */
#ifndef ENGINE_LAYER_FILE_H
#define ENGINE_LAYER_FILE_H

#include <stdbool.h>

#include "engine/transaction.h"

struct layer_file {
	enum tx_kind kind; /* TX_FILE, TX_SYMLINK or TX_ABSENT */
	bool mode_known;
	bool executable;
	struct hash hash; /* of the content; of a link, of where it leads */
};

/* Of a file that was read, or is about to be put. */
struct layer_file layer_file_of(const struct tx_file *file);
struct layer_file layer_file_of_content(struct view content, mode_t mode);

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b);

#endif
