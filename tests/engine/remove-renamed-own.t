# a skill that renames a file of the person's own is removed: the file has its old name again, with its content
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: mine.txt, to: x.txt}
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: mine.txt, to: y.txt}
== run ==
$ nanoclaw -q init; printf 'mine 1\nmine 2\nmine 3\n' > mine.txt; chmod +x mine.txt
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
# As it was.
$ nanoclaw skill remove x y; nanoclaw verify; stat -c %A mine.txt; cat mine.txt
> x 1.0.0 removed
> y 1.0.0 removed
>   renamed   y.txt -> mine.txt
> 2 files checked: all as recorded
> -rwxr-xr-x
> mine 1
> mine 2
> mine 3
$ nanoclaw -q undo
# Edited since, and not recorded.
$ echo edited >> y.txt
$ nanoclaw skill remove x y --on-drift continue; nanoclaw verify; cat mine.txt
> x 1.0.0 removed
> y 1.0.0 removed
>   renamed   y.txt -> mine.txt
> 2 files checked: all as recorded
> mine 1
> mine 2
> mine 3
> edited
$ nanoclaw -q undo
# Edited since, and recorded.
$ nanoclaw --yes skill remove y; nanoclaw verify
> your changes are recorded as 001-changes-to-y-txt
> y 1.0.0 removed
>   renamed   y.txt -> x.txt
> 8 files checked: all as recorded
$ nanoclaw --yes skill remove x; nanoclaw verify; cat mine.txt
> x 1.0.0 removed
>   renamed   x.txt -> mine.txt
> 6 files checked: all as recorded
> mine 1
> mine 2
> mine 3
> edited
== after ==
-- mine.txt [755] --
mine 1
mine 2
mine 3
edited
