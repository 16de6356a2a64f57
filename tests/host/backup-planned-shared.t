# two installations that keep backups in one folder leave each other's alone
needs: sandbox
ignore: one two
-- due [755] --
#!/bin/sh
# A host for which a backup is due, until that is made or has failed.
cd $1; sed -i 's/"next": "..../"next": "2001/' store/backups/plan.json
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -oE "is made and proved|the backup has failed.*" log
rm log && nanoclaw stop >/dev/null
== run ==
$ mkdir ~/disk one; (cd one; nanoclaw -q group add slack:C1 Dev --folder dev; nanoclaw -q backup --every day --keep 1 ~/disk) >/dev/null 2>&1; cp -a one two; for i in one two one two; do ./due $i; done; ls ~/disk | wc -l; (cd one; nanoclaw doctor | grep -o '^ok *backups'; cd ../two; nanoclaw doctor | grep -o '^ok *backups')
> is made and proved
> is made and proved
> is made and proved
> is made and proved
> 2
> ok       backups
> ok       backups
