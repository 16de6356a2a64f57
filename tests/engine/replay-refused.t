# an impossible replay, or one in an unsuitable folder, is refused, and nothing is touched
-- VERSION --
1.0.0
-- a.txt --
one
-- build/full/file --
something
-- build/link -> ../empty --
-- empty/ --
-- .git/ --
-- newer.yaml --
skills_system_version: 9.0.0
core_version: 1.0.0
-- broken.yaml --
applied_skills: [
-- outside.yaml --
core_version: 1.0.0
applied_skills:
  - name: x
    version: 1.0.0
    file_hashes: {../x.txt: 73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac}
-- git.yaml --
core_version: 1.0.0
applied_skills:
  - name: x
    version: 1.0.0
    file_hashes: {.git/hooks/x: 73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac}
-- patch.yaml --
core_version: 1.0.0
custom_modifications:
  - {description: d, patch_file: ../evil.patch}
-- name.yaml --
core_version: 1.0.0
applied_skills: [{name: ../../x, version: 1.0.0, file_hashes: {}}]
-- remap.yaml --
core_version: 1.0.0
path_remap: {a.txt: ../../b.txt}
-- core.yaml --
core_version: 2.0.0
-- good.yaml --
core_version: 1.0.0
== run ==
$ nanoclaw replay
? 2
2> error: nothing is recorded in '[dir]'
2> hint: '--state FILE' names the state.yaml of the installation to replay
$ nanoclaw replay --state missing.yaml
? 2
2> error: cannot open 'missing.yaml': no such file or directory
2> hint: '--state' takes the state.yaml of an installation
$ nanoclaw replay --state .
? 2
2> error: cannot read '.': is a directory
2> hint: '--state' takes the state.yaml of an installation
$ nanoclaw replay --state newer.yaml
? 2
2> error: newer.yaml:1:24: this project was last changed by a newer NanoClaw (9.0.0, here is 0.1.0)
2> hint: update NanoClaw and type the command again
$ nanoclaw replay --state broken.yaml
? 2
2> error: broken.yaml:2:1: did not find expected node content while parsing a flow node
$ nanoclaw replay --state outside.yaml
? 2
2> error: outside.yaml:5:19: path '../x.txt' has the component '..'
$ nanoclaw replay --state git.yaml
? 2
2> error: git.yaml:5:19: '.git/hooks/x' is not a path that is recorded
$ nanoclaw replay --state patch.yaml
? 2
2> error: patch.yaml:3:34: 'patch_file': path '../evil.patch' has the component '..'
$ nanoclaw replay --state name.yaml
? 2
2> error: '.nanoclaw/applied/../../x': skill '../../x' 1.0.0: its pack is missing, and there is no package of it
2> hint: nothing was changed; packages are looked for in '.claude/skills' and 'skills', patches in 'custom' beside the state
$ nanoclaw replay --state remap.yaml
? 2
2> error: remap.yaml:2:21: 'path_remap': path '../../b.txt' has the component '..'
$ nanoclaw replay --state core.yaml
? 2
2> error: the core here is version 1.0.0, and 'core.yaml' is of an installation on 2.0.0
2> hint: use the core of that version; '--core DIR' says where it is
$ nanoclaw replay --state good.yaml --core .
? 2
2> error: '--core' needs '--into': without it, the core is the current folder
2> hint: '--into DIR' says where to build the installation
$ nanoclaw replay --state good.yaml --core nowhere --into ../new
? 2
2> error: cannot open the core, 'nowhere': no such file or directory
$ nanoclaw replay --state good.yaml --into new
? 2
2> error: cannot rebuild in '[dir]/new': it would be inside the project '[dir]'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into full
? 2
2> error: cannot rebuild in '[dir]/full': it would be inside the project '[dir]'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into a.txt
? 2
2> error: cannot rebuild in '[dir]/a.txt': it would be inside the project '[dir]'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into .git/new
? 2
2> error: cannot rebuild in '[dir]/.git/new': it is inside '.git' or '.nanoclaw'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into .nanoclaw
? 2
2> error: cannot rebuild in '[dir]/.nanoclaw': it is inside '.git' or '.nanoclaw'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into .
? 2
2> error: cannot rebuild in '[dir]': it is the project itself
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into ..
? 2
2> error: cannot rebuild in '..': the path must end in a name
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw replay --state good.yaml --into nowhere/new
? 2
2> error: cannot build in 'nowhere/new': no such file or directory
2> hint: its parent folder must exist
$ nanoclaw replay --state good.yaml --into ''
? 2
2> error: cannot rebuild in '': the path must end in a name
2> hint: name a new folder, or an empty one, outside of the project
$ cd empty; nanoclaw replay --state ../good.yaml --core .. --into ../build/link
? 2
2> error: cannot rebuild in '[dir]/build/link': it is a symbolic link
2> hint: name a new folder, or an empty one, outside of the project
$ cd empty; nanoclaw replay --state ../good.yaml --core .. --into ../build/full
? 2
2> error: cannot rebuild in '[dir]/build/full': it is not empty
2> hint: name a new folder, or an empty one, outside of the project
$ cd empty; nanoclaw replay --state ../good.yaml --core .. --into ../new
? 2
2> error: cannot rebuild in '[dir]/new': it would be inside the project '[dir]'
2> hint: name a new folder, or an empty one, outside of the project
$ nanoclaw --json replay --on-drift never
? 2
> {
>   "error": "'--on-drift' must be 'record', 'continue' or 'abort', not 'never'",
>   "success": false
> }
2> error: '--on-drift' must be 'record', 'continue' or 'abort', not 'never'
$ nanoclaw --json replay --state outside.yaml
? 2
> {
>   "differences": [],
>   "error": "outside.yaml:5:19: path '../x.txt' has the component '..'",
>   "success": false,
>   "untrackedChanges": []
> }
2> error: outside.yaml:5:19: path '../x.txt' has the component '..'
$ nanoclaw replay surplus
? 2
2> error: 'replay': unexpected argument 'surplus'
2> hint: see 'nanoclaw replay --help'
