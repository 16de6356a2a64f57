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


def make_certificate(folder, name, authority, host, expired=False):
    with open(folder + "/extensions", "w") as file:
        file.write("subjectAltName=%s\n" % host)
    request = folder + "/%s.csr" % name
    openssl("req", *NEW_KEY, "-subj", "/CN=" + name,
            "-keyout", folder + "/%s.key" % name, "-out", request)
    signer = (folder + "/%s.pem" % authority, folder + "/%s.key" % authority)
    where = ("-extfile", folder + "/extensions", "-out", folder + "/%s.pem" % name)
    if not expired:
        openssl("x509", "-req", "-in", request, "-days", "2", "-CA", signer[0],
                "-CAkey", signer[1], "-CAcreateserial", *where)
        return
    # Only `ca` takes dates in every version of openssl.
    with open(folder + "/ca.conf", "w") as file:
        file.write("[ca]\ndefault_ca=it\n[it]\ndatabase=%s/issued\nnew_certs_dir=%s\n"
                   "rand_serial=yes\ndefault_md=sha256\npolicy=any\n[any]\n"
                   "commonName=supplied\n" % (folder, folder))
    open(folder + "/issued", "w").close()
    openssl("ca", "-batch", "-notext", "-config", folder + "/ca.conf", "-in", request,
            "-startdate", "20200101000000Z", "-enddate", "20200102000000Z",
            "-cert", signer[0], "-keyfile", signer[1], *where)
