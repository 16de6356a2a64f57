# in NanoClaw's own source, operations offer a rebuild at their end, and undo switches back
needs: script
ignore: .nanoclaw build-run src other/.nanoclaw
-- meson.build --
project('nanoclaw', 'c', version: '1.0.0')
-- .gitignore --
/build-*/
-- src/word --
one
-- tools/build [755] --
#!/bin/sh
mkdir -p "$1"
printf '#!/bin/sh\necho "%s"\n' "$(cat src/word)" >"$1/nanoclaw"
chmod +x "$1/nanoclaw"
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
description: Says two
core_version: 1.0.0
modifies:
  - src/word
-- skills/two/modify/src/word --
two
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
description: Has a page
core_version: 1.0.0
adds:
  - docs/three.md
-- skills/three/add/docs/three.md --
three
-- skills/slow/manifest.yaml --
skill: slow
version: 1.0.0
core_version: 1.0.0
adds:
  - src/slow
structured:
  env_additions:
    - SLOW_KEY
    - SLOW_MODE=poll
test: "echo noise; echo 'note: only half of it was tried'; sleep 1.5"
-- skills/slow/add/src/slow --
slow
-- other/VERSION --
1.0.0
-- other/skills/two/manifest.yaml --
skill: two
version: 1.0.0
description: Says two
core_version: 1.0.0
adds:
  - two
-- other/skills/two/add/two --
two
== run ==
$ nanoclaw rebuild && .nanoclaw/builds/current/nanoclaw
> building [..]
> trying [..] on a copy of the data
> switched to [..]
> the new program is '.nanoclaw/builds/current/nanoclaw'; '[..]' in PATH is another, and stays as it is
> no host is running; the next one starts with this build
> one
$ nanoclaw service install --print --user | grep ExecStart
> ExecStart=:"[dir]/.nanoclaw/builds/before/nanoclaw" run
# Nobody is there to answer: it is named.
$ nanoclaw skill apply two
> two 1.0.0 applied
>   merged    src/word
2> the assistant does not run this source yet: 'nanoclaw rebuild'
$ nanoclaw status
> core 1.0.0
>   two 1.0.0
> the assistant's program is not built from this source; 'nanoclaw rebuild' changes that
$ nanoclaw status --json | grep -A 6 '"build"'
>   "build": {
>     "current": "[..]",
>     "running": null,
>     "source": "[..]",
>     "takenBack": null,
>     "upToDate": false
>   },
$ nanoclaw undo --rebuild && .nanoclaw/builds/current/nanoclaw
> 'skill apply two' is undone
>   restored  src/word
> one
$ nanoclaw skill apply two --dry-run --rebuild | grep -c building
? 1
> 0
$ nanoclaw skill apply two --no-rebuild
> two 1.0.0 applied
>   merged    src/word
2> the assistant does not run this source yet: 'nanoclaw rebuild'
$ nanoclaw skill remove two --rebuild
> two 1.0.0 removed
>   merged    src/word
$ nanoclaw skill apply two --rebuild --json | grep -c success && .nanoclaw/builds/current/nanoclaw
> 1
> two
# A page is not part of the program.
$ nanoclaw skill apply three
> three 1.0.0 applied
>   added     docs/three.md
# On a terminal there is a question. The build is kept.
$ nanoclaw -q undo --no-rebuild
$ echo 1 | NO_COLOR=1 script -qec 'nanoclaw undo' /dev/null | grep -c 'rebuild now'
> 1
$ .nanoclaw/builds/current/nanoclaw; nanoclaw status
> one
> core 1.0.0
# A person sees how long a test takes instead of its lines, what it did not try, and what to set.
$ script -qec 'nanoclaw --yes skill apply slow --rebuild' /dev/null | tr '\r' '\n' >seen; grep -c noise seen; grep -o "the test.*120; Ctrl-C" seen; grep -o 'warning.*tried' seen; grep 'not set up' seen; rm seen
> 0
> the test of skill 'slow': 1 s of at most 120; Ctrl-C
> warning: the test of skill 'slow': only half of it was tried
> slow is not set up: put its settings into '.env', as '.env.example' explains them: SLOW_KEY
$ echo SLOW_KEY=1 >.env; chmod 600 .env; nanoclaw rebuild; rm .env .env.example
> nothing to do: the current build is of this source
# Another project has nothing to rebuild.
$ cd other && nanoclaw -q init && nanoclaw skill apply two --rebuild
> two 1.0.0 applied
>   added     two
== after ==
-- other/two --
two
