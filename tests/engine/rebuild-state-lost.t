# a lost state is rebuilt from packs, notes and the tree
recover: nanoclaw status > /dev/null 2>&1 || true
needs: gzip
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
$ gzip -c .nanoclaw/state.yaml > was; rm .nanoclaw/state.yaml
$ nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw/base' exists, but '.nanoclaw/state.yaml' does not
>                       try: nanoclaw doctor --fix
> problem  state        '.nanoclaw/base' exists, but '.nanoclaw/state.yaml' does not
$! nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> warning  recovery     guess: the order of the skills: from the older state and the history
# But for the times of the last operation it is the same.
$ zcat was | diff - .nanoclaw/state.yaml | grep '^[<>]' | grep -v -e _at: -e last_updated: -e source
? 1
# A copy of it, wherever it is, is known by its hash.
$ rm .nanoclaw/state.yaml; zcat was > copy; nanoclaw -q doctor --fix; cmp copy .nanoclaw/state.yaml; rm copy
# Without the history.
$ rm -r .nanoclaw/state.yaml .nanoclaw/history; nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
$ zcat was | diff - .nanoclaw/state.yaml | grep '^[<>]' | grep -v -e _at: -e last_updated: -e source; rm was
$ nanoclaw -q status; nanoclaw -q verify; nanoclaw -q doctor
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
> 12 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill y, fa0fc7f3a693, now 49c888389a8f)
$ cat a.txt; nanoclaw --yes -q skill apply z; nanoclaw verify
> first
> x
> middle
> y
> last
> mine
> z 1.0.0 applied
> 17 files checked: all as recorded
