#!/bin/sh
# The hostile packages; run.sh reads this and says what the words mean.
# shellcheck disable=SC2016,SC2154

# --- paths that lead out of the project ---

for path in /etc/passwd //etc/passwd ../outside/x src/../../outside/x .. . ./x src/./x \
	src//x src/ / '""'; do
	fields "an added path $path" <<-END
		adds: [$path]
	END
done
for path in /etc/passwd ../outside/secret src/../src/index.ts; do
	fields "a modified path $path" <<-END
		modifies: [$path]
	END
done
spoil "an added path below a link in the project" \
	'mkdir add/src/link && echo x >add/src/link/x
	sed -i "s|^adds.*|adds: [src/new.ts, src/link/x]|" manifest.yaml'
spoil "an added path that is a link in the project" \
	'echo x >add/src/link; sed -i "s|^adds.*|adds: [src/new.ts, src/link]|" manifest.yaml'
spoil "an added path below a file of the project" \
	'mkdir add/src/index.ts && echo x >add/src/index.ts/x
	sed -i "s|^adds.*|adds: [src/new.ts, src/index.ts/x]|" manifest.yaml'
spoil "a modified path below a link in the project" \
	'mkdir modify/src/link && echo x >modify/src/link/secret
	sed -i "s|^modifies.*|modifies: [src/index.ts, src/link/secret]|" manifest.yaml'
spoil "a modified path that is a link in the project" \
	'echo x >modify/src/link; sed -i "s|^modifies.*|modifies: [src/index.ts, src/link]|" manifest.yaml'
spoil "a modified path that is a folder of the project" \
	'rm -r modify/src; echo x >modify/src; sed -i "s|^modifies.*|modifies: [src]|" manifest.yaml'
fields "an added path with a NUL byte" <<'END'
adds: ["src/new.ts\0/x"]
END
spoil "a component of 300 bytes" \
	'rm -r add; sed -i "s|^adds.*|adds: [src/$(printf %0300d 0)]|" manifest.yaml'
spoil "a path of 5000 bytes" \
	'rm -r add; sed -i "/^adds/d" manifest.yaml
	{ printf "adds: [src"; i=0; while [ $i -lt 500 ]; do printf "/%09d" $i; i=$((i + 1)); done
	echo "]"; } >>manifest.yaml'

# --- paths that are not a skill's to touch ---

for path in .git/hooks/post-checkout .git/config .GIT/config .Git/hooks/x '.git./x' '.git /x' \
	'.git::$INDEX_ALLOCATION/x' git~1/config GIT~1/x sub/.git/config 'a\.git\config' \
	'.git\hooks\x' .git .nanoclaw/state.yaml .NANOCLAW/state.yaml .nanoclaw 'nanocl~1/x' \
	'.nanoclaw\state.yaml' .env sub/.env .ENV; do
	fields "an added path $path" <<-END
		adds: ['$path']
	END
done
for path in '\u200c.git/config' '.g\u200dit/config' '.git\ufeff/x' '.nano\u202eclaw/state.yaml'; do
	fields "an added path with what HFS+ ignores: $path" <<-END
		adds: ["$path"]
	END
done

# Paths that are the person's unless the core has them; this core has none of these.
for path in groups/main/CLAUDE.md groups/x data/global.md data/sessions/main/x store/nanoclaw.db \
	logs/x dist/x build/x data groups/a/b/c/d .env.local .env.production .ENV.local .Env.x \
	.envrc .env~ .env-backup .env.example.local sub/.env.local sub/.env.d/x 'a\.env.local' \
	.env.EXAMPLE .nanoclaw-ignore .Nanoclaw-Ignore; do
	spoil "an added path $path" \
		"mkdir -p 'add/$(dirname "$path")'; rm -rf 'add/$path'; echo x >'add/$path'
		sed -i 's|^adds.*|adds: [src/new.ts, '\''$path'\'']|' manifest.yaml"
	spoil "a modified path $path" \
		"mkdir -p 'modify/$(dirname "$path")'; echo x >'modify/$path'
		sed -i 's|^modifies.*|modifies: [src/index.ts, '\''$path'\'']|' manifest.yaml"
	spoil "a file of the person's at $path that is deleted" \
		"mkdir -p \"\$project/$(dirname "$path")\"; echo mine >\"\$project\"/'$path'
		echo 'file_ops: [{type: delete, path: '\''$path'\''}]' >>manifest.yaml"
	spoil "a file of the person's at $path that is renamed" \
		"mkdir -p \"\$project/$(dirname "$path")\"; echo mine >\"\$project\"/'$path'
		echo 'file_ops: [{type: rename, from: '\''$path'\'', to: taken}]' >>manifest.yaml"
	spoil "a file that is renamed to $path" \
		"echo 'file_ops: [{type: rename, from: VERSION, to: '\''$path'\''}]' >>manifest.yaml"
done
for path in Groups/main/CLAUDE.md GROUPS/x; do
	spoil "an added path $path beside the folder of the person" \
		"mkdir -p \"\$project/groups/main\" 'add/$(dirname "$path")'; echo x >'add/$path'
		sed -i 's|^adds.*|adds: [src/new.ts, '\''$path'\'']|' manifest.yaml"
done
fields "a modified path .git/config" <<END
modifies: [.git/config]
END
fields "a base hash for a path that leads out" <<END
base_hashes: {../outside/secret: $hash}
END
fields "a file operation that deletes in .git" <<END
file_ops: [{type: delete, path: .git/config}]
END
fields "a file operation that moves out of the project" <<END
file_ops: [{type: move, from: src/index.ts, to: ../outside/x}]
END
fields "a file operation that takes from outside" <<END
file_ops: [{type: rename, from: ../outside/secret, to: src/x}]
END

# --- paths that get into each other's way ---

spoil "the same path twice" \
	'sed -i "s|^adds.*|adds: [src/new.ts, src/new.ts]|" manifest.yaml'
spoil "a path that is added and modified" \
	'cp modify/src/index.ts add/src; sed -i "s|^adds.*|adds: [src/new.ts, src/index.ts]|" manifest.yaml'
spoil "paths that differ in case only" \
	'echo x >add/src/NEW.ts; sed -i "s|^adds.*|adds: [src/new.ts, src/NEW.ts]|" manifest.yaml'
spoil "a path that is a folder of another but for its case" \
	'mkdir -p add/SRC/New.ts; echo x >add/SRC/New.ts/x
	sed -i "s|^adds.*|adds: [src/new.ts, SRC/New.ts/x]|" manifest.yaml'
spoil "a path that is a folder of another" \
	'sed -i "s|^adds.*|adds: [src/new.ts, src/new.ts/x]|" manifest.yaml'

# --- links and other things in the package ---

spoil "add/ is a link" 'mv add real && ln -s real add'
spoil "add/ is a link to outside" 'rm -r add && ln -s ../../../outside add'
spoil "modify/ is a link" 'mv modify real && ln -s real modify'
spoil "a folder below add/ is a link" 'mv add/src real && ln -s ../real add/src'
spoil "an added file is a link" 'ln -sf ../../../../../outside/secret add/src/new.ts'
spoil "an added file is a link within the package" \
	'mv add/src/new.ts add/real; ln -s ../real add/src/new.ts'
spoil "a modified file is a link" 'ln -sf ../../../../src/index.ts modify/src/index.ts'
spoil "an unlisted link in add/" 'ln -s /etc/passwd add/src/passwd'
spoil "an unlisted link to a folder in modify/" 'ln -s / modify/src/root'
spoil "the manifest is a link" 'mv manifest.yaml real && ln -s real manifest.yaml'
spoil "the manifest is a link to outside" 'ln -sf ../../../outside/secret manifest.yaml'
spoil "the manifest is a dangling link" 'ln -sf nowhere manifest.yaml'
spoil "the manifest is a FIFO" 'rm manifest.yaml && mkfifo manifest.yaml'
spoil "the manifest is a folder" 'rm manifest.yaml && mkdir manifest.yaml'
spoil "the manifest is missing" 'rm manifest.yaml'
spoil "the manifest is empty" ': >manifest.yaml'
spoil "SKILL.md is a link" 'ln -sf /etc/passwd SKILL.md'
spoil "an added file is a FIFO" 'rm add/src/new.ts && mkfifo add/src/new.ts'
spoil "a modified file is a FIFO" 'rm modify/src/index.ts && mkfifo modify/src/index.ts'
spoil "an unlisted FIFO in add/" 'mkfifo add/pipe'
spoil "add/ is a FIFO" 'rm -r add && mkfifo add'
spoil "add/ is a file" 'rm -r add && echo x >add'
spoil "a listed file is a folder" 'rm add/src/new.ts && mkdir add/src/new.ts'
spoil "a listed file is missing" 'rm add/src/new.ts'
spoil "a listed modified file is missing" 'rm modify/src/index.ts'
spoil "an unlisted file in add/" 'echo x >add/extra'
spoil "an unlisted file in modify/" 'echo x >modify/src/extra.ts'
spoil "an unlisted file in .git below add/" 'mkdir -p add/.git/hooks && echo x >add/.git/hooks/x'
spoil "an unlisted name that is no text" 'touch "$(printf "add/\\033[31m\\377\\nx")"'

# --- YAML ---

spoil "ten megabytes of YAML" \
	'head -c 10485760 /dev/zero | tr "\0" a | sed "s/^/description: /" >>manifest.yaml'
spoil "a hundred thousand brackets" \
	'{ printf "x: "; head -c 100000 /dev/zero | tr "\0" "["; } >>manifest.yaml'
spoil "a thousand braces" \
	'{ printf "x: "; i=0; while [ $i -lt 1000 ]; do printf "{a: "; i=$((i + 1)); done; } >>manifest.yaml'
spoil "a bomb of aliases" \
	'{ echo "a0: &a0 [x,x,x,x,x,x,x,x,x,x]"; i=0; while [ $i -lt 9 ]; do n=$((i + 1))
	echo "a$n: &a$n [*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i]"; i=$n; done; } \
		>>manifest.yaml'
spoil "an alias inside of what it repeats" 'echo "x: &x [*x]" >>manifest.yaml'
spoil "an alias that is not there" 'echo "x: *nowhere" >>manifest.yaml'
spoil "the same key twice" 'echo "skill: other" >>manifest.yaml'
spoil "the same list twice" 'echo "adds: []" >>manifest.yaml'
spoil "two documents" 'printf -- "---\nskill: other\n" >>manifest.yaml'
spoil "a tag that makes an object" 'echo "x: !!python/object:os.system [ls]" >>manifest.yaml'
spoil "a tag of its own" 'echo "x: !run ls" >>manifest.yaml'
spoil "a tab as indentation" 'printf "structured:\n\tenv_additions: [A]\n" >>manifest.yaml'
spoil "bytes that are not UTF-8" 'printf "description: \\377\\376\n" >>manifest.yaml'
spoil "an overlong slash" 'printf "author: \\300\\257\n" >>manifest.yaml'
spoil "a control character" 'printf "author: a\\033[2Jb\n" >>manifest.yaml'
spoil "a NUL byte in the text" 'printf "author: a\\000b\n" >>manifest.yaml'
spoil "UTF-16" 'printf "\\377\\376s\\000k\\000i\\000l\\000l\\000:\\000 \\000a\\000" >manifest.yaml'
spoil "a key that is a list" 'echo "? [a, b]" >>manifest.yaml; echo ": c" >>manifest.yaml'
spoil "a bracket that is never closed" 'echo "depends: [a" >>manifest.yaml'
spoil "ten thousand paths" \
	'sed -i "/^adds/d" manifest.yaml
	{ echo "adds:"; seq -f "- s/%g" 10000; } >>manifest.yaml'
spoil "twenty thousand times the same path" \
	'echo x >add/s; rm -r add/src; sed -i "/^adds/d" manifest.yaml
	{ printf "adds: ["; yes "s," | head -n 20000; echo "]"; } >>manifest.yaml'
spoil "a binary file as the manifest" 'head -c 4096 /bin/sh >manifest.yaml'
manifest "a list as the manifest" <<END
- skill: hostile
END
manifest "a text as the manifest" <<END
rm -rf /
END
manifest "JSON that is cut off" <<END
{"skill": "hostile", "version": "1.0.0", "core_version":
END

# --- wrong types ---

for field in 'adds: src/x' 'adds: {src/x: 1}' 'adds: [[src/x]]' 'adds: [null]' 'adds: [{a: b}]' \
	'modifies: src/x' 'modifies: {a: b}' 'modifies: [[a]]' 'modifies: 7' \
	'description: [a]' 'description: {a: b}' 'author: [a]' 'license: {a: b}' \
	'test: [rm, -rf]' 'test: {a: b}' 'post_apply: make' 'post_apply: {a: b}' \
	'post_apply: [[make]]' 'post_apply: [null]' 'depends: telegram' 'depends: {a: b}' \
	'depends: [[a]]' 'depends: [null]' 'conflicts: telegram' 'conflicts: [{a: b}]' \
	'tested_with: telegram' 'tested_with: [telegram@one]' 'structured: [a]' 'structured: yes' \
	'structured: {npm_dependencies: express}' 'structured: {npm_dependencies: {a: [b]}}' \
	'structured: {env_additions: TOKEN}' 'structured: {env_additions: [[A]]}' \
	'structured: {docker_compose_services: [db]}' \
	'structured: {docker_compose_services: {db: image}}' \
	'structured: {system_packages: jq}' 'file_ops: rename' 'file_ops: {type: delete}' \
	'file_ops: [rename]' 'file_ops: [{}]' 'file_ops: [{type: chmod, path: src/index.ts}]' \
	'file_ops: [{type: rename, from: src/index.ts}]' 'file_ops: [{type: delete}]' \
	'file_ops: [{type: [delete], path: src/index.ts}]' \
	'file_ops: [{type: rename, from: [a], to: b}]' \
	'file_ops: [{type: rename, from: src/index.ts, to: src/index.ts}]' \
	'base_hashes: [a]' 'base_hashes: x' 'base_hashes: {src/index.ts: [x]}' \
	'base_hashes: {src/index.ts: 1234}' 'base_hashes: {src/index.ts: null}' \
	'min_skills_system_version: [1]' 'min_skills_system_version: one' \
	'min_skills_system_version: 0.1'; do
	fields "$field" <<-END
		$field
	END
done
fields "a base hash in upper case" <<END
base_hashes: {src/index.ts: $(echo "$hash" | tr a-f A-F)}
END

# --- names and versions ---

for name in ../x a/b '"a\nb"' .hidden . .. -rf '""' null '[a]' '{a: b}' '"a\0b"' 'a b' 'a@1.0.0' \
	'"\x1b[2J"' "$(printf '%0101d' 0)"; do
	manifest "the name $name" <<-END
		skill: $name
		version: 1.0.0
		core_version: 0.1.0
	END
done
for version in 1 1.0 v1.0.0 01.0.0 1.0.0- 1.0.0+ 1.0.0-01 1.0.0.0 1.-1.0 latest '""' null '[1]' \
	'{a: b}' 99999999999999999999.0.0 '1.0.0 ; rm' '"1.0.0\n"'; do
	manifest "the version $version" <<-END
		skill: hostile
		version: $version
		core_version: 0.1.0
	END
	manifest "the core version $version" <<-END
		skill: hostile
		version: 1.0.0
		core_version: $version
	END
done
manifest "no name" <<END
version: 1.0.0
core_version: 0.1.0
END
manifest "no version" <<END
skill: hostile
core_version: 0.1.0
END
manifest "no core version" <<END
skill: hostile
version: 1.0.0
END
spoil "a skills system that is newer than this one" \
	'echo "min_skills_system_version: 99.0.0" >>manifest.yaml'

# --- relations ---

spoil "a dependency on itself" 'echo "depends: [hostile]" >>manifest.yaml'
spoil "a conflict with itself" 'echo "conflicts: [hostile]" >>manifest.yaml'
spoil "a dependency that is a conflict too" 'printf "depends: [a]\nconflicts: [a]\n" >>manifest.yaml'
spoil "a dependency that does not exist" 'echo "depends: [nowhere]" >>manifest.yaml'
spoil "a dependency that is a path" 'echo "depends: [../../outside]" >>manifest.yaml'
spoil "two skills that depend on each other" \
	'echo "depends: [b]" >>manifest.yaml; mkdir ../b
	printf "skill: b\nversion: 1.0.0\ncore_version: 0.1.0\ndepends: [hostile]\n" >../b/manifest.yaml'
spoil "three skills that depend on each other" \
	'echo "depends: [b]" >>manifest.yaml; mkdir ../b ../c
	printf "skill: b\nversion: 1.0.0\ncore_version: 0.1.0\ndepends: [c]\n" >../b/manifest.yaml
	printf "skill: c\nversion: 1.0.0\ncore_version: 0.1.0\ndepends: [hostile]\n" >../c/manifest.yaml'

# --- file operations ---

for path in /etc/passwd ../outside/secret src/../../outside/x .git/config .GIT/config \
	.nanoclaw/state.yaml .env; do
	fields "a file operation that deletes $path" <<-END
		file_ops: [{type: delete, path: $path}]
	END
	fields "a file operation that renames $path" <<-END
		file_ops: [{type: rename, from: $path, to: src/taken}]
	END
	fields "a file operation that renames to $path" <<-END
		file_ops: [{type: move, from: src/index.ts, to: $path}]
	END
done
for op in '{type: rename, from: src/index.ts, to: src/index.ts}' \
	'{type: rename, from: src/index.ts, to: VERSION}' \
	'{type: rename, from: src/index.ts, to: src/link}' \
	'{type: rename, from: src/index.ts, to: src/link/x}' \
	'{type: rename, from: src/link/secret, to: src/x}' \
	'{type: rename, from: src/index.ts, to: VERSION/x}' \
	'{type: rename, from: src/index.ts, to: src/index.ts/x}' \
	'{type: rename, from: src/index.ts, to: src}' \
	'{type: rename, from: src, to: other}' \
	'{type: rename, from: src/missing, to: src/x}' \
	'{type: rename, from: src/index.ts}' \
	'{type: delete, path: src/link/secret}' \
	'{type: delete, path: src}' \
	'{type: delete, path: src/missing}' \
	'{type: shred, path: src/index.ts}' \
	'{type: rename, from: VERSION, to: x}, {type: rename, from: x, to: VERSION}' \
	'{type: rename, from: VERSION, to: x}, {type: rename, from: VERSION, to: y}' \
	'{type: rename, from: VERSION, to: x}, {type: rename, from: src/index.ts, to: x}' \
	'{type: delete, path: VERSION}, {type: rename, from: src/index.ts, to: VERSION}' \
	'{type: delete, path: VERSION}, {type: delete, path: VERSION}' \
	'{type: delete, path: VERSION}, {type: rename, from: VERSION, to: x}'; do
	fields "the file operations $op" <<-END
		file_ops: [$op]
	END
done
spoil "a file that is deleted and modified" \
	'echo "file_ops: [{type: delete, path: src/index.ts}]" >>manifest.yaml'
spoil "a file that is deleted and added" \
	'echo "file_ops: [{type: delete, path: src/new.ts}]" >>manifest.yaml'
spoil "a file that is renamed to one that is added" \
	'echo "file_ops: [{type: rename, from: VERSION, to: src/new.ts}]" >>manifest.yaml'
spoil "more file operations than anybody needs" \
	'{ echo "file_ops:"; i=0; while [ $i -lt 1001 ]; do
	echo "- {type: rename, from: a$i, to: b$i}"; i=$((i + 1)); done; } >>manifest.yaml'
