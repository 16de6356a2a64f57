"""reactions.py NANOCLAW: reactions in Telegram, in both directions. In TAP."""

import os
import sqlite3
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../add-telegram/tests"))

from telegram import ALICE, Setup, run, tap


def test_theirs(s):
    s.pair(ALICE, "main")
    s.api.message(ALICE, "remember milk")
    s.answer(ALICE, "milk")
    for emoji in ([{"type": "emoji", "emoji": "\U0001f44d"}], []):
        s.api.update({"message_reaction": {
            "chat": ALICE, "message_id": s.api.message_id, "user": {"id": 7, "first_name": "Alice"},
            "date": 1, "old_reaction": [], "new_reaction": emoji}})
    s.api.message(ALICE, "remember bread")
    s.answer(ALICE, "bread")
    rows = s.host.rows("SELECT reference, content, wants_answer FROM messages "
                       "WHERE reference IS NOT NULL")
    tap.result(rows == [("reaction", "\U0001f44d", 0)], "a reaction is stored for the agent", rows)


def test_ours(s):
    s.host.stop()
    store = sqlite3.connect(os.path.join(s.host.root, "store/nanoclaw.db"))
    store.execute("INSERT INTO outbox (key, group_folder, chat_jid, kind, part, parts, content, "
                  "created_at, action, target) SELECT 'test', group_folder, chat_jid, 'message', 1, 1, "
                  "'\U0001f525', created_at, 'react', '424242/5' FROM outbox LIMIT 1")
    store.commit()
    store.close()
    s.start()
    s.api.wait_for(lambda: s.api.called("setMessageReaction"))
    sent = s.api.called("setMessageReaction")[0]["parameters"]
    tap.result(sent == {"chat_id": 7, "message_id": 5,
                        "reaction": [{"type": "emoji", "emoji": "\U0001f525"}]},
               "an agent's reaction is sent", sent)


if __name__ == "__main__":
    sys.exit(run(Setup(sys.argv[1]), test_theirs, test_ours))
