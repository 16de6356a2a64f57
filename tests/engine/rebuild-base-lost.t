# a lost base comes back by its hashes, and where these are not to be found, from the tree
recover: nanoclaw status > /dev/null 2>&1 || true
needs: tar gzip
unlisted: .nanoclaw a.txt b.txt n.txt z.txt
-- VERSION --
1.0.0
-- a.txt --
first
middle
last
-- b.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
modifies: [a.txt]
-- skills/x/add/n.txt --
new
-- skills/x/modify/a.txt --
first
x
middle
last
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
modifies: [a.txt, n.txt]
-- skills/y/modify/a.txt --
first
middle
y
last
-- skills/y/modify/n.txt --
new
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
-- skills/z/add/z.txt --
z
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$ nanoclaw -q customize start louder; echo two >> b.txt; nanoclaw -q customize commit
> recorded as 001-louder
$ echo mine >> a.txt
$ cp a.txt a.was; tar czf kept .nanoclaw; rm -r .nanoclaw/base
# The history has the core's 'a.txt'.
$! nanoclaw -q doctor --fix
$ cmp a.txt a.was; nanoclaw -q verify; nanoclaw -q doctor; cat .nanoclaw/base/b.txt
> 12 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill y, fa0fc7f3a693, now 49c888389a8f)
> one
$ rm -r .nanoclaw; tar xf kept; rm -r .nanoclaw/base .nanoclaw/history
# The core's 'a.txt' is lost: the file used in its place contains the skills' lines.
$! nanoclaw -q doctor --fix
> warning  recovery     guess: 'a.txt' of the core is lost: your file is used instead, including changes by skills
$ cmp a.txt a.was; nanoclaw -q verify; nanoclaw -q doctor; cat .nanoclaw/base/b.txt
> 12 files checked: all as recorded
> one
$ nanoclaw --yes -q skill apply z; cmp a.txt a.was
> z 1.0.0 applied
# Neither the base, nor its list, nor the state.
$ rm -r .nanoclaw z.txt; tar xf kept; rm -r .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/history
$ nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the core is 1.0.0, according to the tree
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
> warning  recovery     guess: the base is lost, and so is the list of its files: 4 of your files that no skill changes are used as the core, and 0 that only git has
> warning  recovery     guess: 'a.txt' of the core is lost: your file is used instead, including changes by skills
$ cmp a.txt a.was; nanoclaw -q verify; nanoclaw -q doctor
> 16 files checked: all as recorded
$ nanoclaw --yes -q skill apply z; cmp a.txt a.was; rm kept a.was
> z 1.0.0 applied
