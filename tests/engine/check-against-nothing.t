# a wrong name of a core is reported even without packages
-- VERSION --
1.0.0
== run ==
$ nanoclaw skill check --against nowhere
? 2
2> error: 'nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
$ nanoclaw skill check --against .
> no packages: neither '.claude/skills' nor 'skills' has one
> against core 1.0.0:
> 0 fit, 0 can be refreshed, 0 need a person
