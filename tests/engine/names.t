# names with spaces, quotes, a newline, a backslash and any Unicode
unlisted: .nanoclaw
ignore: new*line.txt skills/x/add/new*line.txt
-- VERSION --
1.0.0
-- src/a "b" 'c'.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds:
  - "new\nline.txt"
  - "back\\slash"
  - "grüße/🦀 .txt"
  - "-rf"
  - "$(touch x)"
modifies:
  - "src/a \"b\" 'c'.txt"
-- skills/x/modify/src/a "b" 'c'.txt --
ONE
-- skills/x/add/back\slash --
b
-- skills/x/add/grüße/🦀 .txt --
g
-- skills/x/add/-rf --
r
-- skills/x/add/$(touch x) --
t
== run ==
$ printf 'n\n' > "$(printf 'skills/x/add/new\nline.txt')"
$ nanoclaw skill apply x
> x 1.0.0 applied
>   added     'new\nline.txt'
>   added     'back\\slash'
>   added     grüße/🦀 .txt
>   added     -rf
>   added     $(touch x)
>   merged    'src/a "b" \'c\'.txt'
$ cat "$(printf 'new\nline.txt')"
> n
$ echo more >> "$(printf 'new\nline.txt')"
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    'new\nline.txt'
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [
>     "new\nline.txt"
>   ],
>   "driftDetails": [
>     {
>       "change": "edited",
>       "path": "new\nline.txt"
>     }
>   ],
>   "host": null,
>   "initialized": true,
>   "pending": null,
>   "skills": [
>     {
>       "name": "x",
>       "version": "1.0.0"
>     }
>   ],
>   "sources": [
>     {
>       "kind": "skill",
>       "name": "x",
>       "sha256": "c1bd15183e9252299051ed15781abefff83facee38bfb755f74dc055f7017ce7",
>       "source": "skills/x",
>       "version": "1.0.0"
>     }
>   ],
>   "success": true
> }
== after ==
-- $(touch x) --
t
-- -rf --
r
-- back\slash --
b
-- grüße/🦀 .txt --
g
-- src/a "b" 'c'.txt --
ONE
