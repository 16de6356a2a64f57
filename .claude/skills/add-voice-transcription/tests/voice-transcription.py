"""voice-transcription.py NANOCLAW [CHATS MESSAGES KILLS …]: the reader of voice messages in a real host: with
pocketsphinx, which hears what espeak-ng says, and with a server on loopback. In TAP."""

import email
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../../tests/shipped"))

import reading
import tap

SCRIPT = os.path.join(HERE, "../add/tools/transcribe-pocketsphinx")
GRAMMAR = ("#JSGF V1.0; grammar notes;"
           " public <note> = ( remember | forget ) the ( milk | bread | doctor );\n")
VOICE = {"kind": "voice", "type": "audio/ogg"}
SOUND = (b"OggS and so on", VOICE)
FILE = (SOUND[0], {"kind": "audio", "type": "audio/ogg"})


def speech(words, kind):
    with tempfile.TemporaryDirectory() as folder:
        said, converted = (os.path.join(folder, name) for name in ("said.wav", "voice." + kind))
        subprocess.run(["espeak-ng", "-w", said, words], check=True)
        subprocess.run(["sox", said, "-C", "6", converted], check=True)
        with open(converted, "rb") as file:
            return file.read()


def test_pocketsphinx(chat):
    chat.start()
    chat.group("a")
    tap.result(chat.ask("it was not set", SOUND) == [(None, None)], "without a setting nobody listens")
    _, output = chat.host.run("doctor")
    tap.result("neither TRANSCRIBE nor TRANSCRIBE_URL is set" in output, "doctor says so", output)
    if why := reading.needs("espeak-ng", "sox", "pocketsphinx_continuous"):
        tap.skip("pocketsphinx hears what espeak-ng says", why)
        return
    os.mkdir(os.path.join(chat.host.root, "tools"))
    with open(SCRIPT, "rb") as file:
        chat.host.write_file("tools/hear", file.read())
    os.chmod(os.path.join(chat.host.root, "tools/hear"), 0o755)
    chat.host.write_file("notes.gram", GRAMMAR.encode())
    chat.restart(TRANSCRIBE="tools/hear -jsgf %s/notes.gram" % chat.host.root)
    for words, kind in (("remember the milk", "wav"), ("remember the doctor", "ogg")):
        number = chat.say("", (speech(words, kind), {**VOICE, "type": "audio/" + kind}))
        answer = chat.answer("Noted: " + words.split(" ", 1)[1])
        tap.result(answer, "pocketsphinx hears what espeak-ng says, and the agent does it (%s)" % kind)
        tap.result(chat.texts(number) == [(words, None)], "which is stored", chat.texts(number))
    (text, why), = chat.ask("the noise", SOUND)
    tap.result(text is None and "'hear' failed" in why, "noise has a reason", why)
    _, output = chat.host.run("doctor")
    tap.result("files are read by 'tools/hear'" in output, "doctor finds the program", output)


def test_server(chat):
    server = reading.Server((503, {}), (429, {}), (200, {"text": "remember the bread"}))
    chat.restart(TRANSCRIBE_URL=server.url + "/", TRANSCRIBE_KEY="secret", TRANSCRIBE_MODEL="large")
    chat.say("", SOUND)
    tap.result(chat.answer("Noted: the bread"), "a server that is busy at first is asked again")
    path, headers, body = server.requests[-1]
    parts = email.message_from_bytes(
        b"content-type: " + headers["content-type"].encode() + b"\n\n" + body).get_payload()
    form = {part.get_param("name", header="content-disposition"): part for part in parts}
    tap.result(path == "/v1/audio/transcriptions" and headers["authorization"] == "Bearer secret" and
               form["model"].get_payload().strip() == "large" and
               form["file"].get_payload(decode=True).startswith(SOUND[0]) and
               form["file"].get_filename().endswith(".ogg"),
               "the request is OpenAI's: a form with the file and the model", body)
    number = chat.say("remember what is written.", SOUND)
    chat.answer("what is written.")
    tap.result(chat.texts(number)[0][0] == "remember the bread", "words may come with a recording")
    for reply, why in (((401, {}), "status 401"), ((200, {"error": "none"}), "has no text"),
                       ((200, b"<html>"), "has no text"), ((200, {"text": "  "}), "no text was found")):
        server.replies = [reply]
        (text, reason), = chat.ask("reply %d %s" % (len(server.requests), why), SOUND)
        tap.result(text is None and why in reason, "an answer without a text is the reason: " + why,
                   reason)
    _, output = chat.host.run("doctor")
    tap.result("the server answers" in output, "doctor asks the server", output)
    server.replies = [(500, {})]
    (text, reason), = chat.ask("the end of it", SOUND)
    tap.result("status 500" in reason, "a server that stays broken is given up", reason)
    chat.restart(TRANSCRIBE_URL=server.url, TRANSCRIBE_KEY="wrong")
    _, output = chat.host.run("doctor")
    tap.result("the server refuses it (status 401)" in output, "doctor says what the server refuses",
               output)
    log = "\n".join(chat.host.log) + output
    tap.result("secret" not in log, "no line of the log has the key")


def main():
    size = tuple(map(int, sys.argv[3:5])) or (12, 3)
    kills = {"TRANSCRIBE": "sed s/OggS/heard/"}
    return reading.run(reading.Chat(sys.argv[1]), test_pocketsphinx, test_server,
                       lambda chat: reading.test_programs(chat, "TRANSCRIBE", FILE),
                       lambda chat: reading.test_kills(chat, kills, SOUND, "heard", *size))


if __name__ == "__main__":
    sys.exit(main())
