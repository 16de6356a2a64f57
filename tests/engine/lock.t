# while an operation runs, others are refused and status works
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "nanoclaw skill apply y > log 2>&1; echo $? >> log; nanoclaw abort >> log 2>&1; echo $? >> log; nanoclaw continue >> log 2>&1; nanoclaw status >> log 2>&1; echo $? >> log; nanoclaw skill list >> log 2>&1; echo $? >> log; nanoclaw --json status >> log; nanoclaw init >> log 2>&1; nanoclaw verify >> log 2>&1; echo $? >> log; nanoclaw diff >> log 2>&1; echo $? >> log; false"
-- skills/x/add/n.txt --
new
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [m.txt]
-- skills/y/add/m.txt --
m
== run ==
$ ln -s /bin/false ~/unshare # without a sandbox, a command can write to .nanoclaw
$ PATH=~:$PATH nanoclaw skill apply x
? 5
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
2> error: the test of skill 'x' failed with exit code 1: nanoclaw skill apply y > log 2>&1; echo $? >> log; nanoclaw abort >> log 2>&1; echo $? >> log; nanoclaw continue >> log 2>&1; nanoclaw status >> log 2>&1; echo $? >> log; nanoclaw skill list >> log 2>&1; echo $? >> log; nanoclaw --json status >> log; nanoclaw init >> log 2>&1; nanoclaw verify >> log 2>&1; echo $? >> log; nanoclaw diff >> log 2>&1; echo $? >> log; false
2> hint: everything is as it was before
$ cat log; rm log
> error: another operation is running in '[dir]'[..]
> hint: wait for it to end, then run the command again
> 4
> error: another operation is running in '[dir]'[..]
> hint: wait for it to end, then run the command again
> 4
> error: another operation is running in '[dir]'[..]
> hint: wait for it to end, then run the command again
> core 1.0.0
>   x 1.0.0
>
> an operation is running
> 0
> skill  version  applied  description
> x      1.0.0    1.0.0
> y      1.0.0    -
> 0
> {
>   "coreVersion": "1.0.0",
>   "drift": [],
>   "driftDetails": [],
>   "host": null,
>   "initialized": true,
>   "pending": {
>     "conflicts": [],
>     "operation": "running"
>   },
>   "skills": [
>     {
>       "name": "x",
>       "version": "1.0.0"
>     }
>   ],
>   "sources": [
>     {
>       "kind": "skill",
>       "name": "x",
>       "sha256": "7258c55823fe2a3dad8097cdadbc62c518616502509d50d32376618881282de2",
>       "source": "skills/x",
>       "version": "1.0.0"
>     }
>   ],
>   "success": true
> }
> error: another operation is running in '[dir]'[..]
> hint: wait for it to end, then run the command again
> error: an operation is running in '[dir]'
> hint: wait for it to end, then run the command again
> 4
> error: an operation is running in '[dir]'
> hint: wait for it to end, then run the command again
> 4
$ nanoclaw -q skill apply y
> y 1.0.0 applied
== after ==
-- m.txt --
m
