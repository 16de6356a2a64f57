# a name that is not UTF-8 is shown by status, to people and programs
unlisted: .nanoclaw
ignore: caf*
-- VERSION --
1.0.0
== run ==
$ touch "$(printf 'caf\351')"
$ nanoclaw -q init
$ echo x > "$(printf 'caf\351')"
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    'caf\351'
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [
>     "caf�"
>   ],
>   "driftDetails": [
>     {
>       "change": "edited",
>       "path": "caf�"
>     }
>   ],
>   "host": null,
>   "initialized": true,
>   "pending": null,
>   "skills": [],
>   "sources": [],
>   "success": true
> }
