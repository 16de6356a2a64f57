/*
 * The first line is a trigger and a pattern of JIDs, the second a JID, the rest a
 * message. What is escaped has no markup in it.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "base/utf8.h"
#include "channels/bridge/protocol.h"
#include "host/base/trigger.h"
#include "host/chat/context.h"
#include "ledger/groups.h"

FUZZ_TARGET(jid_trigger)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf escaped = BUF_INIT;
	struct view rest = {(const char *)data, len};
	struct view trigger = {0}, jid = {0};

	if (memchr(data ? (const void *)data : "", '\0', len))
		return 0;
	view_next(&rest, '\n', &trigger);
	view_next(&rest, '\n', &jid);
	CLEANUP(freep)
	char *trigger_text = xmemdupz(trigger.data ? trigger.data : "", trigger.len);
	CLEANUP(freep) char *jid_text = xmemdupz(jid.data ? jid.data : "", jid.len);

	if (trigger_check(trigger_text, &err) == 0) {
		CLEANUP(freep) char *call = xasprintf("%s: hello", trigger_text);

		assert(trigger_matches(trigger_text, view_of(call)));
	}
	trigger_matches(trigger_text, rest);
	bridge_jid_matches(trigger_text, jid_text);
	assert(bridge_jid_matches("*", jid_text));
	error_clear(&err);
	group_check_jid(jid_text, &err);
	if (rest.data) {
		context_escape(rest, &escaped);
		assert(!strpbrk(escaped.data, "<>\"'") && utf8_valid(view_of_buf(&escaped)));
	}
	return 0;
}
