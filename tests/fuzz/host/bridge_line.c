/*
 * A line of a bridge, whatever it is, is refused with a reason or gives fields that are
 * within their bounds.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "channels/bridge/protocol.h"
#include "channels/channel.h"
#include "ledger/groups.h"

FUZZ_TARGET(bridge_line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(error_release) struct error bad_jid = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line line = {0};

	if (bridge_read((struct view){(const char *)data, len}, &line, &err) < 0) {
		assert(err.message && err.kind == ERROR_INVALID && !line.document);
		return 0;
	}
	if (line.type == BRIDGE_MESSAGE) {
		assert(*line.id && strlen(line.id) <= CHANNEL_MAX_ID);
		assert(*line.text && strlen(line.text) <= CHANNEL_MAX_TEXT);
		assert(line.sender);
	}
	if (line.type == BRIDGE_MESSAGE || line.type == BRIDGE_METADATA)
		assert(group_check_jid(line.chat, &bad_jid) == 0);
	if (line.type == BRIDGE_RECEIPT)
		assert(line.key && *line.key);
	return 0;
}
