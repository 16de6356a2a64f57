# a binary file that the user did not change is replaced
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- logo [hex] --
00 01 02 0a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [logo]
-- skills/x/modify/logo [hex] --
00 01 03 0a
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    logo
== after ==
-- logo [hex] --
00 01 03 0a
