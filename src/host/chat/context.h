/*
 * The messages of a turn, as the agent reads them:
 *
 *	<messages>
 *	<message sender="Alice" from="whatsapp:49151@s.whatsapp.net" time="2026-02-16T22:47:02.139Z">…
 *	</messages>
 *
 * thread="…" is added where the platform has threads, and reply_to="Bob: …" (or edit_of,
 * reaction_to) with the beginning of the message that this one refers to; reply_to_you="…" if the
 * assistant itself sent that. Behind the text stands an element for each file, with kind, name,
 * type and size as far as they are known:
 *
 *	<attachment name="a.jpg" type="image/jpeg" size="48211" path="/workspace/media/…"/>
 *
 * with missing="…", the reason, instead of a path if the file is missing. The text that a
 * reader found in a file (host/reading/reader.h) is the content of its element. The text of a
 * voice message is the message, and its element has transcribed="yes". text_missing="…" says
 * why there is no text.
 *
 * `sender` is a name that people choose themselves, and `from` the platform's id, which
 * distinguishes two people with the same name. The turn of a task has instead
 *
 *	<scheduled_task id="3" due="2026-02-16T23:00:00.000Z" tz="Europe/Berlin">…
 *
 * Every character of a message that means something in XML is escaped, and control
 * characters are replaced, so that no message can end its own element, add another,
 * or speak for somebody else. Messages that want no answer have context="yes" beside
 * their time.
 */
#ifndef HOST_CHAT_CONTEXT_H
#define HOST_CHAT_CONTEXT_H

#include "base/buf.h"
#include "base/view.h"
#include "ledger/turns.h"

int context_format(
	struct store *store, const struct turn *turn, struct buf *ret_text, struct error *err);

void context_escape(struct view text, struct buf *out);

/* The answer as it is sent: without <internal>…</internal>, and trimmed. To be freed. */
char *context_strip(const char *answer);

#endif
