# no link beside a state, in a core or in the project leads anywhere else
unlisted: p
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [lib/x.txt]
-- p/skills/x/add/lib/x.txt --
x
-- outside/001-changes-to-a-txt.patch --
not a patch of this installation
-- outside/x --
no pack
-- elsewhere/ --
-- kit/custom -> ../outside --
-- kit/applied -> ../outside --
-- kit/objects -> ../outside --
-- kit/resolutions -> ../outside --
-- fresh/VERSION --
1.0.0
-- fresh/a.txt --
one
-- fresh/lib -> ../elsewhere --
== run ==
$ cd p; nanoclaw -q skill apply x; echo mine >>a.txt; nanoclaw -q customize start s --on-drift record; nanoclaw -q customize abort; cp .nanoclaw/state.yaml ../kit
> x 1.0.0 applied
> your changes are recorded as 001-changes-to-a-txt
$ nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> warning: '.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and there is no package of it
2> warning: '.nanoclaw/custom/001-changes-to-a-txt.patch': the patch is missing; it was looked for in 'custom' beside the state
2> error: '.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and there is no package of it; and 1 more
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
$ rm kit/custom kit/applied; cp -r p/.nanoclaw/custom p/.nanoclaw/applied kit; nanoclaw -C fresh replay --state ../kit/state.yaml; ls -A elsewhere fresh
> elsewhere:
>
> fresh:
> VERSION
> a.txt
> lib
2> error: cannot access 'lib/x.txt': a symbolic link is in the way
2> hint: everything is as it was before
# In another folder the link is a link of the core.
$ nanoclaw -C fresh replay --state ../kit/state.yaml --into ../new; ls new
? 2
2> warning: 'a.txt': it is not kept, and cannot be rebuilt: base: cannot access 'lib/x.txt': a symbolic link is in the way (recorded 30a499b87121, got 2c8b08da5ce6)
2> warning: 'lib/x.txt': it is not kept, and cannot be rebuilt: base: cannot access 'lib/x.txt': a symbolic link is in the way (recorded 73cb3858a687, got nothing)
2> error: 'a.txt': it is not kept, and cannot be rebuilt: base: cannot access 'lib/x.txt': a symbolic link is in the way; and 1 more
2> hint: nothing was changed; 'nanoclaw --json replay' has all hashes
2> ls: cannot access 'new': No such file or directory
$ rm -r kit; ln -s p kit; nanoclaw -C fresh replay --state ../kit/.nanoclaw/state.yaml; rm kit; ls -A elsewhere
2> error: 'lib': the core here has this file, but the installed one did not
2> hint: nothing was changed; '--core DIR' with '--into DIR' takes the core from somewhere else
== after ==
-- !kit --
