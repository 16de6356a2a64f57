# a host that cannot be started says why, with what to do and the exit code of 'run'
needs: bwrap
ignore: store data groups logs
-- .env --
NANOCLAW_AGENTS=many
== run ==
$ nanoclaw run
? 2
2> error: NANOCLAW_AGENTS is 'many', and must be a number from 1 to 1000
2> hint: change it in '.env' or in the environment
$ nanoclaw start
? 2
2> error: the host could not be started: NANOCLAW_AGENTS is 'many', and must be a number from 1 to 1000
2> hint: change it in '.env' or in the environment
$ nanoclaw --json start
? 2
> {
>   "error": "the host could not be started: NANOCLAW_AGENTS is 'many', and must be a number from 1 to 1000",
>   "hint": "change it in '.env' or in the environment",
>   "success": false
> }
2> error: the host could not be started: NANOCLAW_AGENTS is 'many', and must be a number from 1 to 1000
2> hint: change it in '.env' or in the environment
