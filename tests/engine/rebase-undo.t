# a rebase can be taken back: patches, resolutions and the right to remove a skill
unlisted: **
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
-- plain.txt --
core
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two x
three
four
five
six
seven
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two y
three
four
five
six
seven
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null; sed -i '/^<<<<<<</,/^>>>>>>>/c two x and y' a.txt; nanoclaw -q continue; nanoclaw -q resolution record; ls .nanoclaw/resolutions
> x 1.0.0 applied
> y 1.0.0 applied
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
> x@1.0.0+y@1.0.0
$ nanoclaw -q customize start 'louder seven'; sed -i 's/seven/SEVEN/' a.txt; echo new > mine.txt; nanoclaw -q customize commit
> recorded as 001-louder-seven
$ echo edited >> plain.txt; echo and x >> x.txt
$ find .nanoclaw -type f -not -path '*/history/*' -not -path '*/index' | sort | xargs sha256sum > before
$ nanoclaw -q --yes rebase
> rebased onto core 1.0.0; your files stayed as they are
$! nanoclaw undo
> 'rebase 001-louder-seven' is undone
$ find .nanoclaw -type f -not -path '*/history/*' -not -path '*/index' | sort | xargs sha256sum | diff before - && echo same
> same
$ nanoclaw --yes -q skill remove x
? 3
> x 1.0.0 paused
>
> To resolve:
>   x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt x.txt plain.txt; nanoclaw verify
> one
> two y
> three
> four
> five
> six
> SEVEN
> x
> and x
> core
> edited
> 18 files checked: all as recorded
