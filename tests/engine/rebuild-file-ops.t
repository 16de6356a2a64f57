# renames, deletions, modes and structured files are recorded again after the state or the base is lost
needs: tar gzip
unlisted: .nanoclaw src package.json .env.example
-- package.json --
{
  "name": "demo",
  "version": "1.0.0",
  "dependencies": {
    "left": "^1.0.0"
  }
}
-- .env.example --
FOO=1
-- src/m.ts --
1
2
3
4
5
-- src/old.ts --
old
-- src/del.ts --
del
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [src/a.ts]
modifies: [src/m.ts]
file_ops:
  - {type: rename, from: src/old.ts, to: src/renamed.ts}
  - {type: delete, path: src/del.ts}
structured:
  npm_dependencies: {right: ^2.0.0}
  env_additions: [A_KEY]
-- skills/a/add/src/a.ts --
a
-- skills/a/modify/src/m.ts --
1
a
2
3
4
5
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
depends: [a]
modifies: [src/m.ts, src/old.ts]
structured:
  npm_dependencies: {right: ^2.1.0, up: 1.x}
-- skills/b/modify/src/m.ts --
1
2
3
4
b
5
-- skills/b/modify/src/old.ts --
old
b
== run ==
$ nanoclaw -q skill apply a b --no-install 2> /dev/null
> a 1.0.0 applied
> b 1.0.0 applied
$ nanoclaw -q customize start r; mv src/renamed.ts src/again.ts; chmod +x src/a.ts; nanoclaw -q customize commit
> recorded as 001-r
$ echo mine >> src/m.ts; tar czf kept .nanoclaw; gzip -c .nanoclaw/state.yaml > was; rm -r .nanoclaw/state.yaml .nanoclaw/history
$ nanoclaw -q doctor --fix
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: from the notes of your custom patches
$ zcat was | diff - .nanoclaw/state.yaml | grep '^[<>]' | grep -v -e _at: -e last_updated: -e source; rm was
$ nanoclaw status; nanoclaw -q doctor
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
>   001-r (custom patch)
>
> your unrecorded changes:
>   edited    src/m.ts
# The history has what the operations have changed.
$ rm -r .nanoclaw; tar xf kept; rm -r .nanoclaw/base .nanoclaw/base.sha256
$ nanoclaw -q doctor --fix
> warning  recovery     guess: the base is lost, and so is the list of its files: 3 of your files that no skill changes are used as the core, and 0 that only git has
> warning  recovery     guess: the core's 'src/old.ts' comes from the history, from before the first operation that changed it
> warning  recovery     guess: the core's 'src/del.ts' comes from the history, from before the first operation that changed it
$ nanoclaw status; nanoclaw -q doctor; head .nanoclaw/base/src/*
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
>   001-r (custom patch)
>
> your unrecorded changes:
>   edited    src/m.ts
> ==> .nanoclaw/base/src/del.ts <==
> del
>
> ==> .nanoclaw/base/src/m.ts <==
> 1
> 2
> 3
> 4
> 5
>
> ==> .nanoclaw/base/src/old.ts <==
> old
$ rm -r .nanoclaw; tar xf kept; rm -r .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/history
$ nanoclaw -q doctor --fix
> warning  recovery     guess: the base is lost, and so is the list of its files: 3 of your files that no skill changes are used as the core, and 0 that only git has
> warning  recovery     guess: 'src/m.ts' of the core is lost: your file is used instead, including changes by skills
> warning  recovery     guess: 'src/old.ts' of the core is lost: your file is used instead, including changes by skills
> warning  recovery     lost: 'src/del.ts' of the core, which skill 'a' removes, cannot be found: it counts as empty
$ nanoclaw status; nanoclaw -q doctor; rm kept; find src -type f | sort
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
>   001-r (custom patch)
> src/a.ts
> src/again.ts
> src/m.ts
