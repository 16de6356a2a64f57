# the configuration of a repository makes git start no program and fetch nothing when we read it
needs: git
unlisted: .nanoclaw
ignore: .git
-- VERSION --
1.0.0
-- a.txt --
one
-- evil [755] --
touch "$PWD/../started"
false
-- try --
"$@" > /dev/null 2>&1
test ! -e ../started || echo started
== run ==
$ git init -q -b main; git add -A; git commit -qm one
$ for key in core.fsmonitor core.sshCommand remote.origin.uploadpack; do git config $key "$PWD/evil"; done
$ echo two >> a.txt; sh try nanoclaw skill new x --from-changes; sh try nanoclaw skill new y --from-changes HEAD; ls .claude/skills; rm -r .claude
> x
> y
# What is missing would come from the remote.
$ nanoclaw -q init; for step in 'add -f .nanoclaw' 'commit -qm two'; do git -c core.fsmonitor=false $step; done
$ rm .git/objects/*/*$(git rev-parse HEAD:.nanoclaw/state.yaml | cut -c 3-); echo '[' > .nanoclaw/state.yaml
$ git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.url "$PWD"
$ sh try git cat-file -e HEAD:.nanoclaw/state.yaml; rm ../started
> started
$ sh try nanoclaw --yes doctor --fix; sh try nanoclaw skill apply git+.@HEAD:.nanoclaw; sh try nanoclaw update HEAD
== after ==
-- a.txt --
one
two
