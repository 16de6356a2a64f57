# a folder that may not be written: a clear error, nothing changed
needs: setpriv
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/a.txt --
one
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt, src/a.txt]
-- skills/x/modify/src/a.txt --
ONE
-- skills/x/modify/b.txt --
B
== run ==
$ nanoclaw -q init
$ test $(id -u) != 0 || chown -R 65534 . ; chmod 555 src; chmod 755 .. 2>/dev/null; true
$ run() { if test $(id -u) = 0; then setpriv --reuid 65534 --clear-groups nanoclaw "$@"; else nanoclaw "$@"; fi; }; run skill apply x; echo $?; run skill apply x --dry-run; echo $?
> 1
> 1
2> error: cannot write to the folder 'src': permission denied
2> hint: everything is as it was before
2> error: cannot write to the folder 'src': permission denied
$ chmod 755 src; cat b.txt
> b
# Where nothing may be written, there is nothing to lock.
$ rm .nanoclaw/lock; chmod 555 .nanoclaw; run() { if test $(id -u) = 0; then setpriv --reuid 65534 --clear-groups nanoclaw "$@"; else nanoclaw "$@"; fi; }; run -q skill apply x --dry-run; echo $?; run skill apply x; echo $?; chmod 755 .nanoclaw
> 1
> 1
2> error: cannot write to the folder '.nanoclaw': permission denied
2> error: cannot create the folder 'tx' in '.nanoclaw': permission denied
2> hint: everything is as it was before
# --fix does not attempt impossible repairs.
$ chmod 0 .nanoclaw; run() { if test $(id -u) = 0; then setpriv --reuid 65534 --clear-groups nanoclaw "$@"; else nanoclaw "$@"; fi; }; run doctor | grep -A1 "^problem  interrupted"; run doctor --fix | grep -A1 "^problem  interrupted"; chmod 755 .nanoclaw
> problem  interrupted  cannot open '.nanoclaw': permission denied
>                       try: chmod -R u+rwX .nanoclaw
> problem  interrupted  cannot open '.nanoclaw': permission denied
>                       try: chmod -R u+rwX .nanoclaw
