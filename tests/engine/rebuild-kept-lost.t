# packs, patches and contents that are lost come back from packages, hashes and each other
unlisted: .nanoclaw skills a.txt b.txt n.txt z.txt
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
$ rm -r .nanoclaw/objects; echo garbage > .nanoclaw/applied/x
$ nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw/applied/x' is damaged; '.nanoclaw/objects/2c/8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806' is missing; '.nanoclaw/objects/c3/f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8' is missing; 'a.txt' is lost; 'b.txt' is lost
>                       try: nanoclaw doctor --fix
> problem  kept         files in '.nanoclaw' are damaged: 5 ('nanoclaw verify' shows them)
>                       try: nanoclaw doctor --fix
$! nanoclaw -q doctor --fix
$ nanoclaw verify; nanoclaw -q doctor
> 12 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill y, fa0fc7f3a693, now 49c888389a8f)
$ echo garbage > .nanoclaw/custom/001-louder.patch
$ nanoclaw -q doctor --fix
$ tail -n 3 .nanoclaw/custom/001-louder.patch; nanoclaw -q doctor
> @@ -1 +1,2 @@
>  one
> +two
# An unknown patch and an unknown pack.
$ cp .nanoclaw/custom/001-louder.patch .nanoclaw/custom/002-stray.patch; cp .nanoclaw/applied/x .nanoclaw/applied/w
$ nanoclaw -q doctor --fix
> warning  recovery     guess: patch '002-stray': its description and place are unknown: it comes last
> warning  recovery     lost: patch '002-stray' is no longer recorded; its changes count as yours: the files below it already have its change
$ ls .nanoclaw/applied .nanoclaw/custom; nanoclaw -q doctor
> .nanoclaw/applied:
> x
> y
>
> .nanoclaw/custom:
> 001-louder.md
> 001-louder.patch
# A skill whose pack and package are both gone: its lines are the person's from now on.
$ rm -r .nanoclaw/applied/y skills/y
$ nanoclaw -q doctor --fix
> warning  recovery     lost: skill 'y' 1.0.0: neither its pack nor a matching package was found; its changes stay in your files, and count as yours
$ cat a.txt; nanoclaw status; nanoclaw -q doctor
> first
> x
> middle
> y
> last
> mine
> core 1.0.0
>   x 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
>   edited    n.txt
