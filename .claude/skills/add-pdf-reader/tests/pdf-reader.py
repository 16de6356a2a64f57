"""pdf-reader.py NANOCLAW [CHATS MESSAGES KILLS …]: the reader of PDF files in a real host, with pdftotext.
In TAP."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../../tests/shipped"))

import reading
import tap


def pdf(*pages):
    """A file with a line of text on each page."""
    kids = " ".join("%d 0 R" % (4 + 2 * i) for i in range(len(pages)))
    objects = ["<</Type/Catalog/Pages 2 0 R>>",
               "<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids),
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for i, text in enumerate(pages):
        stream = "BT /F1 12 Tf 40 700 Td (%s) Tj ET" % text
        objects += ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R"
                    "/Resources<</Font<</F1 3 0 R>>>>>>" % (5 + 2 * i),
                    "<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)]
    out, places = "%PDF-1.4\n", []
    for i, text in enumerate(objects):
        places.append(len(out))
        out += "%d 0 obj\n%s\nendobj\n" % (i + 1, text)
    table = "".join("%010d 00000 n \n" % place for place in places)
    return (out + "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n"
            "%d\n%%%%EOF\n" % (len(objects) + 1, table, len(objects) + 1, len(out))).encode()


BILL = (pdf("Invoice 4711"), {"kind": "document", "name": "bill.pdf", "type": "application/pdf"})


def test_pdftotext(chat):
    chat.start()
    chat.group("a")
    if why := reading.needs("pdftotext"):
        tap.skip("pdftotext reads a file", why)
        return
    tap.result(chat.ask("the bill", BILL) == [("Invoice 4711", None)], "pdftotext reads a file")
    (text, _), = chat.ask("the name", (pdf("by name"), {"name": "SCAN.PDF"}))
    tap.result(text == "by name", "a name that ends in .pdf is enough", text)
    (text, _), = chat.ask("the book", (pdf(*["page %d " % i + "x" * 90 for i in range(300)]),
                                       BILL[1]))
    tap.result(text.startswith("page 0 x") and text.endswith("[the text goes on in the file]"),
               "of a long file it is the beginning", text[-100:])
    (text, why), = chat.ask("the fake", (b"%PDF-1.7 and nothing else", BILL[1]))
    tap.result(text is None and "'pdftotext' failed" in why, "a broken file has a reason", why)
    both = chat.ask("two of them", BILL, (b"plain", {"name": "a.txt", "type": "text/plain"}))
    tap.result(both == [("Invoice 4711", None), (None, None)], "other files are left alone", both)
    _, output = chat.host.run("doctor")
    tap.result("files are read by 'pdftotext'" in output, "doctor finds the program", output)


def main():
    size = tuple(map(int, sys.argv[3:5])) or (12, 3)
    kills = {"READ_PDF": "sed -n s/.*Tf.*.4711.*/4711/p"}
    return reading.run(reading.Chat(sys.argv[1]), test_pdftotext,
                       lambda chat: reading.test_programs(chat, "READ_PDF", BILL),
                       lambda chat: reading.test_kills(chat, kills, BILL, "4711", *size))


if __name__ == "__main__":
    sys.exit(main())
