# the project is found from a folder in it, and with -C; packages by path are relative to where one is
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/deep/a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
n
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [m.txt]
-- skills/y/add/m.txt --
m
-- src/pkg/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
-- src/pkg/add/z.txt --
z
== run ==
$ nanoclaw -q init
$ cd src/deep && nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -C src/deep -q skill apply y
> y 1.0.0 applied
$ cd src && nanoclaw -q skill apply ./pkg
> z 1.0.0 applied
$ nanoclaw -C src status
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   z 1.0.0
$ nanoclaw -C nowhere status
? 2
2> error: cannot work in 'nowhere': no such file or directory
== after ==
-- m.txt --
m
-- n.txt --
n
-- z.txt --
z
