# a skill that was updated is merged out as a whole, and not down to the version before
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
new from x
two
three
four
five
six
SEVEN
eight
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ sed -i 's/^eight$/mine/' a.txt
$ sed -i -e '/new from x/d' -e 's/^four$/four\nnew from x/' skills/x/modify/a.txt
$ sed -i 's/^version: 1.0.0/version: 1.1.0/' skills/x/manifest.yaml
$ nanoclaw -q --yes skill update x
> x 1.1.0 (before: 1.0.0) applied
$! nanoclaw -q skill remove x
? 3
> x 1.1.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt
> one
> two
> three
> four
> five
> six
> <<<<<<< yours
> SEVEN
> mine
> ||||||| with x
> SEVEN
> eight
> =======
> seven
> eight
> >>>>>>> without x
$ nanoclaw abort
> everything is as it was before 'skill remove'
$ cat a.txt
> one
> two
> three
> four
> new from x
> five
> six
> SEVEN
> mine
== after ==
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
new from x
five
six
SEVEN
mine
-- skills/x/manifest.yaml --
skill: x
version: 1.1.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two
three
four
new from x
five
six
SEVEN
eight
