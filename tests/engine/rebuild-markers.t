# conflict markers while nothing is paused are named with their line, and stay
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
$ printf '<<<<<<< mine\nleft\n=======\nright\n>>>>>>> theirs\n' >> a.txt
$ nanoclaw -q doctor
> warning  markers      'a.txt' has conflict markers from line 7 on, and nothing is paused: merge the lines and remove the markers
$ rm -r .nanoclaw/state.yaml .nanoclaw/history; cp a.txt .nanoclaw/was; nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
> warning  markers      'a.txt' has conflict markers from line 7 on, and nothing is paused: merge the lines and remove the markers
$ cmp a.txt .nanoclaw/was
# Files used as the core have no markers, wherever they come from.
$ rm -r .nanoclaw/state.yaml .nanoclaw/history .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/objects; nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the core is 1.0.0, according to the tree
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
> warning  recovery     guess: the base is lost, and so is the list of its files: 2 of your files that no skill changes are used as the core, and 0 that only git has
> warning  recovery     guess: 'a.txt' of the core is lost: your file is used instead, including changes by skills
> warning  markers      'a.txt' has conflict markers from line 7 on, and nothing is paused: merge the lines and remove the markers
$ cmp a.txt .nanoclaw/was; cat .nanoclaw/base/a.txt; nanoclaw status; rm .nanoclaw/was
> first
> x
> middle
> y
> last
> mine
> left
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
