/*
 * Files that a bridge hands over: it writes them to a folder of its own, data/media/.incoming/NAME,
 * which `welcome` names, and gives their names in a message. The host reads a file in pieces, so
 * that nobody waits for it, and deletes it when it is stored or not wanted.
 */
#ifndef CHANNELS_BRIDGE_FILES_H
#define CHANNELS_BRIDGE_FILES_H

#include "base/string_array.h"
#include "channels/channel.h"

struct bridge_files;

/* Also removes files that were left there a week ago. */
struct bridge_files *bridge_files_open(const struct channel_setup *setup, const char *name);
/* Fetches end without a word. It is freed; timers are freed by the loop. */
void bridge_files_close(struct bridge_files *files);

/* Absolute. */
const char *bridge_files_path(const struct bridge_files *files);

void bridge_files_fetch(
	struct bridge_files *files, struct channel *channel, const struct channel_file *file);

/* Delete them, and empty the list. */
void bridge_files_remove(struct bridge_files *files, struct string_array *names);

#endif
