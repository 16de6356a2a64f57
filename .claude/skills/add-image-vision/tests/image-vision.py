"""image-vision.py NANOCLAW [CHATS MESSAGES KILLS …]: the reader of images in a real host: with tesseract, and
with a server on loopback. In TAP."""

import base64
import json
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../../tests/shipped"))

import reading
import tap

# The letters of a sign, as dots; tesseract makes mistakes with most others.
LETTERS = {"T": "11111 00100 00100 00100 00100 00100 00100",
           "E": "11111 10000 10000 11110 10000 10000 11111",
           "X": "10001 10001 01010 00100 01010 10001 10001"}
SCALE = 3


def png(words):
    """Black letters on white."""
    rows = []
    for y in range(7 + 4):
        dots = "00"
        for letter in words:
            dots += (LETTERS[letter].split()[y - 2] if 2 <= y < 9 else "00000") + "0"
        row = b"".join((b"\0" if dot == "1" else b"\xff") * SCALE for dot in dots + "00")
        rows += [b"\0" + row] * SCALE

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", len(rows[0]) - 1, len(rows), 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(rows))) +
            chunk(b"IEND", b""))


SIGN = (png("TEXT"), {"kind": "image", "name": "sign.png", "type": "image/png"})


def test_tesseract(chat):
    chat.start()
    chat.group("a")
    tap.result(chat.ask("it was not set", SIGN) == [(None, None)], "without a setting nobody looks")
    if why := reading.needs("tesseract"):
        tap.skip("tesseract reads a sign", why)
        return
    chat.restart(DESCRIBE_IMAGES="tesseract stdin stdout --psm 7")
    (text, why), = chat.ask("the sign", SIGN)
    tap.result(text == "TEXT", "tesseract reads a sign", (text, why))
    (text, why), = chat.ask("the fake", (b"\x89PNG and nothing else", SIGN[1]))
    tap.result(text is None and "'tesseract' failed" in why, "a broken image has a reason", why)
    stickers = chat.ask("the sticker", (SIGN[0], {**SIGN[1], "kind": "sticker"}))
    tap.result(stickers == [(None, None)], "stickers are left alone", stickers)


def test_server(chat):
    said = {"choices": [{"message": {"role": "assistant", "content": "A sign: TEXT"}}]}
    server = reading.Server((502, b"bad gateway"), (200, said))
    chat.restart(DESCRIBE_IMAGES_URL=server.url, DESCRIBE_IMAGES_KEY="secret",
                 DESCRIBE_IMAGES_MODEL="eyes")
    tap.result(chat.ask("the view", SIGN) == [("A sign: TEXT", None)],
               "a server that fails at first is asked again")
    path, headers, body = server.requests[-1]
    request = json.loads(body)
    text, image = request["messages"][0]["content"]
    tap.result(path == "/v1/chat/completions" and headers["authorization"] == "Bearer secret" and
               request["model"] == "eyes" and text["type"] == "text" and
               image == {"type": "image_url", "image_url": {
                   "url": "data:image/png;base64," + base64.b64encode(SIGN[0]).decode()}},
               "the request is OpenAI's: a question with the image", request)
    for reply, why in (((400, {"error": {}}), "status 400"), ((200, {"choices": []}), "has no text")):
        server.replies = [reply]
        (text, reason), = chat.ask("reply %d" % reply[0], SIGN)
        tap.result(text is None and why in reason, "an answer without a text is the reason: " + why,
                   reason)


def main():
    size = tuple(map(int, sys.argv[3:5])) or (12, 3)
    kills = {"DESCRIBE_IMAGES": "sed -n 1s/.*PNG.*/seen/p"}
    return reading.run(reading.Chat(sys.argv[1]), test_tesseract, test_server,
                       lambda chat: reading.test_programs(chat, "DESCRIBE_IMAGES", SIGN),
                       lambda chat: reading.test_kills(chat, kills, SIGN, "seen", *size))


if __name__ == "__main__":
    sys.exit(main())
