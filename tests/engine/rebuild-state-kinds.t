# whatever is wrong with the state, commands say so and name the cure, and the cure works
# ending: the state is of a newer version
unlisted: .nanoclaw a.txt n.txt
needs: gzip
-- VERSION --
1.0.0
-- a.txt --
first
middle
last
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
modifies: [a.txt]
-- skills/x/add/n.txt --
new
-- skills/x/modify/a.txt --
first
x
middle
last
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
first
middle
y
last
-- cure.sh --
# Four commands that must name the cure, the cure, and that all is well after it. The
# history is left out, so that every state is made from the same things.
rm -rf .nanoclaw/history
for command in status verify 'skill list' 'skill remove x'; do
	if nanoclaw $command > out 2>&1 || ! grep -q "nanoclaw doctor --fix" out; then
		echo "$command"; cat out
	fi
done
cp .nanoclaw/state.yaml broken
nanoclaw -q doctor > out && echo "not seen"
cmp broken .nanoclaw/state.yaml
nanoclaw -q --yes doctor --fix
nanoclaw verify
zcat was | diff - .nanoclaw/state.yaml | grep '^[<>]' | grep -v -e _at: -e last_updated: -e source
cmp broken .nanoclaw/kept/rebuilt/state.yaml
rm -rf broken out .nanoclaw/kept
== run ==
$ nanoclaw -q skill apply x y; gzip -c .nanoclaw/state.yaml > was
> x 1.0.0 applied
> y 1.0.0 applied
# It ends in the middle.
$ truncate -s 500 .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
# No text at all.
$ head -c 64 was > .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
# Empty.
$ : > .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
# A key twice.
$ zcat was > .nanoclaw/state.yaml; echo 'core_version: 1.0.0' >> .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
# Something else than a list, and than a hash.
$ echo 'applied_skills: 7' > .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
$ zcat was | sed 's/^      a.txt: [0-9a-f]*/      a.txt: [1]/' > .nanoclaw/state.yaml; sh cure.sh
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> 9 files checked: all as recorded
# Cut at the end of a line it can be read; the history knows better.
$ nanoclaw -q skill remove y; sed -i '/^core_version/,$d' .nanoclaw/state.yaml; nanoclaw -q doctor
? 1
> y 1.0.0 removed
> problem  recovery     the end of '.nanoclaw/state.yaml' is missing
>                       try: nanoclaw doctor --fix
$ nanoclaw -q doctor --fix; nanoclaw verify; nanoclaw status
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> 8 files checked: all as recorded
> core 1.0.0
>   x 1.0.0
# One of a newer nanoclaw is not damaged.
$ sed -i 's/^skills_system_version.*/skills_system_version: 9.0.0/' .nanoclaw/state.yaml; cp .nanoclaw/state.yaml was; rm -r .nanoclaw/base; nanoclaw -q --yes doctor --fix
? 2
> problem  state        .nanoclaw/state.yaml:26:24: this project was last changed by a newer NanoClaw (9.0.0, here is 0.1.0)
$ cmp was .nanoclaw/state.yaml; ls -I index .nanoclaw; rm was
> applied
> base.sha256
> history
> kept
> lock
> objects
> state.yaml
