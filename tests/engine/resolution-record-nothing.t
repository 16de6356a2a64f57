# without a conflict that was resolved there is nothing to record
-- VERSION --
1.0.0
== run ==
$ nanoclaw resolution record
? 2
2> error: no conflict has been resolved that could be recorded
2> hint: when an operation pauses on a conflict, resolve it, type 'nanoclaw continue', and then this
$ nanoclaw --json resolution record
? 2
> {
>   "error": "no conflict has been resolved that could be recorded",
>   "hint": "when an operation pauses on a conflict, resolve it, type 'nanoclaw continue', and then this",
>   "success": false
> }
2> error: no conflict has been resolved that could be recorded
2> hint: when an operation pauses on a conflict, resolve it, type 'nanoclaw continue', and then this
$ nanoclaw resolution list
> no resolutions are recorded
$ nanoclaw --json resolution list
> {
>   "resolutions": [],
>   "success": true
> }
$ nanoclaw resolution check
> no resolutions are recorded
