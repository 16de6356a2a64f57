# the name for the second version of a binary file is in use: exit 2, nothing touched
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
$ nanoclaw -q init
$ printf '\000\011\011\n' > logo
$ echo mine > logo.from-x
$ nanoclaw skill apply --on-drift continue x
? 2
2> error: 'logo' cannot be merged as text, and 'logo.from-x' is in the way
2> hint: everything is as it was before
== after ==
-- logo [hex] --
00 09 09 0a
-- logo.from-x --
mine
