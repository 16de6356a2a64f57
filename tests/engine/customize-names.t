# files that get unusual names: skills follow them where that is clear, and nothing breaks
ignore: *
-- VERSION --
1.0.0
-- src/a.txt --
a 1
a 2
a 3
a long line that stays
-- src/c.txt --
c 1
c 2
c 3
-- skills/s/manifest.yaml --
skill: s
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/s/modify/src/a.txt --
a 1
a 2
a 3
a long line that stays
from s
-- skills/t/manifest.yaml --
skill: t
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: src/a.txt, to: src/y.txt}]
-- fresh.sh --
rm -rf p; mkdir p; cp -r VERSION src skills p
== run ==
# A name that only looks like that of secrets.
$ sh fresh.sh; cd p; nanoclaw -q init; nanoclaw -q customize start mv; mv src/a.txt src/.ENV; nanoclaw -q customize commit; nanoclaw -q status; nanoclaw skill apply s
> recorded as 001-mv
> core 1.0.0
>   001-mv (custom patch)
> s 1.0.0 applied
>   merged    src/.ENV
# A name that is not UTF-8.
$ sh fresh.sh; cd p; nanoclaw -q init; nanoclaw -q customize start mv; mv src/a.txt src/"$(printf 'caf\351')"; nanoclaw -q customize commit; nanoclaw skill apply s; tail -n 1 src/caf*; nanoclaw -q status; nanoclaw verify
> recorded as 001-mv
> s 1.0.0 applied
>   merged    'src/caf\351'
> from s
> core 1.0.0
>   s 1.0.0
>   001-mv (custom patch)
> 11 files checked: all as recorded
# The name that another file had: s changes its own file, not the other.
$ sh fresh.sh; cd p; nanoclaw -q skill apply s; nanoclaw -q customize start one; mv src/a.txt src/x.txt; nanoclaw -q customize commit; \
  nanoclaw -q customize start two; mv src/c.txt src/a.txt; nanoclaw -q customize commit
> s 1.0.0 applied
> recorded as 001-one
> recorded as 002-two
$ cd p; sed -i 's/1.0.0/2.0.0/' skills/s/manifest.yaml; sed -i 's/from s/from s 2/' skills/s/modify/src/a.txt; sed -i 's/core_version: 2/core_version: 1/' skills/s/manifest.yaml; nanoclaw skill apply s; cat src/x.txt src/a.txt
> s 2.0.0 (before: 1.0.0) applied
>   merged    src/x.txt
> a 1
> a 2
> a 3
> a long line that stays
> from s 2
> c 1
> c 2
> c 3
# A patch with a rename, where a skill has renamed the file on.
$ sh fresh.sh; cd p; nanoclaw -q init; nanoclaw -q customize start one; mv src/a.txt src/x.txt; sed -i 's/a 2/a 2 mine/' src/x.txt; nanoclaw -q customize commit; nanoclaw -q skill apply t; nanoclaw customize apply 001; sed -i 's/ mine//' src/y.txt; nanoclaw customize apply 001; cat src/y.txt; nanoclaw -q status
> recorded as 001-one
> t 1.0.0 applied
> 001-one applied
>   as it is  src/y.txt
> 001-one applied
>   merged    src/y.txt
> a 1
> a 2 mine
> a 3
> a long line that stays
> core 1.0.0
>   t 1.0.0
>   001-one (custom patch)
# A pipe in the place of a file counts as nothing.
$ sh fresh.sh; cd p; nanoclaw -q init; rm src/c.txt; mkfifo src/c.txt; nanoclaw --yes -q skill apply s; nanoclaw -q status
> s 1.0.0 applied
> core 1.0.0
>   s 1.0.0
>   001-changes-to-src-c-txt (custom patch)
$ rm -r p
