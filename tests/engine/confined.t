# no skill, remap or patch touches a person's files, in any spelling
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
-- groups/main/CLAUDE.md --
mine
-- data/x.txt --
mine
-- .env.local --
KEY=mine
-- set.sh --
sed -i /^path_remap/d .nanoclaw/state.yaml
printf 'path_remap: %s\n' "$1" >> .nanoclaw/state.yaml
-- try.sh --
mkdir -p skills/x
{ printf 'skill: x\nversion: 1.0.0\ncore_version: 1.0.0\n'; case $1 in
	add) mkdir -p "skills/x/add/$(dirname "$2")"; echo x > "skills/x/add/$2"; echo "adds: [$2]" ;;
	modify) mkdir -p "skills/x/modify/$(dirname "$2")"; echo x > "skills/x/modify/$2"; echo "modifies: [$2]" ;;
	*) echo "file_ops: [{type: $1}]" ;;
	esac; } > skills/x/manifest.yaml
nanoclaw --yes skill apply x > out 2>&1; code=$?
grep -o "path '.*' \(is not part of the core, and belongs to the user\|leads to '.env'\)" out || cat out
rm -r skills/x out
exit $code
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two
y
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
2> warning: left out of the core, as folders of data or built files: 'data', 'groups'; a line '!groups/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ ls -A .nanoclaw/base
> VERSION
> a.txt
> set.sh
> try.sh
# Skills.
$ sh try.sh add groups/main/x
? 2
> path 'groups/main/x' is not part of the core, and belongs to the user
$ sh try.sh modify groups/main/CLAUDE.md
? 2
> path 'groups/main/CLAUDE.md' is not part of the core, and belongs to the user
$ sh try.sh add store/messages.db
? 2
> path 'store/messages.db' is not part of the core, and belongs to the user
$ sh try.sh add logs/x
? 2
> path 'logs/x' is not part of the core, and belongs to the user
$ sh try.sh add dist/x
? 2
> path 'dist/x' is not part of the core, and belongs to the user
$ sh try.sh add build/x/y/z
? 2
> path 'build/x/y/z' is not part of the core, and belongs to the user
$ sh try.sh add GROUPS/main/x
? 2
> path 'GROUPS/main/x' is not part of the core, and belongs to the user
$ sh try.sh add Data/x
? 2
> path 'Data/x' is not part of the core, and belongs to the user
$ sh try.sh add data
? 2
> path 'data' is not part of the core, and belongs to the user
$ sh try.sh modify data/x.txt
? 2
> path 'data/x.txt' is not part of the core, and belongs to the user
$ sh try.sh add .env.local
? 2
> path '.env.local' leads to '.env'
$ sh try.sh modify .env.local
? 2
> path '.env.local' leads to '.env'
$ sh try.sh add sub/.ENV.production
? 2
> path 'sub/.ENV.production' leads to '.env'
$ sh try.sh add .envrc
? 2
> path '.envrc' leads to '.env'
$ sh try.sh add .env.example.local
? 2
> path '.env.example.local' leads to '.env'
$ sh try.sh 'delete, path: data/x.txt'
? 2
> path 'data/x.txt' is not part of the core, and belongs to the user
$ sh try.sh 'rename, from: data/x.txt, to: x.txt'
? 2
> path 'data/x.txt' is not part of the core, and belongs to the user
$ sh try.sh 'rename, from: a.txt, to: data/a.txt'
? 2
> path 'data/a.txt' is not part of the core, and belongs to the user
$ sh try.sh 'move, from: a.txt, to: Groups/a.txt'
? 2
> path 'Groups/a.txt' is not part of the core, and belongs to the user
$ sh try.sh 'rename, from: a.txt, to: .env.backup'
? 2
> path '.env.backup' leads to '.env'
$ mkdir -p skills/x/add/data; echo x > skills/x/add/data/x; printf 'skill: x\nversion: 1.0.0\ncore_version: 1.0.0\nadds: [data/x]\n' > skills/x/manifest.yaml
$ nanoclaw skill check skills/x 2>&1 | grep -o "path 'data.*user"
> path 'data/x' is not part of the core, and belongs to the user
$ nanoclaw skill apply x --dry-run 2>/dev/null
? 2
$ nanoclaw skill apply x 2>/dev/null
? 2
# The person says that it is no data.
$ echo '!data/' > .nanoclaw-ignore; nanoclaw skill apply x; nanoclaw -q skill remove x; rm -r .nanoclaw-ignore skills/x; ls data
> x 1.0.0 applied
>   added     data/x
> x 1.0.0 removed
> x.txt
# A remap.
$ cp .nanoclaw/state.yaml state; sh set.sh '{a.txt: groups/main/CLAUDE.md}'; nanoclaw --yes skill apply y --ancestor base
? 2
2> error: this would change 'groups/main/CLAUDE.md', which is yours and not part of the core
2> hint: nothing was changed; if a folder or file is part of the program and not your data, include it with a line such as '!data/' in '.nanoclaw-ignore'
$ sh set.sh '{a.txt: .env.local}'; nanoclaw --yes skill apply y --ancestor base 2>/dev/null
? 2
$ mv state .nanoclaw/state.yaml
# A patch.
$ nanoclaw -q customize start mine; echo three >> a.txt; nanoclaw -q customize commit; cp .nanoclaw/custom/001-mine.patch .nanoclaw/state.yaml .
> recorded as 001-mine
$ sed -i 's,a.txt,data/x.txt,g' .nanoclaw/custom/001-mine.patch; nanoclaw --yes customize apply 001-mine > out 2>&1; echo $?; cat data/x.txt; rm out
> 2
> mine
$ cp 001-mine.patch .nanoclaw/custom/; cp state.yaml .nanoclaw/state.yaml; rm 001-mine.patch state.yaml; nanoclaw -q verify >/dev/null
== after ==
-- a.txt --
one
two
three
