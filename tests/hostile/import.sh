#!/bin/sh
# Hostile resolutions: 'resolution import' refuses them with exit code 2, and nothing
# is touched.
#
#	import.sh NANOCLAW
#
# Every case begins with the same project and the same innocent resolution, and then
# spoils one thing. The whole tree, with what lies beside the project, must be the same
# before and after: names, kinds, permissions, times of change, link targets, bytes.
# Prints TAP.
set -u

nanoclaw=$(realpath "$1")
here=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$here" && rm -rf "$here"' EXIT
count=0
failed=0
project=$here/all/project
store=$here/all/theirs
folder="$store/x@1.0.0+y@1.0.0"
export project store folder here

hash_of() {
	sha256sum | cut -c1-64
}

build() {
	mkdir -p "$here/all/outside" "$project/.git/hooks" "$folder" "$project/skills/x/modify" \
		"$project/skills/y/modify" || exit 1
	echo secret >"$here/all/outside/secret"
	echo 1.0.0 >"$project/VERSION"
	printf 'one\ntwo\n' >"$project/a.txt"
	for skill in x y; do
		printf 'skill: %s\nversion: 1.0.0\ncore_version: 1.0.0\nmodifies: [a.txt]\n' $skill \
			>"$project/skills/$skill/manifest.yaml"
		printf 'one\n%s\n' $skill >"$project/skills/$skill/modify/a.txt"
	done
	printf 'one\nx and y\n' >"$folder/a.txt.resolution"
	cat >"$folder/meta.yaml" <<-END
		skills: [x@1.0.0, y@1.0.0]
		apply_order: [x, y]
		core_version: 1.0.0
		resolved_at: 2026-02-15T10:00:00Z
		tested: true
		test_passed: true
		resolution_source: maintainer
		file_hashes:
		  a.txt:
		    base: "$(hash_of <"$project/a.txt")"
		    current: "$(hash_of <"$project/skills/x/modify/a.txt")"
		    skill: "$(hash_of <"$project/skills/y/modify/a.txt")"
		    output: "$(hash_of <"$folder/a.txt.resolution")"
	END
}

# Everything about the files, in one text.
describe() {
	(cd "$here/all" && find . -printf '%p %y %m %s %T@ %l\n' | LC_ALL=C sort &&
		find . -type f -size -1000k -exec sha256sum {} + | LC_ALL=C sort)
}

report() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$here/output" "$here/difference" 2>/dev/null
		failed=1
	fi
}

# spoil NAME 'COMMANDS': run in the folder of the resolution.
spoil() {
	rm -rf "$here/all" "$here/difference"
	build
	(cd "$folder" && eval "$2") || exit 1
	describe >"$here/before"
	(cd "$project" && timeout 60 "$nanoclaw" resolution import "$store") >"$here/output" 2>&1
	code=$?
	describe >"$here/after"
	diff "$here/before" "$here/after" >"$here/difference" 2>&1 && [ $code = 2 ]
	report $? "$1"
}

# A path in meta.yaml, with a hash that fits to the resolution.
path() {
	spoil "the path $1" "sed -i 's|^  a.txt:|  $1:|' meta.yaml"
}

rm -rf "$here/all"
build
(cd "$project" && "$nanoclaw" resolution import "$store") >"$here/output" 2>&1 &&
	cmp -s "$folder/a.txt.resolution" \
		"$project/.nanoclaw/resolutions/x@1.0.0+y@1.0.0/a.txt.resolution"
report $? "the innocent one is taken"

for name in /etc/passwd ../outside/secret a/../../x . .. ./a.txt a//b a/ .git/config \
	.GIT/hooks/x sub/.git/x .nanoclaw/state.yaml 'git~1/config' '""'; do
	path "$name"
done
spoil "the result is a link" 'ln -sf ../../outside/secret a.txt.resolution'
spoil "meta.yaml is a link" 'mv meta.yaml ../m && ln -s ../m meta.yaml'
spoil "a folder in it is a link" 'ln -s ../../outside sub'
spoil "the folder itself is a link" 'mv "$folder" "$here/all/moved" && ln -s ../moved "$folder"'
spoil "a pipe instead of the result" 'rm a.txt.resolution && mkfifo a.txt.resolution'
spoil "a pipe instead of meta.yaml" 'rm meta.yaml && mkfifo meta.yaml'
spoil "a pipe beside it" 'mkfifo b.resolution'
spoil "a result that is too large" 'truncate -s 65M a.txt.resolution'
spoil "a preimage that is too large" 'truncate -s 65M a.txt.preimage'
spoil "a meta.yaml that is too large" 'truncate -s 17M meta.yaml'
spoil "a meta.yaml that is not UTF-8" 'printf "\377\n" >>meta.yaml'
spoil "a meta.yaml with a NUL" 'printf "a: \000\n" >>meta.yaml'
spoil "a meta.yaml that is nothing" ': >meta.yaml'
spoil "a meta.yaml that is a bomb" '{ echo "a: &a [x,x,x,x,x,x,x,x,x]"
	p=a; for c in b c d e f g h i; do echo "$c: &$c [*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p]"; p=$c; done
	} >>meta.yaml'
spoil "too many files" 'mkdir many && cd many && seq 20001 | xargs touch'
spoil "no meta.yaml" 'rm meta.yaml'
spoil "no result" 'rm a.txt.resolution'
spoil "a result without hashes" 'echo x >b.resolution'
spoil "a result below .git" 'mkdir .git && echo x >.git/config.resolution'
spoil "a result with another byte" 'printf X >>a.txt.resolution'
spoil "a result with markers" 'printf "<<<<<<< a\n=======\n>>>>>>> b\n" >a.txt.resolution
	h=$(sha256sum <a.txt.resolution | cut -c1-64)
	sed -i "s/output: .*/output: $h/" meta.yaml'
for key in base current skill output; do
	spoil "another digit in the hash '$key'" \
		"sed -i 's/\\(^    $key: \"\\)\\(.\\)/\\1\\2_/; s/^\\(    $key: \"\\)0_/\\11/; s/^\\(    $key: \"\\)._/\\10/' meta.yaml"
	spoil "no hash '$key'" "sed -i '/^    $key:/d' meta.yaml"
	spoil "half a hash '$key'" "sed -i 's/^\\(    $key: \"\\).\\{32\\}/\\1/' meta.yaml"
done
spoil "skills with a slash" 'sed -i "s|^skills.*|skills: [../x, y]|; /^apply/d" meta.yaml'
spoil "skills that are none" 'sed -i "s|^skills.*|skills: []|; /^apply/d" meta.yaml'
spoil "skills that are a text" 'sed -i "s|^skills.*|skills: x|; /^apply/d" meta.yaml'
spoil "the same file under two names" 'sed -n "/^  a.txt/,\$p" meta.yaml |
	sed "s/^  a.txt:/  \"\\\\\"a.txt\\\\\"\":/" >../m && cat ../m >>meta.yaml && rm ../m'
spoil "two folders for the same skills" 'cp -r "$folder" "$store/y+x"'
spoil "a good one beside a bad one" 'cp -r "$folder" "$store/a-first" && rm meta.yaml'
spoil "nothing at all" 'rm -r "$folder"'
spoil "a link where it should be put" \
	'mkdir "$project/.nanoclaw" && install -m 600 /dev/null "$project/.nanoclaw/lock" &&
	ln -s ../../outside "$project/.nanoclaw/resolutions"'
spoil "a link where its folder should be put" 'mkdir -p "$project/.nanoclaw/resolutions" &&
	install -m 600 /dev/null "$project/.nanoclaw/lock" &&
	ln -s ../../../outside "$project/.nanoclaw/resolutions/x@1.0.0+y@1.0.0"'
echo "1..$count"
exit $failed
