# a pack that lacks a file of its manifest is not whole, whichever file that is
unlisted: .nanoclaw a.txt b.txt
-- VERSION --
1.0.0
-- a.txt --
a
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
a
x
== run ==
$ sed -i 's/^modifies.*/&       /' skills/x/manifest.yaml; nanoclaw -q skill apply x
> x 1.0.0 applied
# The manifest in the pack lists a file that the pack lacks; its checksum is right.
$ cd .nanoclaw/applied; tail -n +2 x | sed 's/\[a.txt\]       $/[a.txt, b.txt]/' >body; { echo "nanoclaw-pack 1 $(sha256sum <body | cut -c 1-64)"; cat body; } >x; rm body; grep -a modifies x
> modifies: [a.txt, b.txt]
$ rm -r .nanoclaw/state.yaml .nanoclaw/history; nanoclaw doctor --fix | grep "skill 'x'"
> warning  recovery     guess: skill 'x' 1.0.0 is applied: its pack is lost, and its package is used
$ nanoclaw -q doctor; nanoclaw status
> core 1.0.0
>   x 1.0.0
== after ==
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]       
