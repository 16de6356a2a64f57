# init in a folder of a project says that there is one above
unlisted: .nanoclaw below/.nanoclaw
-- VERSION --
1.0.0
-- below/VERSION --
2.0.0
== run ==
$ nanoclaw -q init; pwd; cd below; nanoclaw init
> [..]
> core 2.0.0 is saved in .nanoclaw/base; you can now apply skills
2> the project above, '[..]', is initialized, too: from now on, commands in this folder are about '[..]/below'
$ cd below; nanoclaw status
> core 2.0.0
== after ==
