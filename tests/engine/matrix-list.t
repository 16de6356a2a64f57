# the list of the maintainers adds stacks and earlier cores; its faults have their places
needs: git
ignore: *
-- VERSION --
1.1.0
-- a.txt --
one
two
-- old/VERSION --
0.9.0
-- old/a.txt --
one
two
old
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 0.9.0
modifies: [a.txt]
test: grep -q A a.txt; test -e made-by-setup
-- skills/a/modify/a.txt --
one A
two
old
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 0.9.0
adds: [b.txt]
-- skills/b/add/b.txt --
b
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.1.0
conflicts: [b]
adds: [c.txt]
-- skills/c/add/c.txt --
c
-- .claude/skills/matrix.yaml --
cores:
  - {version: 0.9.0, from: old}
  - version: 0.8.0
    from: v0.8.0
stacks:
  - [a, b]
setup: touch made-by-setup
-- fault --
printf "$1" >.claude/skills/matrix.yaml
nanoclaw matrix
-- run.sh --
nanoclaw matrix run "$@" >"$HOME/out"; code=$?
sed '1,/^entry/{/^entry/!d}; s/ *[0-9]*\.[0-9] *$//; s/ ([0-9.]* s)//' "$HOME/out"
exit $code
== run ==
$ git init -q; echo 0.8.0 >VERSION; printf 'one\ntwo\nold\n' >a.txt; git add VERSION a.txt; git commit -qm old; git tag v0.8.0; echo 1.1.0 >VERSION; printf 'one\ntwo\n' >a.txt
$ sed -i 's/core_version: 0.9.0/core_version: 0.8.0/' skills/b/manifest.yaml; nanoclaw matrix
> entry      kind   why
> 1.1.0/a    alone  each skill alone
> 1.1.0/b    alone  each skill alone
> 1.1.0/c    alone  each skill alone
> 1.1.0/a+b  pair   a and b are a stack of line 6 in .claude/skills/matrix.yaml
> 0.9.0/a    alone  each skill alone
> 0.9.0/b    alone  each skill alone
> 0.9.0/a+b  pair   a and b are a stack of line 6 in .claude/skills/matrix.yaml
> 0.8.0/b    alone  each skill alone
>
> 8 entries on 3 cores: 6 alone, 2 pairs, 0 stacks
2> c was written for core 1.1.0: it is not tested on 0.9.0
2> a was written for core 0.9.0: it is not tested on 0.8.0
2> c was written for core 1.1.0: it is not tested on 0.8.0
$ sh run.sh -j 2
? 1
> entry      result       seconds
> 1.1.0/a    failed
> 1.1.0/b    passed
> 1.1.0/c    passed
> 1.1.0/a+b  failed
> 0.9.0/a    passed
> 0.9.0/b    passed
> 0.9.0/a+b  passed
> 0.8.0/b    passed
>
> 1.1.0/a: failed
>   a 1.0.0 was written for core 0.9.0, this is 1.1.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:
>       one
>   log: .nanoclaw/matrix/1.1.0/a.log
>
> 1.1.0/a+b: failed
>   a 1.0.0 was written for core 0.9.0, this is 1.1.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:
>       one
>   log: .nanoclaw/matrix/1.1.0/a+b.log
>
> 6 passed, 0 unchanged, 2 failed
$ sh fault 'stacks:\n  - [a, nobody]\n'
? 2
2> error: .claude/skills/matrix.yaml:2:9: there is no package for the skill 'nobody'
$ sh fault 'stacks:\n  - [a]\n'
? 2
2> error: .claude/skills/matrix.yaml:2:5: a stack has 2 to 10 skills, not 1
$ sh fault 'stacks:\n  - [a, b]\n  - [b, c]\n'
? 2
2> error: .claude/skills/matrix.yaml:3:5: these cannot be a stack: c declares a conflict with b
$ sh fault 'stacks:\n  - [a, a]\n'
? 2
2> error: .claude/skills/matrix.yaml:2:9: 'a' is in the stack twice
$ sh fault 'stack: []\n'
? 2
2> error: .claude/skills/matrix.yaml:1:1: 'stack' is not a key of this file
$ sh fault 'cores: [1.x]\n'
? 2
2> error: .claude/skills/matrix.yaml:1:9: version '1.x' is not of the form 1.2.3
$ sh fault 'cores:\n  - 0.7.0\n'
? 2
2> error: .claude/skills/matrix.yaml:2:5: core 0.7.0 is not among the earlier cores of this project
2> hint: name its location: {version: 0.7.0, from: FOLDER or git ref}
$ sh fault 'cores:\n  - {version: 0.7.0, from: x}\n  - 0.7.0\n'
? 2
2> error: .claude/skills/matrix.yaml:3:5: core 0.7.0 is listed twice (first on line 2)
$ sh fault 'stack_limit: many\n'
? 2
2> error: .claude/skills/matrix.yaml:1:14: 'stack_limit' must be an integer, not a string
$ sh fault 'cores: {\n'
? 2
2> error: .claude/skills/matrix.yaml:2:1: did not find expected node content while parsing a flow node
$ sh fault 'cores:\n  - {version: 0.7.0, from: nowhere}\n' | tail -1; sed -i 's/core_version: 0.8.0/core_version: 0.7.0/' skills/b/manifest.yaml; nanoclaw matrix run --core-versions 0.7.0
? 2
> 3 entries on 2 cores: 3 alone, 0 pairs, 0 stacks
2> a was written for core 0.9.0: it is not tested on 0.7.0
2> b was written for core 0.8.0: it is not tested on 0.7.0
2> c was written for core 1.1.0: it is not tested on 0.7.0
2> error: core 0.7.0: 'nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
$ sh fault 'setup: echo no; exit 3\n' | tail -1; nanoclaw matrix run --fresh
? 1
> 3 entries on 1 core: 3 alone, 0 pairs, 0 stacks
2> error: the setup of core 1.1.0 failed with exit code 3: echo no; exit 3
2> no
$ rm .claude/skills/matrix.yaml; mkdir new; cp a.txt run.sh new; echo 1.2.0 >new/VERSION; sed -i 's/core_version: 0.9.0/core_version: 1.1.0/; /^test/d' skills/a/manifest.yaml; printf 'one A\ntwo\n' >skills/a/modify/a.txt; nanoclaw -q init; nanoclaw -q --yes update new; nanoclaw matrix --core-versions 1.1.0,1.2.0
> Core updated: 1.1.0 → 1.2.0
> entry    kind   why
> 1.2.0/a  alone  each skill alone
> 1.2.0/b  alone  each skill alone
> 1.2.0/c  alone  each skill alone
> 1.1.0/a  alone  each skill alone
> 1.1.0/b  alone  each skill alone
> 1.1.0/c  alone  each skill alone
>
> 6 entries on 2 cores: 6 alone, 0 pairs, 0 stacks
$ sh run.sh --core-versions 1.1.0 --skills a
> entry    result       seconds
> 1.1.0/a  passed
>
> 1 passed, 0 unchanged, 0 failed
