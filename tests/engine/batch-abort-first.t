# abort of what also made the base leads back to a tree without any
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n]
-- skills/x/add/n --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
modifies: [n, a.txt]
-- skills/y/modify/n --
y
-- skills/y/modify/a.txt --
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/z/modify/a.txt --
z
== run ==
$ nanoclaw skill apply x y z
? 3
> x 1.0.0 paused
>   added     n
> y 1.0.0 paused
>   merged    n
>   merged    a.txt
> z 1.0.0 paused
>   CONFLICT  a.txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw skill apply x
? 4
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ nanoclaw init
? 2
2> error: '[dir]' is already initialized
2> hint: 'nanoclaw status' shows its state
$! nanoclaw abort
> everything is as it was before 'skill apply'
