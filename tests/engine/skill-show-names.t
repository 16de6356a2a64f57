# a name that fits no package, or two, is exit 2
-- .claude/skills/add-telegram/manifest.yaml --
{skill: telegram, version: 1.0.0, core_version: 0.1.0}
-- skills/one/manifest.yaml --
{skill: slack, version: 1.0.0, core_version: 0.1.0}
-- skills/two/manifest.yaml --
{skill: slack, version: 2.0.0, core_version: 0.1.0}
-- skills/broken/manifest.yaml --
skill: broken
version: 1.0.0
core_version: 0.1.0
adds: [../outside, /etc/passwd]
== run ==
$ nanoclaw skill show telegran
? 2
2> error: there is no skill 'telegran'
2> hint: did you mean 'telegram'?
$ nanoclaw skill show whatever
? 2
2> error: there is no skill 'whatever'
2> hint: 'nanoclaw skill list' shows the skills of this project
$ nanoclaw skill show slack
? 2
2> error: two packages are named 'slack': 'skills/one' and 'skills/two'
2> hint: give the path of the one you mean
$ nanoclaw skill show skills/two
> slack 2.0.0
>
>   folder        skills/two
>   applied       no
>   written for   core 0.1.0
$ nanoclaw skill show two
> slack 2.0.0
>
>   folder        skills/two
>   applied       no
>   written for   core 0.1.0
$ nanoclaw skill show broken
? 2
2> error: skills/broken/manifest.yaml:4:8: path '../outside' has the component '..' (and 1 more fault)
2> hint: 'nanoclaw skill check skills/broken' shows all its faults
$ nanoclaw skill show skills/nowhere
? 2
2> error: cannot open package 'skills/nowhere': no such file or directory
2> hint: name the folder that has the manifest.yaml, or a skill that 'nanoclaw skill list' shows
$ nanoclaw --json skill show slack 2>/dev/null
? 2
> {
>   "error": "two packages are named 'slack': 'skills/one' and 'skills/two'",
>   "hint": "give the path of the one you mean",
>   "success": false
> }
$ nanoclaw skill show
? 2
2> error: 'skill show' needs <skill>
2> hint: see 'nanoclaw skill show --help'
$ nanoclaw skill shwo
? 2
2> error: 'skill shwo' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill show'?
