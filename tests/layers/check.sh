#!/bin/sh
# Does the source keep to its layers?
#
#	check.sh [TREE]
#
# For every folder in TREE/src, each `#include "…"` is compared with the file
# `rules`, and so is `#include <…>` of a folder that has a rule. A folder without a
# rule has that of the folder above it. And nothing but src/fs/sys.c may call what
# changes the file system: all other code goes through its table, or no crash test
# would see the call. In the engine only the files in `writers` may use that table.
# And no room, which is a folder of src, has more lines of code than the file `budget` allows.
# Prints TAP. The tree is the one that this file is in, unless one is named.
set -u

here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}" || exit 2

# A tree to which skills were applied has their rooms and lines, too.
theirs=0
awk '/^applied_skills:/ { getline; found = found || /^ *- / } /^rebased_at:/ { found = 1 }
	END { exit !found }' .nanoclaw/state.yaml 2>/dev/null && theirs=1

find src \( -name '*.[ch]' -o -name '*.js' -o -name '*.css' -o -name '*.html' -o -name '*.txt' \) \
	! -path '*/vendor/*' | LC_ALL=C sort |
	awk -v rules="$here/rules" -v writers="$here/writers" -v budget="${BUDGET-$here/budget}" \
		-v theirs=$theirs '
# The rule that counts for a path below src: that of the folder, else of the one above it.
function layer_of(path) {
	while (sub(/\/[^\/]*$/, "", path))
		if (path in has_rule)
			return path
	return path
}

function read_rules(    line, layer, names, count, i) {
	while ((getline line <rules) > 0) {
		if (line !~ /^[a-z\/]+:/)
			continue
		layer = substr(line, 1, index(line, ":") - 1)
		has_rule[layer] = 1
		line = substr(line, index(line, ":") + 1)
		if (layer == "low") {
			low = line
			delete has_rule[layer]
			continue
		}
		sub(/ low( |$)/, " " low " ", line)
		count = split(line, names, " ")
		for (i = 1; i <= count; i++)
			allowed[layer, names[i]] = 1
	}
	close(rules)
}

function read_writers(    line, words) {
	while ((getline line <writers) > 0)
		if (line ~ /^src/ && split(line, words, " "))
			may_write[words[1]] = 1
	close(writers)
}

function read_budget(    line, words) {
	while ((getline line <budget) > 0)
		if (line ~ /^[a-z]/ && split(line, words, " "))
			allowance[words[1]] = words[2]
	close(budget)
}

function is_writer(path,    folder) {
	folder = path
	sub(/[^\/]*$/, "", folder)
	return path !~ /^src\/engine\// || (path in may_write) || (folder in may_write)
}

# By its name, or by that of a folder above it with a slash at the end.
function may_include(layer, folder) {
	if ((layer, "*") in allowed || (layer, folder) in allowed)
		return 1
	do {
		if ((layer, folder "/") in allowed)
			return 1
	} while (sub(/\/[^\/]*$/, "", folder))
	return 0
}

function complain(what, text) {
	problems[what] = problems[what] "# " file ":" number ": " text "\n"
}

function check_include(line,    name, shown, folder) {
	name = line
	sub(/^[^"<]*["<]/, "", name)
	shown = line ~ /^[^"<]*</ ? "<" : "\""
	sub(/[">].*/, "", name)
	shown = shown name (shown == "<" ? ">" : "\"")
	folder = name ~ /\// ? layer_of(name) : ""
	if (name ~ /(^|\/)\.\.?\//)
		complain(layer, shown " is not named from src")
	else if (shown ~ /^</ && !(folder in has_rule))
		return
	else if (folder != "" && !may_include(layer, folder))
		complain(layer, layer " may not include " shown)
}

# The line without comments; what could be taken for code in strings is blanked.
function code_of(line,    out, at, sign, text) {
	out = ""
	while (line != "") {
		if (in_comment) {
			at = index(line, "*/")
			if (!at)
				return out
			in_comment = 0
			line = substr(line, at + 2)
			continue
		}
		if (!match(line, /\/\*|\/\/|["\047]/))
			return out line
		out = out substr(line, 1, RSTART - 1)
		sign = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (sign == "//")
			return out
		if (sign == "/*") {
			in_comment = 1
			out = out " "
			continue
		}
		if (!match(line, sign == "\"" ? "^([^\"\\\\]|\\\\.)*\"" : "^([^\047\\\\]|\\\\.)*\047"))
			return out
		text = substr(line, 1, RLENGTH - 1)
		line = substr(line, RLENGTH + 1)
		gsub(/[^a-z+]/, " ", text)
		out = out sign text sign
	}
	return out
}

function check_calls(code,    rest, name, before) {
	rest = code
	while (match(rest, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
		before = substr(rest, 1, RSTART - 1)
		name = substr(rest, RSTART, RLENGTH - 1)
		sub(/[ \t]+$/, "", name)
		rest = substr(rest, RSTART + RLENGTH)
		if (name in changing && before !~ /(\.|->)$/ && !((file, name) in exempt))
			complain("calls", name "() is called past the table of src/fs/sys.h")
	}
}

# A statement may go over several lines.
function check_statement(text) {
	if (text ~ /(^|[^A-Za-z0-9_])f(re)?open[ \t]*\(.*,[ \t]*"[a-z]*[wa+]/)
		complain("calls", "fopen() for writing")
	if (text ~ /(^|[^A-Za-z0-9_])O_(CREAT|TRUNC|TMPFILE)([^A-Za-z0-9_]|$)/ &&
	    text !~ /(^|[^A-Za-z0-9_])sys\.create[ \t]*\(/)
		complain("calls", "O_CREAT and the like are for sys.create() only")
}

function check_code(code,    at) {
	check_calls(code)
	if (code ~ writing && !is_writer(file))
		complain("writers", "only the files in tests/layers/writers write to the disk")
	while ((at = match(code, /[;{}]/))) {
		check_statement(statement substr(code, 1, at - 1))
		statement = ""
		code = substr(code, at + 1)
	}
	statement = statement code " "
}

# A file of another format may have a key of the same name: those are in `other_format`.
function check_keys(line,    key) {
	while (match(line, /"[a-z_]+"/)) {
		key = substr(line, RSTART + 1, RLENGTH - 2)
		line = substr(line, RSTART + RLENGTH)
		if (key in state_key && !((file, key) in other_format))
			complain("keys", "\"" key "\" is a key of state.yaml: see src/engine/state")
	}
}

function check_file(path,    line) {
	file = path
	number = 0
	in_comment = 0
	statement = ""
	layer = path ~ /^src\/.*\// ? layer_of(substr(path, length("src/") + 1)) : "."
	seen[layer] = 1
	while ((getline line <path) > 0) {
		number++
		if (path ~ /^src\/(engine|cli)\// && path !~ /^src\/engine\/state\//)
			check_keys(line)
		if (!in_comment && line ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) {
			count_line(line)
			check_include(line)
			continue
		}
		line = code_of(line)
		count_line(line)
		if (path != "src/fs/sys.c")
			check_code(line)
	}
	check_statement(statement)
	close(path)
}

# Pages and tables of data are counted, and nothing else.
function count_file(path,    line) {
	file = path
	in_comment = 0
	while ((getline line <path) > 0)
		if (path !~ /\.txt$/)
			count_line(code_of(line))
		else if (line !~ /^[ \t]*#/)
			count_line(line)
	close(path)
}

function count_line(code,    room) {
	room = file
	sub(/^src\//, "", room)
	if (!sub(/\/[^\/]*$/, "", room))
		room = "."
	lines[room] += code ~ /[^ \t]/
}

function check_budget(    room) {
	for (room in lines)
		if (!(room in allowance))
			over(room, "has " lines[room] " lines of code and no budget")
		else if (lines[room] > allowance[room] + 0)
			over(room, "has " lines[room] " lines of code, and its budget is " allowance[room])
	for (room in allowance)
		if (!(room in lines))
			over(room, "has a budget, and no lines of code")
}

function over(room, text) {
	if (theirs)
		print "# src/" room " " text ": skills were applied to this tree"
	else
		problems["budget"] = problems["budget"] "# src/" room " " text "\n"
}

function result(what, name) {
	if (what in problems) {
		printf "not ok %d - %s\n%s", ++count, name, problems[what]
		failed = 1
	} else {
		printf "ok %d - %s\n", ++count, name
	}
}

BEGIN {
	read_rules()
	read_writers()
	read_budget()
	writing = "(^|[^A-Za-z0-9_.>])(sys\\.[a-z]|sys_write_all|BENEATH_CREATE|" \
		"replace_(file|prepare|place)|tree_(copy|remove))"
	names = "chmod chown copy_file_range creat dprintf fallocate fchmod fchmodat fchown " \
		"fchownat fdatasync fremovexattr fsetxattr fsync ftruncate futimens lchown " \
		"link linkat lremovexattr lsetxattr mkdir mkdirat mkdtemp mkfifo mkfifoat " \
		"mknod mknodat mkostemp mkostemps mkstemp mkstemps posix_fallocate pwrite " \
		"pwrite64 pwritev pwritev2 remove removexattr rename renameat renameat2 rmdir " \
		"sendfile setxattr splice symlink symlinkat sync syncfs tmpfile truncate " \
		"unlink unlinkat utime utimensat utimes vdprintf write writev"
	# The last words of a process that is out of memory, on standard error.
	exempt["src/base/alloc.c", "write"] = 1
	split(names, list, " ")
	for (i in list)
		changing[list[i]] = 1
	names = "applied_skills baked_modifications contents custom_modifications custom_patch " \
		"custom_patch_description custom_patches file_hashes file_ops files_added " \
		"files_deleted files_found files_modified hashes modes moved patch_file " \
		"patch_hash path_remap rebased_at renames structured_decisions " \
		"structured_files structured_outcomes updated_from"
	split("", list)
	split(names, list, " ")
	for (i in list)
		state_key[list[i]] = 1
	names = "src/engine/author/author_text.c:file_ops src/engine/author/author_text.c:renames " \
		"src/engine/author/refresh_manifest.c:file_ops " \
		"src/engine/maintain/release_package.c:file_ops " \
		"src/engine/maintain/release_package.c:path_remap " \
		"src/engine/newcore/core_ops.c:file_ops src/engine/newcore/core_ops.c:path_remap " \
		"src/engine/newcore/core_source_package.c:file_ops " \
		"src/engine/newcore/core_source_package.c:path_remap " \
		"src/engine/package/manifest.c:file_ops " \
		"src/engine/resolution/resolution_meta.c:file_hashes " \
		"src/engine/resolution/resolution_meta_write.c:file_hashes " \
		"src/engine/stack/file_ops.c:renames src/cli/skills/skill_show.c:renames " \
		"src/engine/structured/structured_state.c:structured_decisions " \
		"src/engine/structured/structured_state.c:structured_files " \
		"src/engine/structured/structured_state.c:structured_outcomes"
	split(names, list, " ")
	for (i in list) {
		split(list[i], pair, ":")
		other_format[pair[1], pair[2]] = 1
	}
}

/\.[ch]$/ { check_file($0); next }
{ count_file($0) }

END {
	total = 0
	for (name in seen)
		order[++total] = name
	for (i = 2; i <= total; i++)
		for (j = i; j > 1 && order[j] < order[j - 1]; j--) {
			swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
		}
	for (i = 1; i <= total; i++) {
		if (!(order[i] in has_rule)) {
			file = rules; number = 1
			complain(order[i], "there is no rule for src/" order[i])
		}
		result(order[i], "src/" order[i] " includes only what it may")
	}
	if (!total) {
		file = "src"; number = 1
		complain("calls", "there is no source")
	}
	result("calls", "only src/fs/sys.c calls what changes the file system")
	result("keys", "only src/engine/state spells the keys of a layer in state.yaml")
	result("writers", "the engine writes to the disk through its transaction")
	check_budget()
	result("budget", "no room of src has more lines of code than its budget")
	print "1.." count
	exit failed ? 1 : 0
}'
