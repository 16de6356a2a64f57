# the remains of a pause or an operation that can be neither finished nor undone are moved away
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
$ sed -i 's/^one/ONE/' b.txt; mkdir -p skills/c/modify; printf 'skill: c\nversion: 1.0.0\ncore_version: 1.0.0\nmodifies: [b.txt]\n' > skills/c/manifest.yaml; echo uno > skills/c/modify/b.txt
$ nanoclaw -q skill apply c --on-drift continue; rm -r skills/c
> c 1.0.0 paused
>
> To resolve:
>   b.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
# A pause that is whole is left alone.
$ nanoclaw -q doctor --fix
> warning  pending      'skill apply' is paused, with 1 to resolve ('nanoclaw abort' undoes it)
>                       try: nanoclaw continue
$ rm -r .nanoclaw/backup/saved; cp b.txt was
$ nanoclaw -q status
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
>
> 'skill apply' is paused; to resolve:
>   b.txt  (c)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/backup' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/backup': look there for the old files
> warning  markers      'b.txt' has conflict markers from line 1 on, and nothing is paused: merge the lines and remove the markers
$ cmp b.txt was; nanoclaw -q status; ls .nanoclaw/kept/.nanoclaw
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
>   edited    b.txt
> backup
$ mkdir .nanoclaw/tx; echo half > .nanoclaw/tx/journal
$ nanoclaw -q status
? 2
2> error: cannot undo an operation that was interrupted: the journal is incomplete
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ nanoclaw -q doctor --fix
> warning  interrupted  cannot undo an operation that was interrupted: the journal is incomplete
> warning  recovery     lost: '.nanoclaw/tx' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/tx': look there for the old files
> warning  markers      'b.txt' has conflict markers from line 1 on, and nothing is paused: merge the lines and remove the markers
$ cmp b.txt was; nanoclaw -q status; rm was
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   001-louder (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
>   edited    b.txt
