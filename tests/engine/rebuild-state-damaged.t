# a damaged state is kept aside and made anew; one of a newer nanoclaw is left alone
# ending: the state is of a newer version
recover: nanoclaw status > /dev/null 2>&1 || true
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
$ sed -i 's/^core_version.*/core_version: [/' .nanoclaw/state.yaml; cp .nanoclaw/state.yaml was
$! nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> warning  recovery     guess: the order of the skills: from the older state and the history
$ cmp was .nanoclaw/kept/rebuilt/state.yaml; rm was
$ nanoclaw -q status; nanoclaw -q doctor
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
$ sed -i 's/^skills_system_version.*/skills_system_version: 9.0.0/' .nanoclaw/state.yaml; rm -r .nanoclaw/base; mkdir .nanoclaw/backup
$ nanoclaw -q doctor --fix
? 2
> problem  state        .nanoclaw/state.yaml:65:24: this project was last changed by a newer NanoClaw (9.0.0, here is 0.1.0)
$ ls -I index .nanoclaw
> applied
> backup
> base.sha256
> custom
> history
> kept
> lock
> objects
> state.yaml
