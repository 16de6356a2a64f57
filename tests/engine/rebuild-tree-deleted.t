# files missing from the tree are reported, and restored only on request
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
$ rm -r .nanoclaw/state.yaml .nanoclaw/history a.txt n.txt
$ nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
> warning  deleted      files of the core, skills or patches are missing from the tree: 'a.txt', 'n.txt'; they can be restored
>                       try: nanoclaw doctor --fix --yes
$ ls; nanoclaw status
> VERSION
> b.txt
> skills
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   deleted   a.txt
>   deleted   n.txt
$! nanoclaw --yes -q doctor --fix
$ cat a.txt n.txt; nanoclaw -q doctor
> first
> x
> middle
> y
> last
> new
> y
