# renamed, deleted and executable files, by skills and by a person
unlisted: **
-- VERSION --
1.0.0
-- old.txt --
one
two
three
four
-- gone.txt --
gone
-- tool --
run
-- moved.txt --
1
2
3
4
5
6
7
8
-- skills/r/manifest.yaml --
skill: r
version: 1.0.0
core_version: 1.0.0
modifies: [new.txt]
file_ops:
  - {type: rename, from: old.txt, to: new.txt}
  - {type: delete, path: gone.txt}
-- skills/r/modify/new.txt --
one
two r
three
four
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [old.txt, moved.txt]
-- skills/z/modify/old.txt --
one
two
three
four z
-- skills/z/modify/moved.txt --
1
2
3
4
5
6
7
8 z
== run ==
$ nanoclaw -q skill apply r; chmod +x tool; mv moved.txt elsewhere.txt; sed -i s/one/ONE/ new.txt
> r 1.0.0 applied
$! nanoclaw --yes -q rebase
> rebased onto core 1.0.0; your files stayed as they are
$ nanoclaw status; nanoclaw verify; nanoclaw diff --by new.txt
> core 1.0.0
>   r 1.0.0
> 21 files checked: all as recorded
> new.txt
> baked  1  ONE
> r      2  two r
> core   3  three
>        4  four
>   2 core, 1 skill r, 1 patch baked
$! nanoclaw -q skill apply z
> z 1.0.0 applied
$ cat new.txt elsewhere.txt; nanoclaw -q skill remove z; cat new.txt elsewhere.txt; ls; nanoclaw status; nanoclaw verify
> ONE
> two r
> three
> four z
> 1
> 2
> 3
> 4
> 5
> 6
> 7
> 8 z
> z 1.0.0 removed
> ONE
> two r
> three
> four
> 1
> 2
> 3
> 4
> 5
> 6
> 7
> 8
> VERSION
> elsewhere.txt
> new.txt
> skills
> tool
> core 1.0.0
>   r 1.0.0
> 21 files checked: all as recorded
$ nanoclaw --yes -q skill remove r --flattened; cat old.txt; ls; nanoclaw status; nanoclaw verify
> r 1.0.0 paused
>
> To resolve:
>   old.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> <<<<<<< yours
> ONE
> two r
> ||||||| with r
> one
> two r
> =======
> one
> two
> >>>>>>> without r
> three
> four
> VERSION
> elsewhere.txt
> gone.txt
> old.txt
> skills
> tool
> core 1.0.0
>   r 1.0.0
>
> 'skill remove' is paused; to resolve:
>   old.txt  (r)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> 17 files checked: all as recorded
