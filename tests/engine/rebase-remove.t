# a flattened skill is not removed as if it had never been there, one that came later is
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
-- plain.txt --
core
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two x
three
four
five
six
seven
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two y
three
four
five
six
seven
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
modifies: [a.txt]
-- skills/z/add/z.txt --
z
-- skills/z/modify/a.txt --
zero
one
two
three
four
five
six
seven
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null; sed -i '/^<<<<<<</,/^>>>>>>>/c two x and y' a.txt; nanoclaw -q continue; nanoclaw -q resolution record; ls .nanoclaw/resolutions
> x 1.0.0 applied
> y 1.0.0 applied
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
> x@1.0.0+y@1.0.0
$ nanoclaw -q customize start 'louder seven'; sed -i 's/seven/SEVEN/' a.txt; echo new > mine.txt; nanoclaw -q customize commit
> recorded as 001-louder-seven
$ echo edited >> plain.txt; echo and x >> x.txt
$ nanoclaw -q --yes rebase; cp a.txt before
> rebased onto core 1.0.0; your files stayed as they are
$ nanoclaw -q skill apply z
> z 1.0.0 applied
$ nanoclaw skill remove x
? 2
2> error: skill 'x' was flattened by a rebase (2001-02-03) and cannot be removed as if it had never been applied
2> hint: while the rebase is in the history ('nanoclaw undo --list'), undo it and remove the skill then; or type 'nanoclaw skill remove x --flattened', which merges its part out of your files as they are and stops where it cannot be told apart
$ nanoclaw --json skill remove y
? 2
> {
>   "error": "skill 'y' was flattened by a rebase (2001-02-03) and cannot be removed as if it had never been applied",
>   "hint": "while the rebase is in the history ('nanoclaw undo --list'), undo it and remove the skill then; or type 'nanoclaw skill remove y --flattened', which merges its part out of your files as they are and stops where it cannot be told apart",
>   "success": false
> }
2> error: skill 'y' was flattened by a rebase (2001-02-03) and cannot be removed as if it had never been applied
2> hint: while the rebase is in the history ('nanoclaw undo --list'), undo it and remove the skill then; or type 'nanoclaw skill remove y --flattened', which merges its part out of your files as they are and stops where it cannot be told apart
$! nanoclaw skill remove z
> z 1.0.0 removed
>   merged    a.txt
>   removed   z.txt
$ cmp a.txt before && nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
> 22 files checked: all as recorded
$! nanoclaw skill remove y --flattened
> y 1.0.0 removed
>   merged    a.txt
$ cat a.txt; nanoclaw status; nanoclaw verify
> one
> two x
> three
> four
> five
> six
> SEVEN
> core 1.0.0
>   x 1.0.0
> 19 files checked: all as recorded
$ nanoclaw skill remove x --flattened; cat a.txt x.txt; nanoclaw status
> x 1.0.0 paused
>   merged    a.txt
>   DECISION  x.txt
>
> To resolve:
>   x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> one
> two
> three
> four
> five
> six
> SEVEN
> x
> and x
> core 1.0.0
>   x 1.0.0
>
> 'skill remove' is paused; to resolve:
>   x.txt  (x deletes it: keep it or delete it)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw -q continue; nanoclaw status; nanoclaw verify; cat a.txt x.txt plain.txt
> x 1.0.0 removed
> core 1.0.0
> 15 files checked: all as recorded
> one
> two
> three
> four
> five
> six
> SEVEN
> x
> and x
> core
> edited
