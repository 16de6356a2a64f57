# a mistyped command exits with 2 and suggests the right one
== run ==
$ nanoclaw frobnicate
? 2
2> error: 'frobnicate' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw merge-fiel
? 2
2> error: 'merge-fiel' is not a nanoclaw command
2> hint: did you mean 'nanoclaw merge-file'?
$ nanoclaw --json verison
? 2
> {
>   "error": "'verison' is not a nanoclaw command",
>   "hint": "did you mean 'nanoclaw version'?",
>   "success": false
> }
2> error: 'verison' is not a nanoclaw command
2> hint: did you mean 'nanoclaw version'?
$ nanoclaw help verison
? 2
2> error: 'verison' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help version'?
