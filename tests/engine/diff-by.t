# diff --by knows of each line whether it is the core's, a skill's, a patch's or the user's
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
core 1
core 2
core 3
core 4
core 5
core 6
core 7
core 8
core 9
-- other.txt --
core
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [n.txt, n.bin]
-- skills/first/add/n.txt --
first 1
first 2
-- skills/first/add/n.bin [hex] --
0001
-- skills/first/modify/a.txt --
first 1
core 1
core 2
first 2
core 4
core 5
core 6
core 7
core 8
core 9
-- skills/second/manifest.yaml --
skill: second
version: 1.0.0
core_version: 1.0.0
depends: [first]
modifies: [a.txt, n.txt]
-- skills/second/modify/a.txt --
first 1
core 1
core 2
first 2
core 4
core 5
second 1
second 2
core 6
core 7
core 8
core 9
-- skills/second/modify/n.txt --
first 1
second 1
first 2
== run ==
$ nanoclaw -q skill apply first second
> first 1.0.0 applied
> second 1.0.0 applied
$ nanoclaw -q customize start mine >/dev/null; sed -i 's/core 8/patch 1/; s/second 2/&\npatch 2/' a.txt; mv n.txt moved.txt; echo patch 3 >>moved.txt; nanoclaw -q customize commit >/dev/null
$ sed -i 's/core 5/user 1/' a.txt; echo user 2 >>moved.txt; mv moved.txt again.txt
$! nanoclaw diff --by
> a.txt
> first      1  first 1
> core       2  core 1
>            3  core 2
> first      4  first 2
> core       5  core 4
> you        6  user 1
> second     7  second 1
>            8  second 2
> 001-mine   9  patch 2
> core      10  core 6
>           11  core 7
> 001-mine  12  patch 1
> core      13  core 9
>   6 core, 2 skill first, 2 skill second, 2 patch 001-mine, 1 you
>
> again.txt
> first     1  first 1
> second    2  second 1
> first     3  first 2
> 001-mine  4  patch 3
> you       5  user 2
>   2 skill first, 1 skill second, 1 patch 001-mine, 1 you
>
> n.bin
>   no text; all of it: first
$ nanoclaw diff --by other.txt
> other.txt
> core  1  core
>   1 core
$ nanoclaw diff --by --json again.txt
> {
>   "files": [
>     {
>       "lines": [
>         {
>           "by": "skill",
>           "line": 1,
>           "name": "first",
>           "text": "first 1"
>         },
>         {
>           "by": "skill",
>           "line": 2,
>           "name": "second",
>           "text": "second 1"
>         },
>         {
>           "by": "skill",
>           "line": 3,
>           "name": "first",
>           "text": "first 2"
>         },
>         {
>           "by": "patch",
>           "line": 4,
>           "name": "001-mine",
>           "text": "patch 3"
>         },
>         {
>           "by": "user",
>           "line": 5,
>           "name": null,
>           "text": "user 2"
>         }
>       ],
>       "path": "again.txt",
>       "summary": {
>         "core": 0,
>         "patches": {
>           "001-mine": 1
>         },
>         "settled": 0,
>         "skills": {
>           "first": 2,
>           "second": 1
>         },
>         "user": 1
>       },
>       "whole": false
>     }
>   ],
>   "success": true
> }
$ nanoclaw diff --by --json n.bin
> {
>   "files": [
>     {
>       "by": "skill",
>       "lines": [],
>       "name": "first",
>       "path": "n.bin",
>       "summary": {
>         "core": 0,
>         "patches": {},
>         "settled": 0,
>         "skills": {},
>         "user": 0
>       },
>       "whole": true
>     }
>   ],
>   "success": true
> }
# Each line says who wrote it.
$ nanoclaw diff --by --json | tr -d '\n' | grep -o '"by": "[a-z]*",[^}]*"text": "[a-z]* [0-9]*"' | sed 's/"by": "\([a-z]*\)".*"name": "*\([^",]*\)"*,.*"text": "\([a-z]*\) .*/\1 \2 \3/' | sort | uniq -c
>       6 core null core
>       3 patch 001-mine patch
>       4 skill first first
>       3 skill second second
>       2 user null user
