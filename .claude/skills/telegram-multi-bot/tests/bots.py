"""bots.py NANOCLAW: several bots in Telegram. In TAP."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../add-telegram/tests"))

from bot_api import BotApi
from telegram import ALICE, Setup, run, tap

WORK = "515151:BBF-token_of-another-bot"


def test_bots(s):
    work = s.api.others[WORK]
    s.pair(ALICE, "main")
    _, output = s.host.run("channel", "pair", "telegram-work", "--folder", "work")
    code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
    work.message(ALICE, code)
    work.wait_for(lambda: work.texts(ALICE))
    tap.result("'work'" in work.texts(ALICE)[0], "each bot has chats of its own", work.texts())
    work.message(ALICE, "remember work")
    s.api.message(ALICE, "remember home")
    tap.result(s.answer(ALICE) == "Noted: home", "the first bot answers", s.api.texts())
    work.wait_for(lambda: len(work.texts(ALICE)) > 1)
    tap.result(work.texts(ALICE)[1] == "Noted: work", "so does the other one", work.texts())
    rows = s.host.rows("SELECT jid FROM registered_groups WHERE folder = 'work'")
    tap.result(rows == [("tg-work:7",)], "its JIDs have its name", rows)
    _, output = s.host.run("doctor")
    tap.result("TELEGRAM_BOT_TOKEN_LOST is not set" in output, "doctor looks at each bot", output)
    work.leave()


def main():
    s = Setup(sys.argv[1], TELEGRAM_BOTS="work, lost", TELEGRAM_BOT_TOKEN_WORK=WORK)
    s.api.others[WORK] = BotApi(WORK)
    return run(s, test_bots)


if __name__ == "__main__":
    sys.exit(main())
