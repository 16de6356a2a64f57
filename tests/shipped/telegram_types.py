"""telegram_types.py NANOCLAW: requests of the channel 'telegram', and answers of bot_api.py, have the types
of the npm package @grammyjs/types. The tests of add-telegram run, and TypeScript reads the
recorded calls and updates as literals of these types. In TAP."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-telegram/tests"))

import telegram
from telegram import tap
from typescript import check

UNDEFINED = "this is undefined"
TESTS = (telegram.test_first_message, telegram.test_markup, telegram.test_mentions,
         telegram.test_references, telegram.test_files, telegram.test_edits, telegram.test_moves)


def plain(parameters):
    """A form has only texts, and a file is a text to the types."""
    for name, value in parameters.items():
        if isinstance(value, tuple):
            parameters[name] = value[0]
        elif name in ("reply_parameters", "message_thread_id") and isinstance(value, str):
            parameters[name] = json.loads(value)
    return parameters


def literals(api):
    yield 'import type { ApiMethods, Update } from "@grammyjs/types";'
    yield "type Call<M extends keyof ApiMethods<string>> ="
    yield "  NonNullable<Parameters<ApiMethods<string>[M]>[0]>;"
    for number, call in enumerate(api.calls):
        if call["parameters"]:
            yield 'export const call%d: Call<"%s"> = %s;' % (
                number, call["method"], json.dumps(plain(call["parameters"])))
    for update in api.told:
        for message in update.values():
            # The types want it said that there is no further one.
            if isinstance(message, dict) and "reply_to_message" in message:
                message["reply_to_message"]["reply_to_message"] = UNDEFINED
        yield "export const update%d: Update = %s;" % (
            update["update_id"],
            json.dumps(update).replace('"%s"' % UNDEFINED, "undefined"))


def main():
    setup = telegram.Setup(sys.argv[1])
    try:
        setup.start()
        for test in TESTS:
            test(setup)
        lines = list(literals(setup.api))
    finally:
        setup.close()
    wrong = next(line for line in lines if '"text"' in line).replace('"text"', '"texts"')
    done = check(os.environ["NODE_MODULES"], lines, re.sub(r"const \w+", "const wrong", wrong))
    tap.result(done.returncode == 0, "calls and updates have Telegram's types, and a wrong name would "
               "be noticed", done.stdout)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
