# the JSON of 'skill new' lists the result of each change, and a dry run writes nothing
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/old.txt --
first
second
third
fourth
== run ==
$ nanoclaw init -q
$ mv src/old.txt src/new.txt && sed -i 's/third/3rd/' src/new.txt
$ nanoclaw skill new mine --from-changes --dry-run --json
> {
>   "depends": [],
>   "dryRun": true,
>   "exact": true,
>   "files": [
>     {
>       "from": "src/old.txt",
>       "note": null,
>       "onTopOf": null,
>       "part": "rename",
>       "path": "src/new.txt"
>     },
>     {
>       "from": null,
>       "note": null,
>       "onTopOf": null,
>       "part": "modify",
>       "path": "src/new.txt"
>     }
>   ],
>   "folder": ".claude/skills/mine",
>   "skill": "mine",
>   "success": true,
>   "warnings": []
> }
$ nanoclaw skill new mine --from-changes --json -- nowhere
? 2
> {
>   "error": "nothing is changed there, so there is nothing to make a skill from",
>   "hint": "'nanoclaw skill new mine' makes an empty package; 'nanoclaw status' shows what is changed",
>   "success": false
> }
2> error: nothing is changed there, so there is nothing to make a skill from
2> hint: 'nanoclaw skill new mine' makes an empty package; 'nanoclaw status' shows what is changed
$ mv src/new.txt src/old.txt && sed -i 's/3rd/third/' src/old.txt
$ nanoclaw skill new mine --from-changes
? 2
2> error: nothing is changed, so there is nothing to make a skill from
2> hint: 'nanoclaw skill new mine' makes an empty package; 'nanoclaw status' shows what is changed
