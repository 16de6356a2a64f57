# the core version of a skill is the oldest core that it is for: exit 2, unless that is accepted
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.2.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one, y
== run ==
$ nanoclaw skill apply x
? 2
2> error: skill 'x' needs core 1.2.0 or newer, and this is 1.0.0
2> hint: set the version of the core with 'nanoclaw init --core-version', or apply it anyway with '--allow-older-core'
$ ls -A
> VERSION
> a.txt
> skills
$ nanoclaw -q init; nanoclaw skill apply x --dry-run
? 2
2> error: skill 'x' needs core 1.2.0 or newer, and this is 1.0.0
2> hint: update the core first, or apply it anyway with '--allow-older-core'
# Also in a batch, and where the operation pauses in between.
$ nanoclaw -q --yes skill apply y x
? 2
2> error: skill 'x' needs core 1.2.0 or newer, and this is 1.0.0
2> hint: update the core first, or apply it anyway with '--allow-older-core'
$ sed -i 's/one/one, mine/' a.txt; nanoclaw -q skill apply y x --allow-older-core --on-drift continue >/dev/null
? 3
$ echo both > a.txt; nanoclaw -q continue >/dev/null; echo all > a.txt; nanoclaw -q continue; nanoclaw -q undo; cat a.txt
> y 1.0.0 applied
> x 1.0.0 applied
> one, mine
$ echo one > a.txt
$ nanoclaw skill apply x --allow-older-core
> x 1.0.0 applied
>   merged    a.txt
2> warning: skill 'x' was written for core 1.2.0, and this core is older: 1.0.0
== after ==
-- a.txt --
ONE
