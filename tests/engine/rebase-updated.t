# after an update of a skill, a rebase leaves the lines of others to them
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
eight
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
x
two
three
four
five
six
seven
eight
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two
three
four
y
five
six
seven
eight
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$ nanoclaw -q customize start mine; sed -i 's/eight/& mine/' a.txt; nanoclaw -q customize commit
> recorded as 001-mine
$ sed -i 's/1\.0\.0/2.0.0/; s/core_version: .*/core_version: 1.0.0/' skills/x/manifest.yaml; sed -i 's/^x$/x two/' skills/x/modify/a.txt; nanoclaw -q skill update
> y 1.0.0 is already applied
> x 2.0.0 (before: 1.0.0) applied
$! nanoclaw --yes -q rebase
> rebased onto core 1.0.0; your files stayed as they are
$ nanoclaw diff --by
> a.txt
> core    1  one
> x       2  x two
> core    3  two
>         4  three
>         5  four
> y       6  y
> core    7  five
>         8  six
>         9  seven
> baked  10  eight mine
>   7 core, 1 skill x, 1 skill y, 1 patch baked
$! nanoclaw -q skill remove x --flattened
> x 2.0.0 removed
# The squashed changes give the current file.
$ grep -c "after: $(sha256sum a.txt | cut -d' ' -f1)" .nanoclaw/state.yaml
> 1
$ nanoclaw verify
> 9 files checked: all as recorded
== after ==
-- a.txt --
one
two
three
four
y
five
six
seven
eight mine
-- skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
x two
two
three
four
five
six
seven
eight
