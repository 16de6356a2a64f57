# every fault of a package is shown at once, with its place
-- VERSION --
0.2.0
-- src/hello.sh --
echo hello
echo new in 0.2.0
-- src/taken.sh --
-- skills/bad/manifest.yaml --
skill: bad
version: 1.0
core_version: 0.1.0
colour: red
adds:
  - src/taken.sh
  - src/missing.sh
  - ../outside
modifies:
  - src/hello.sh
  - src/nowhere.sh
depends: [nowhere]
conflicts: [good]
structured:
  env_additions: TOKEN
-- skills/bad/add/src/taken.sh --
-- skills/bad/add/src/extra.sh --
-- skills/bad/modify/src/hello.sh --
echo hello
echo bad
-- skills/bad/modify/src/hello.sh.intent.md --
## What this skill adds
Something.
## Must-keep sections
-- skills/bad/modify/src/nowhere.sh --
-- skills/bad/modify/src/gone.sh.intent.md --
-- skills/good/SKILL.md --
-- skills/good/manifest.yaml --
{"skill": "good", "version": "1.0.0", "core_version": "0.2.0"}
== run ==
$ nanoclaw skill check skills/bad
? 2
> skills/bad/manifest.yaml:2:10: error: 'version': version '1.0' is not of the form 1.2.3
> skills/bad/manifest.yaml:8:5: error: path '../outside' has the component '..'
> skills/bad/manifest.yaml:15:18: error: 'env_additions' must be a sequence, not a string
> skills/bad/manifest.yaml:7:5: error: 'add/src/missing.sh' is listed, but missing from the package
> skills/bad/add/src/extra.sh: error: the file is not listed in 'adds'
> skills/bad/manifest.yaml:6:5: error: 'src/taken.sh' is already a file of the core
> skills/bad/manifest.yaml:11:5: error: 'src/nowhere.sh' is neither in the core nor added by a dependency
> skills/bad/manifest.yaml:12:11: error: the skill depends on 'nowhere', which is neither applied nor among the packages
> skills/bad/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/bad/modify/src/gone.sh.intent.md: warning: the intent of a file that is not listed in 'modifies'
> skills/bad/modify/src/hello.sh.intent.md: warning: the heading 'Key sections' is missing
> skills/bad/modify/src/hello.sh.intent.md: warning: the heading 'Invariants' is missing
> skills/bad/modify/src/nowhere.sh.intent.md: warning: the intent file is missing
> skills/bad/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/bad/manifest.yaml:10:5: warning: 'src/hello.sh' is stale: written for core 0.1.0, and this core is 0.2.0; it lacks these lines of the core: 'echo new in 0.2.0'
> skills/bad/manifest.yaml:13:13: warning: the conflict with 'good' is one-sided: 'skills/good' does not list it
> skills/bad/manifest.yaml:4:1: note: unknown key 'colour' is ignored
> 1 package checked: 8 errors, 8 warnings
$ nanoclaw -q skill check skills/bad skills/good
? 2
> skills/bad/manifest.yaml:2:10: error: 'version': version '1.0' is not of the form 1.2.3
> skills/bad/manifest.yaml:8:5: error: path '../outside' has the component '..'
> skills/bad/manifest.yaml:15:18: error: 'env_additions' must be a sequence, not a string
> skills/bad/manifest.yaml:7:5: error: 'add/src/missing.sh' is listed, but missing from the package
> skills/bad/add/src/extra.sh: error: the file is not listed in 'adds'
> skills/bad/manifest.yaml:6:5: error: 'src/taken.sh' is already a file of the core
> skills/bad/manifest.yaml:11:5: error: 'src/nowhere.sh' is neither in the core nor added by a dependency
> skills/bad/manifest.yaml:12:11: error: the skill depends on 'nowhere', which is neither applied nor among the packages
$ nanoclaw --json skill check skills/bad 2>&1 | grep -c severity
> 17
$ nanoclaw --json skill check skills/good skills/none
? 2
> {
>   "error": "1 error in the packages",
>   "results": [
>     {
>       "faults": [
>         {
>           "severity": "warning",
>           "text": "'description' is missing: 'skill list' shows it to people who choose",
>           "where": "manifest.yaml"
>         }
>       ],
>       "folder": "skills/good",
>       "skill": "good",
>       "success": true
>     },
>     {
>       "error": "cannot open package 'skills/none': no such file or directory",
>       "faults": [
>         {
>           "severity": "error",
>           "text": "cannot open package 'skills/none': no such file or directory",
>           "where": ""
>         }
>       ],
>       "folder": "skills/none",
>       "skill": null,
>       "success": false
>     }
>   ],
>   "success": false
> }
