# without a conflict that was resolved there is nothing to record
-- VERSION --
1.0.0
== run ==
$ nanoclaw resolution record
? 2
2> error: there is no resolved conflict to record
2> hint: when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command
$ nanoclaw --json resolution record
? 2
> {
>   "error": "there is no resolved conflict to record",
>   "hint": "when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command",
>   "success": false
> }
2> error: there is no resolved conflict to record
2> hint: when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command
$ nanoclaw resolution list
> no resolutions are recorded
$ nanoclaw --json resolution list
> {
>   "resolutions": [],
>   "success": true
> }
$ nanoclaw resolution check
> no resolutions are recorded
