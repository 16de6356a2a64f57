# 'conflict take' writes the same bytes as the letters of the walk, also at the end of a file
needs: script
ignore: **
-- VERSION --
1.0.0
-- dos [crlf] --
1
2
-- bare --
1
-- full [no-newline] --
1
-- two --
1
2
3
4
5
-- logo [hex] --
00 01
-- gone --
1
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: gone}]
modifies: [dos, bare, full, two, logo]
-- skills/x/modify/dos [crlf] --
skill 1
2
-- skills/x/modify/bare [no-newline] --
skill 1
-- skills/x/modify/full --
skill 1
-- skills/x/modify/two --
skill 1
2
3
4
skill 5
-- skills/x/modify/logo [hex] --
00 02
-- compare [755] --
#!/bin/sh
# Resolve two copies of the paused project: one with letters, the other with commands.
whole=$1
case $1 in both*) whole=theirs ;; esac
cp -a project walked && cp -a project taken
(cd walked && printf '%s\n' $2 | ../walk nanoclaw continue >/dev/null)
cd taken
for file in dos bare full two; do nanoclaw conflict take $file $1; done
for file in gone logo; do nanoclaw conflict take $file $whole; done
cd .. && diff -r -x .nanoclaw walked taken && grep -rl '<<<' taken
rm -rf walked taken
== run ==
$ mkdir project && mv VERSION dos bare full two logo gone skills project
$ cd project && nanoclaw -q init
$ cd project && printf 'my 1\r\n2\r\n' > dos && echo my 1 > bare && printf 'my 1' > full
$ cd project && sed -i 's/[15]/my &/' two && printf '\0\3' > logo && echo mine >> gone
$ cd project && nanoclaw -q skill apply --on-drift continue x
? 3
> ...
$ nanoclaw -C project conflict list
> file  kind      state  hunks  skill
> gone  deletion  kept       -  x
> dos   text      open       1  x
> bare  text      open       1  x
> full  text      open       1  x
> two   text      open       2  x
> logo  binary    open       -  x
$ ./compare ours 'k o o o o o o n'
$ ./compare theirs 'd t t t t t t n'
$ ./compare both 'd b b b b b t n'
$ ./compare both-theirs-first 'd B B B B B t n'
