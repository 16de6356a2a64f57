# without a source, git fetches the newest version from where the core comes from, and the project's repository stays as it is
needs: git
unlisted: core p/.nanoclaw
ignore: p/.git core/.git before
-- core/VERSION --
1.0.0
-- core/a.txt --
one
== run ==
$ cd core && git init -q -b main . && git add -A && git commit -qm one && git tag v1.0.0
$ git clone -q core p && nanoclaw -q -C p init
$ cd p && git remote set-url origin ../core
$ cd core && echo 1.1.0 >VERSION && echo two >>a.txt && git commit -qam two && git tag v1.1.0
$ cd core && echo 2.0.0-rc.1 >VERSION && git commit -qam three && git tag v2.0.0-rc.1
$ cd p && (git for-each-ref; git rev-parse HEAD; git ls-files -s) >../before
$ nanoclaw -C p update
2> error: The core comes from '../core'. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to fetch it
? 2
$ nanoclaw -C p --yes update --to 3.0.0
2> error: '../core' has no tag for version 3.0.0
? 2
$ echo mine >>p/a.txt && nanoclaw -C p --yes update --on-drift continue
> Update paused: 1.0.0 → 1.1.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
? 3
$ printf 'one\ntwo\nmine\n' >p/a.txt && nanoclaw -C p continue
> Core updated: 1.0.0 → 1.1.0
>   ✓ All patches applied
$ nanoclaw -C p -v status | grep '  core'
>   core 1.1.0: git+../core@v1.1.0, sha256 [..]
$ nanoclaw -C p --yes update --on-drift continue
> nothing to do: the core is already 1.1.0
$ cd p && (git for-each-ref; git rev-parse HEAD; git ls-files -s) | cmp - ../before
$ mkdir q new && echo 1.2.0 | tee q/VERSION >new/VERSION && nanoclaw -q -C q init && nanoclaw -C q --yes update
2> error: nothing records where the core of '[..]' comes from
2> hint: name a folder with the new core, an update package or a git ref: 'nanoclaw update SOURCE'
? 2
$ echo 1.3.0 >new/VERSION && nanoclaw -q -C q --yes update ../new && echo 1.4.0 >new/VERSION && nanoclaw -C q --yes update
2> the core comes from '[..]/q/../new'
> Core updated: 1.2.0 → 1.3.0
> Core updated: 1.3.0 → 1.4.0
>   ✓ All patches applied
$ mkdir -p q/updates/1.4.0-to-1.5.0/files && echo 1.5.0 >q/updates/1.4.0-to-1.5.0/files/VERSION && nanoclaw -q -C q --yes update updates/1.4.0-to-1.5.0 && nanoclaw -C q --yes update
> Core updated: 1.4.0 → 1.5.0
2> error: nothing records where the core of '[..]' comes from
2> hint: name a folder with the new core, an update package or a git ref: 'nanoclaw update SOURCE'
? 2
$ rm -r core new p q
== after ==
-- !core --
