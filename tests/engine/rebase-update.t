# a newer version of a flattened skill is merged with the version that was applied
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
middle
end
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
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, x.txt]
depends: [x]
-- skills/z/modify/a.txt --
zero
one
two
three
four
five
six
seven
-- skills/z/modify/x.txt --
top
x 1.1
middle
end
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null; sed -i '/^<<<<<<</,/^>>>>>>>/c two x and y' a.txt; nanoclaw -q continue; nanoclaw -q resolution record; ls .nanoclaw/resolutions
> x 1.0.0 applied
> y 1.0.0 applied
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
> x@1.0.0+y@1.0.0
$ nanoclaw -q customize start 'louder seven'; sed -i 's/seven/SEVEN/' a.txt; echo new > mine.txt; nanoclaw -q customize commit
> recorded as 001-louder-seven
$ echo edited >> plain.txt; echo and x >> x.txt; nanoclaw -q --yes rebase
> rebased onto core 1.0.0; your files stayed as they are
$ sed -i 's/^version: 1.0.0/version: 1.1.0/' skills/x/manifest.yaml; sed -i 's/^x$/x 1.1/' skills/x/add/x.txt; sed -i 's/four/four x 1.1/' skills/x/modify/a.txt
$! nanoclaw skill update x
> x 1.1.0 (before: 1.0.0) applied
>   merged    x.txt
>   merged    a.txt
$ cat a.txt x.txt; nanoclaw status; nanoclaw verify; nanoclaw diff --by
> one
> two x and y
> three
> four x 1.1
> five
> six
> SEVEN
> x 1.1
> middle
> end
> and x
> core 1.0.0
>   x 1.1.0
>   y 1.0.0
> 22 files checked: all as recorded
> a.txt
> core            1  one
> you (resolved)  2  two x and y
> core            3  three
> x               4  four x 1.1
> core            5  five
>                 6  six
> baked           7  SEVEN
>   4 core, 1 skill x, 1 patch baked, 1 you (resolved)
>
> mine.txt
> baked  1  new
>   1 patch baked
>
> plain.txt
> core   1  core
> baked  2  edited
>   1 core, 1 patch baked
>
> x.txt
> x      1  x 1.1
>        2  middle
>        3  end
> baked  4  and x
>   3 skill x, 1 patch baked
$ cp a.txt a; cp x.txt b; nanoclaw -q skill apply z; cat a.txt x.txt; nanoclaw -q skill remove z; cmp a a.txt && cmp b x.txt; nanoclaw status; nanoclaw verify
> z 1.0.0 applied
> zero
> one
> two x and y
> three
> four x 1.1
> five
> six
> SEVEN
> top
> x 1.1
> middle
> end
> and x
> z 1.0.0 removed
> core 1.0.0
>   x 1.1.0
>   y 1.0.0
> 22 files checked: all as recorded
$ sed -i 's/^version: 1.1.0/version: 1.2.0/' skills/x/manifest.yaml; sed -i 's/seven/seven x 1.2/' skills/x/modify/a.txt
$ nanoclaw -q skill update x; sed -i '/^<<<<<<</,/^>>>>>>>/c SEVEN x 1.2' a.txt; nanoclaw -q continue
> x 1.2.0 (before: 1.1.0) paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> x 1.2.0 (before: 1.1.0) applied
$ cat a.txt; cp a.txt a; nanoclaw -q skill apply z; cat a.txt x.txt; nanoclaw -q skill remove z; cmp a a.txt && cmp b x.txt; nanoclaw status; nanoclaw verify
> one
> two x and y
> three
> four x 1.1
> five
> six
> SEVEN x 1.2
> z 1.0.0 applied
> zero
> one
> two x and y
> three
> four x 1.1
> five
> six
> SEVEN x 1.2
> top
> x 1.1
> middle
> end
> and x
> z 1.0.0 removed
> core 1.0.0
>   x 1.2.0
>   y 1.0.0
> 22 files checked: all as recorded
