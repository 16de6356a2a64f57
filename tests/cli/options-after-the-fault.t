# global options count in the report of a fault that stands before them
== run ==
$ nanoclaw frobnicate --json
? 2
> {
>   "error": "'frobnicate' is not a nanoclaw command",
>   "hint": "'nanoclaw help --all' lists the commands",
>   "success": false
> }
2> error: 'frobnicate' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw merge-file --bogus --json
? 129
> {
>   "error": "unknown option '--bogus'",
>   "hint": "'nanoclaw merge-file --help' shows the options",
>   "success": false
> }
2> error: unknown option '--bogus'
2> hint: 'nanoclaw merge-file --help' shows the options
$ nanoclaw --bogus version --json
? 2
> {
>   "error": "unknown option '--bogus'",
>   "hint": "'nanoclaw --help' shows the options",
>   "success": false
> }
2> error: unknown option '--bogus'
2> hint: 'nanoclaw --help' shows the options
$ nanoclaw merge-file --bogus --json --no-json
? 129
2> error: unknown option '--bogus'
2> hint: 'nanoclaw merge-file --help' shows the options
$ nanoclaw merge-file --bogus -- --json
? 129
2> error: unknown option '--bogus'
2> hint: 'nanoclaw merge-file --help' shows the options
