# a command of two words is found, listed and explained
== run ==
$ nanoclaw pair left
> run
$ nanoclaw --quiet pair --no-color right
> run
$ nanoclaw pair
? 2
> usage: nanoclaw pair <command> [...]
>
>   pair left   the left one
>   pair right  the right one
$ nanoclaw pair --json
? 2
> {
>   "error": "'pair' needs a subcommand",
>   "hint": "'nanoclaw help pair' lists them",
>   "success": false
> }
2> error: 'pair' needs a subcommand
2> hint: 'nanoclaw help pair' lists them
$ nanoclaw pair lift
? 2
2> error: 'pair lift' is not a nanoclaw command
2> hint: did you mean 'nanoclaw pair left'?
$ nanoclaw pair --help
> usage: nanoclaw pair <command> [...]
>
>   pair left   the left one
>   pair right  the right one
$ nanoclaw --help pair --json
> {
>   "commands": [
>     {
>       "name": "pair left",
>       "summary": "the left one",
>       "usage": ""
>     },
>     {
>       "name": "pair right",
>       "summary": "the right one",
>       "usage": ""
>     }
>   ],
>   "success": true
> }
$ nanoclaw help pair
> usage: nanoclaw pair <command> [...]
>
>   pair left   the left one
>   pair right  the right one
$ nanoclaw pair left --help | head -n 1
> nanoclaw pair left: the left one
$ nanoclaw pair --version
> nanoclaw [..]
