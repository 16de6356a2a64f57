/*
 * Files from a bridge. The bridge writes them to its own folder, data/media/.incoming/NAME, which
 * `welcome` names, and puts their names in a message. The host reads a file in pieces, so that
 * nothing else waits, and deletes it once it is stored or refused.
 */
#ifndef CHANNELS_BRIDGE_FILES_H
#define CHANNELS_BRIDGE_FILES_H

#include "base/string_array.h"
#include "channels/channel.h"

struct bridge_files;

/* Also removes files that were left there a week ago. */
struct bridge_files *bridge_files_open(const struct channel_setup *setup, const char *name);
/* Ends fetches without reporting them, and frees it; the loop frees the timers. */
void bridge_files_close(struct bridge_files *files);

/* Absolute. */
const char *bridge_files_path(const struct bridge_files *files);

void bridge_files_fetch(
	struct bridge_files *files, struct channel *channel, const struct channel_file *file);

/* Delete them, and empty the list. */
void bridge_files_remove(struct bridge_files *files, struct string_array *names);

#endif
