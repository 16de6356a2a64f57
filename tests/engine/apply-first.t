# the first skill takes the base, adds its file and merges its change
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/objects
-- VERSION --
1.0.0
-- src/a.txt --
one
two
three
four
five
-- skills/hello/manifest.yaml --
skill: hello
version: 1.0.0
core_version: 1.0.0
adds:
  - src/deep/new/hello.txt
modifies:
  - src/a.txt
test: grep -q HELLO src/a.txt
-- skills/hello/add/src/deep/new/hello.txt [755] --
hi
-- skills/hello/modify/src/a.txt --
one HELLO
two
three
four
five
== run ==
$! nanoclaw skill apply hello
> hello 1.0.0 applied
>   added     src/deep/new/hello.txt
>   merged    src/a.txt
> 1 test passed
== after ==
-- src/deep/new/hello.txt [755] --
hi
-- src/a.txt --
one HELLO
two
three
four
five
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/src/a.txt --
one
two
three
four
five
