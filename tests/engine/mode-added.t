# added files are readable for all, and executable if the package's file is
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [tool, plain, secret]
-- skills/x/add/tool [755] --
t
-- skills/x/add/plain [664] --
p
-- skills/x/add/secret [600] --
s
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
== after ==
-- plain --
p
-- secret --
s
-- tool [755] --
t
