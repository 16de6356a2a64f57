# a project without skills says so; a broken state is an error with its place
-- empty/ --
-- broken/.nanoclaw/state.yaml --
applied_skills:
  - version: 1.0.0
== run ==
$ nanoclaw -C empty skill list
> no skills: neither '.claude/skills' nor 'skills' has a package
> 'nanoclaw skill new NAME' creates one
$ nanoclaw -C empty --json skill list
> {
>   "broken": [],
>   "overlaps": {},
>   "skills": [],
>   "success": true
> }
$ nanoclaw -C broken skill list
? 2
2> error: .nanoclaw/state.yaml:2:5: an applied skill has no name
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
