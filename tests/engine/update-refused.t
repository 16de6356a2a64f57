# a core that is missing, older, or outside of the project, and a project without a core
unlisted: p/.nanoclaw
ignore: new
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
== run ==
$ nanoclaw -C p --yes update ../new
? 2
2> error: there is no core to update: the project is not initialized
2> hint: 'nanoclaw init' saves the core as it is now
$ nanoclaw -C p -q init
$ nanoclaw -C p --yes update ../nowhere
? 2
2> error: '../nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
$ nanoclaw -C p update
? 2
2> error: nothing records where the core of '[dir]/p' comes from
2> hint: name a folder with the new core, an update package or a git ref: 'nanoclaw update SOURCE'
$ nanoclaw -C p --yes update ../new --to 0.4.0
? 2
2> error: '../new' has core 0.4.0, which is older than the current one, 0.5.0
$ echo 0.4.0 > new/VERSION
$ nanoclaw -C p --yes update ../new
? 2
2> error: '../new' has core 0.4.0, which is older than the current one, 0.5.0
$ nanoclaw -C p --yes update ../new --to bad
? 2
2> error: --to: version 'bad' is not of the form 1.2.3
$ rm new/VERSION
$ nanoclaw -C p --yes update ../new
? 2
2> error: '../new' does not say which version of the core it is, and the current one is 0.5.0
2> hint: name the version of the new core with --to
$ nanoclaw -C p status
> core 0.5.0
== after ==
-- !new/VERSION --
