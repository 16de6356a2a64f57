# a skill's files drift in the same ways, and its mode counts
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [tool, plain, gone, linked]
modifies: [a.txt]
-- skills/x/add/tool [755] --
t
-- skills/x/add/plain --
p
-- skills/x/add/gone --
g
-- skills/x/add/linked --
l
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
$ chmod -x tool
$ chmod +x plain
$ rm gone linked
$ ln -s plain linked
# As in the core again is not as recorded.
$ echo one > a.txt
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   deleted   gone
>   type      linked
>   mode      plain
>   mode      tool
