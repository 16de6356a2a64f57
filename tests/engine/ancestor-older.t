# a skill for an older core that takes core lines out: exit 2 with these lines
unlisted: .nanoclaw
-- VERSION --
2.0.0
-- a.txt --
one
two
three, of core 2
four
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two
X
four
== run ==
$ nanoclaw skill apply x
? 2
2> error: x 1.0.0 was written for core 1.0.0, this is 2.0.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:
2>     three, of core 2
2> hint: get a newer version of the skill, or accept it with '--ancestor base'
$ nanoclaw --json skill apply x --dry-run
? 2
> {
>   "error": "x 1.0.0 was written for core 1.0.0, this is 2.0.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:\n    three, of core 2",
>   "hint": "get a newer version of the skill, or accept it with '--ancestor base'",
>   "success": false
> }
2> error: x 1.0.0 was written for core 1.0.0, this is 2.0.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:
2>     three, of core 2
2> hint: get a newer version of the skill, or accept it with '--ancestor base'
$ test ! -e .nanoclaw
$ nanoclaw skill apply x --ancestor other
? 2
2> error: '--ancestor' must be 'base'
$ nanoclaw skill apply x --ancestor base
> x 1.0.0 applied
>   merged    a.txt
2> warning: 'a.txt' is merged with the current core, as accepted
== after ==
-- a.txt --
one
two
X
four
