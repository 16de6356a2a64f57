"""Certificates for tests, made by openssl: FOLDER/NAME.pem and FOLDER/NAME.key."""

import subprocess

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_authority(folder, name):
    openssl("req", "-x509", *NEW_KEY, "-days", "2", "-subj", "/CN=" + name,
            "-keyout", folder + "/%s.key" % name, "-out", folder + "/%s.pem" % name)


def make_self_signed(folder, name, host):
    openssl("req", "-x509", *NEW_KEY, "-days", "2", "-subj", "/CN=" + name,
            "-addext", "subjectAltName=" + host,
            "-keyout", folder + "/%s.key" % name, "-out", folder + "/%s.pem" % name)


def make_certificate(folder, name, authority, host, days=2):
    """With days=-1 it has expired."""
    with open(folder + "/extensions", "w") as file:
        file.write("subjectAltName=%s\n" % host)
    openssl("req", *NEW_KEY, "-subj", "/CN=" + name,
            "-keyout", folder + "/%s.key" % name, "-out", folder + "/%s.csr" % name)
    openssl("x509", "-req", "-in", folder + "/%s.csr" % name, "-days", str(days),
            "-CA", folder + "/%s.pem" % authority, "-CAkey", folder + "/%s.key" % authority,
            "-CAcreateserial", "-extfile", folder + "/extensions",
            "-out", folder + "/%s.pem" % name)
