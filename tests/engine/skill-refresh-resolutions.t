# raised versions take along the resolutions of conflicts that are the same, and only those
ignore: *
-- VERSION --
0.1.0
-- f --
one
two
3
4
5
6
seven
-- g --
g
-- h --
1
2
3
4
five
-- data/new/VERSION --
0.2.0
-- data/new/f --
one
two
3
4
5
6
SEVEN
-- data/new/g --
g
-- data/new/h --
1
2
3
4
FIVE
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 0.1.0
modifies:
  - f
  - g
  - h
-- skills/a/modify/f --
one
two a
3
4
5
6
seven
-- skills/a/modify/g --
g a
-- skills/a/modify/h --
1 a
2
3
4
five
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 0.1.0
modifies:
  - f
-- skills/b/modify/f --
one
two b
3
4
5
6
seven
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 0.1.0
modifies:
  - g
-- skills/c/modify/g --
g c
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 0.1.0
modifies:
  - h
-- skills/d/modify/h --
1 d
2
3
4
five
-- both.sh --
nanoclaw -q skill apply $1 >/dev/null; nanoclaw -q skill apply $2 >/dev/null
sed -i -e '/^<<<<<<</i '"$1 and $2" -e '/^<<<<<<</,/^>>>>>>>/d' $3
nanoclaw -q continue >/dev/null && nanoclaw resolution record --source maintainer --into .claude/resolutions
cp -r .claude/resolutions kept; nanoclaw -q undo; nanoclaw -q undo; nanoclaw -q undo; rm -rf .claude; mkdir .claude; mv kept .claude/resolutions
== run ==
$ nanoclaw -q init
$ sh both.sh a b f
> recorded in .claude/resolutions/a@1.0.0+b@1.0.0
$ sh both.sh a c g
> recorded in .claude/resolutions/a@1.0.0+c@1.0.0
$ sh both.sh a d h
> recorded in .claude/resolutions/a@1.0.0+d@1.0.0
# Without its preimage, a resolution fits only the same files.
$ rm -rf .nanoclaw/rr-cache .nanoclaw/hunks .claude/resolutions/a@1.0.0+d@1.0.0/h.preimage; nanoclaw -q --yes update data/new
> Core updated: 0.1.0 → 0.2.0
$! nanoclaw skill refresh --all --raise patch
> a 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   merged    f
>   as it is  g
>   merged    h
> b 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   merged    f
> c 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   as it is  g
> d 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   merged    h
2> warning: the resolution '.claude/resolutions/a@1.0.0+d@1.0.0' does not fit the new files, and stays as it is; 'nanoclaw matrix run' shows open conflicts
$ ls .claude/resolutions; cat .claude/resolutions/a@*+b@*/f.resolution; nanoclaw resolution list
> a@1.0.0+d@1.0.0
> a@1.0.1+b@1.0.1
> a@1.0.1+c@1.0.1
> one
> a and b
> 3
> 4
> 5
> 6
> SEVEN
> skills           files  source      tested  date        whose
> a@1.0.0+d@1.0.0      1  maintainer  no      2001-02-03  shipped
> a@1.0.1+b@1.0.1      1  maintainer  no      2001-02-03  shipped
> a@1.0.1+c@1.0.1      1  maintainer  no      2001-02-03  shipped
$ nanoclaw skill apply a b c
> a 1.0.1 applied
>   merged    f
>   merged    g
>   merged    h
> b 1.0.1 applied
>   resolved  f
> c 1.0.1 applied
>   resolved  g
$ cat f g
> one
> a and b
> 3
> 4
> 5
> 6
> SEVEN
> a and c
$ nanoclaw resolution check
? 2
> .claude/resolutions/a@1.0.0+d@1.0.0/meta.yaml:19:3: error: it is for a 1.0.0, and the package here is 1.0.1
> .claude/resolutions/a@1.0.0+d@1.0.0/meta.yaml:19:3: error: it is for d 1.0.0, and the package here is 1.0.1
> .claude/resolutions/a@1.0.0+d@1.0.0/meta.yaml:6:3: note: 'skill' of 'h' cannot be checked: a package is missing
> .claude/resolutions/a@1.0.0+d@1.0.0/meta.yaml:6:3: note: 'current' of 'h' cannot be checked here
> 3 folders checked: 2 errors, 0 warnings
$ nanoclaw -q undo; nanoclaw -q undo; ls .claude/resolutions .claude/resolutions/*c@*
> .claude/resolutions:
> a@1.0.0+b@1.0.0
> a@1.0.0+c@1.0.0
> a@1.0.0+d@1.0.0
>
> .claude/resolutions/a@1.0.0+c@1.0.0:
> g.preimage
> g.resolution
> meta.yaml
