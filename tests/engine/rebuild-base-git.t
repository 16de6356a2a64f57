# a lost base comes back from git, also from before the skills were committed; git is not touched
needs: git
unlisted: .nanoclaw a.txt b.txt n.txt .git
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
$ cp a.txt a.was; cp .nanoclaw/base/a.txt core
$ cp core a.txt; echo one > b.txt; mkdir kept; mv .nanoclaw n.txt kept
$ git init -q; git add VERSION a.txt b.txt; git commit -qm core
$ mv kept/.nanoclaw kept/n.txt .; cp a.was a.txt; printf 'one\ntwo\n' > b.txt; git add a.txt b.txt n.txt; git commit -qm skills
$ rm -r .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/history; find .git -type f | sort | xargs sha256sum > git.was
$ nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the core is 1.0.0, according to the tree
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
> warning  recovery     guess: the base is lost, and so is the list of its files: 5 of your files that no skill changes are used as the core, and 0 that only git has
> warning  recovery     guess: the core's 'a.txt' comes from git
$ cmp core .nanoclaw/base/a.txt; cmp a.txt a.was; find .git -type f | sort | xargs sha256sum | cmp - git.was
$ nanoclaw status; nanoclaw -q doctor; rm -r core kept a.was git.was
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
