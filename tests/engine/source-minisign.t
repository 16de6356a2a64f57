# a signature of minisign is checked: good, of another key, of another archive, and one that is missing
needs: minisign tar
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
ignore: *.tar.gz *.minisig keys keys/*
-- p/VERSION --
1.0.0
-- x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- x/add/x.txt --
x
== run ==
$ mkdir keys; for k in a b; do minisign -G -W -p keys/$k.pub -s keys/$k > /dev/null; done; tar -czf x.tar.gz x; cp x.tar.gz none.tar.gz; minisign -S -s keys/a -m x.tar.gz < /dev/null
$ cd p; nanoclaw -q skill apply ../x.tar.gz --key ../keys/a.pub; nanoclaw -v status 2>/dev/null | grep -o 'signed by .*)'; nanoclaw -q undo
> x 1.0.0 applied
> signed by ../keys/a.pub)
$ cd p; nanoclaw skill apply ../x.tar.gz --key ../keys/b.pub 2>&1 | head -n 1 | cut -c 1-48; nanoclaw skill apply ../none.tar.gz --key ../keys/a.pub 2>&1 | cut -c 1-64
> error: '../x.tar.gz': the signature is invalid:
> error: '../none.tar.gz': the archive has no signature for this k
# Another archive with the same signature.
$ printf 'y' >> x/add/x.txt; tar -czf x.tar.gz x; printf 'x\n' > x/add/x.txt; cd p; nanoclaw skill apply ../x.tar.gz --key ../keys/a.pub
? 2
2> error: '../x.tar.gz': the signature is invalid
