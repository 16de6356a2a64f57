# doctor says what is broken in what nanoclaw keeps, and works in any folder
unlisted: .nanoclaw
ignore: a.txt
-- VERSION --
1.0.0
-- a.txt --
first
-- empty/ --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
second
== run ==
$ cd empty && nanoclaw doctor
> ok       clock        [..]
> ok       disk         [..] GiB are free here
> ok       leftovers    no leftover files
> ok       libraries    jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]
> ok       packages     none required
> ok       state        no skills have been applied here
> ok       zone         [..]
>
> nothing is broken
$ nanoclaw -q doctor
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw doctor
> ok       clock        [..]
> ok       disk         [..] GiB are free here
> ok       leftovers    no leftover files
> ok       libraries    jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]
> ok       packages     none required
> ok       state        core 1.0.0, skills applied: 1
> ok       base         the copy of the core exists
> ok       pending      nothing is paused
> ok       kept         the files in '.nanoclaw' are as recorded
> ok       zone         [..]
>
> nothing is broken
$ cp -r .nanoclaw kept
$ echo evil >> .nanoclaw/base/a.txt; nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw/base/a.txt' is damaged
>                       try: nanoclaw doctor --fix
> problem  kept         files in '.nanoclaw' are damaged: 1 ('nanoclaw verify' shows them)
>                       try: nanoclaw doctor --fix
$ rm -r .nanoclaw/base; nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw/base' is missing
>                       try: nanoclaw doctor --fix
> problem  base         '.nanoclaw/base', the copy of the core, is missing
>                       try: nanoclaw doctor --fix
> problem  kept         files in '.nanoclaw' are damaged: 1 ('nanoclaw verify' shows them)
>                       try: nanoclaw doctor --fix
$ echo '- [' > .nanoclaw/state.yaml; nanoclaw doctor
? 1
> ok       clock        [..]
> ok       disk         [..] GiB are free here
> ok       leftovers    no leftover files
> ok       libraries    jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]
> ok       packages     none required
> problem  recovery     .nanoclaw/state.yaml:2:1: did not find expected node content while parsing a flow node
>                       try: nanoclaw doctor --fix
> problem  state        .nanoclaw/state.yaml:2:1: did not find expected node content while parsing a flow node
> ok       zone         [..]
>
> problems: 2, warnings: 0
$ nanoclaw --json doctor
? 1
> {
>   "error": "2 problems found",
>   "findings": [
>     {
>       "fix": null,
>       "message": "[..]",
>       "name": "clock",
>       "status": "ok"
>     },
>     {
>       "fix": null,
>       "message": "[..] GiB are free here",
>       "name": "disk",
>       "status": "ok"
>     },
>     {
>       "fix": null,
>       "message": "no leftover files",
>       "name": "leftovers",
>       "status": "ok"
>     },
>     {
>       "fix": null,
>       "message": "jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]",
>       "name": "libraries",
>       "status": "ok"
>     },
>     {
>       "fix": null,
>       "message": "none required",
>       "name": "packages",
>       "status": "ok"
>     },
>     {
>       "fix": "nanoclaw doctor --fix",
>       "message": ".nanoclaw/state.yaml:2:1: did not find expected node content while parsing a flow node",
>       "name": "recovery",
>       "status": "problem"
>     },
>     {
>       "fix": null,
>       "message": ".nanoclaw/state.yaml:2:1: did not find expected node content while parsing a flow node",
>       "name": "state",
>       "status": "problem"
>     },
>     {
>       "fix": null,
>       "message": "[..]",
>       "name": "zone",
>       "status": "ok"
>     }
>   ],
>   "success": false
> }
$ rm -r .nanoclaw && mv kept .nanoclaw && nanoclaw -q doctor
