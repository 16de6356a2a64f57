# the engine alone applies, updates and undoes, and names the assistant's commands as left out
unlisted: .nanoclaw skills new
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
two
three
-- new/VERSION --
1.1.0
-- new/a.txt --
one
two
THREE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q --yes update new
> Core updated: 1.0.0 → 1.1.0
$ cat a.txt
> ONE
> two
> THREE
$ nanoclaw -q undo
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
$ nanoclaw status --json | grep host
>   "host": null,
$ nanoclaw doctor --fix | tail -n 1
> nothing is broken
$ nanoclaw run
? 2
2> error: 'run' is a command of the assistant, and this nanoclaw is the skills engine alone
2> hint: the Debian package 'nanoclaw' has both, and so has a build without '-Dhost=false'
$ nanoclaw task add main hello
? 2
2> error: 'task' is a command of the assistant, and this nanoclaw is the skills engine alone
2> hint: the Debian package 'nanoclaw' has both, and so has a build without '-Dhost=false'
$ nanoclaw skil apply x
? 2
2> error: 'skil' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
== after ==
-- VERSION --
1.0.0
-- a.txt --
ONE
two
three
