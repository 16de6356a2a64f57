"""filters.py NANOCLAW: messages in Telegram that are ignored. In TAP."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../add-telegram/tests"))

from telegram import ALICE, Setup, run, tap

IGNORED = (
    ("of a person in the list", {"from": {"id": 13, "first_name": "Bob"}}),
    ("of a channel in the list", {"sender_chat": {"id": -100, "title": "News"}}),
    ("of a kind in the list", {"forward_origin": {"type": "hidden_user"}}),
)


def test_filters(s):
    s.pair(ALICE, "main")
    for number, (_, fields) in enumerate(IGNORED):
        s.api.message(ALICE, "remember ignored %d" % number, **fields)
    s.api.message(ALICE, "remember wanted", sticker_set="of another kind")
    text = s.answer(ALICE)
    tap.result(text == "Noted: wanted", "other messages are answered", text)
    for number, (what, _) in enumerate(IGNORED):
        tap.result(not s.stored("seq", "remember ignored %d" % number),
                   "a message %s is not stored" % what)


if __name__ == "__main__":
    sys.exit(run(Setup(sys.argv[1], TELEGRAM_IGNORE="13, -100,forward_origin, sticker"),
                 test_filters))
