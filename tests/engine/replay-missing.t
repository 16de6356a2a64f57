# missing inputs, wrong versions and different results are named, and nothing is changed
unlisted: p kit
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
-- p/b.txt --
b
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- p/skills/x/add/x.txt --
x
-- p/skills/x/modify/a.txt --
ONE
two
three
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/y/modify/a.txt --
one
two
THREE
-- kit/ --
-- fresh/VERSION --
1.0.0
-- fresh/a.txt --
one
two
three
-- fresh/b.txt --
b
== run ==
$ cd p; nanoclaw -q skill apply x y; echo mine >>b.txt; nanoclaw -q customize start s --on-drift record; nanoclaw -q customize abort; cp .nanoclaw/state.yaml ../kit
> x 1.0.0 applied
> y 1.0.0 applied
> your changes are recorded as 001-changes-to-b-txt
# No package, no patch.
$ nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> warning: '.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and there is no package of it
2> warning: '.nanoclaw/applied/y': skill 'y' 1.0.0: its pack is missing, and there is no package of it
2> warning: '.nanoclaw/custom/001-changes-to-b-txt.patch': the patch is missing; it was looked for in 'custom' beside the state
2> error: '.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and there is no package of it; and 2 more
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
$ nanoclaw -C fresh --json replay --state ../kit/state.yaml 2>/dev/null
? 2
> {
>   "differences": [
>     {
>       "failure": true,
>       "got": null,
>       "note": "skill 'x' 1.0.0: its pack is missing, and there is no package of it",
>       "path": ".nanoclaw/applied/x",
>       "recorded": null,
>       "why": "missing"
>     },
>     {
>       "failure": true,
>       "got": null,
>       "note": "skill 'y' 1.0.0: its pack is missing, and there is no package of it",
>       "path": ".nanoclaw/applied/y",
>       "recorded": null,
>       "why": "missing"
>     },
>     {
>       "failure": true,
>       "got": null,
>       "note": "the patch is missing; it was looked for in 'custom' beside the state",
>       "path": ".nanoclaw/custom/001-changes-to-b-txt.patch",
>       "recorded": null,
>       "why": "missing"
>     }
>   ],
>   "error": "'.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and there is no package of it; and 2 more",
>   "hint": "nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state",
>   "success": false,
>   "untrackedChanges": []
> }
$ cp -r p/.nanoclaw/custom kit; cp -r p/skills fresh; sed -i s/^version:.*/version:\ 1.1.0/ fresh/skills/x/manifest.yaml; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: '.nanoclaw/applied/x': skill 'x' 1.0.0: its pack is missing, and the package 'skills/x' is version 1.1.0
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
# The version that was applied, but other files.
$ cp p/skills/x/manifest.yaml fresh/skills/x; echo other >fresh/skills/y/modify/a.txt; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: '.nanoclaw/applied/y': skill 'y' 1.0.0: its pack is missing, and the package 'skills/y' has a different file 'a.txt' than was applied
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
# As it was applied it is beside the state.
$ mkdir kit/applied; cp p/.nanoclaw/applied/y kit/applied; nanoclaw -C fresh replay --state ../kit/state.yaml --dry-run
> 2 skills and 1 patch would be replayed: 3 files are as recorded
$ sed -i s/mine/yours/ kit/custom/*.patch; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: '.nanoclaw/custom/001-changes-to-b-txt.patch': the patch was changed since it was recorded
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
$ cp p/.nanoclaw/custom/*.patch kit/custom; printf 'one\ntwo, changed\nthree\n' >fresh/a.txt; nanoclaw -C fresh replay --state ../kit/state.yaml
? 1
2> error: 'a.txt': no resolution is known for the conflict with 'y'
2> hint: nothing was changed; recorded resolutions are looked for in '.claude/resolutions', and in 'resolutions' beside the state
# With the list of the core it is known why.
$ cp p/.nanoclaw/base.sha256 kit; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: 'a.txt': the core's file differs from the installed one
2> hint: nothing was changed; '--core DIR' with '--into DIR' takes the core from somewhere else
$ cp p/.nanoclaw/base/a.txt fresh; echo 'in the way' >fresh/x.txt; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: 'x.txt': the core here has this file, but the installed one did not
2> hint: nothing was changed; '--core DIR' with '--into DIR' takes the core from somewhere else
$ rm kit/base.sha256; echo x.txt >fresh/.gitignore; nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: 'x.txt' already exists, and is not a file of the core
2> hint: move it away first
$ rm fresh/x.txt fresh/.gitignore; sed -i "s/$(sha256sum <p/a.txt | cut -c1-64)/$(echo other | sha256sum | cut -c1-64)/" kit/state.yaml; nanoclaw -C fresh replay --state ../kit/state.yaml
? 1
2> error: 'a.txt': after 'y' its hash differs from the recorded one (recorded 7e4fa2eb8c7a, got 1aaf5092e0aa)
2> hint: nothing was changed; 'nanoclaw --json replay' has all hashes
$ cp p/.nanoclaw/state.yaml kit; rm fresh/skills/x/manifest.yaml; rm -r p/.nanoclaw/objects; nanoclaw -C p -q replay; echo 'damaged' >p/.nanoclaw/base/a.txt; nanoclaw -C p replay
? 2
2> error: 'a.txt': the core's file differs from the installed one
2> hint: nothing was changed; '--core DIR' with '--into DIR' takes the core from somewhere else
$ rm -r fresh/skills; ls -A fresh
> VERSION
> a.txt
> b.txt
== after ==
