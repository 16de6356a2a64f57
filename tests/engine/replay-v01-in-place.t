# a project of v0.1: a replay brings its state up to date, and then skills can be removed
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one x
two
three
four mine
five
six
seven
eight y
-- x.txt [755] --
x
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/a.txt --
one
two
three
four
five
six
seven
eight
-- .nanoclaw/state.yaml --
skills_system_version: "0.1.0"
core_version: 1.0.0
applied_skills:
  - name: x
    version: 1.0.0
    applied_at: 2026-02-16T22:47:02.139Z
    file_hashes:
      a.txt: f22c75bde0f750304d3e5d0b788c33a8ed42cad8489d3d7b7164e888aa36ccc7
      x.txt: 73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac
  - name: y
    version: 1.0.0
    applied_at: 2026-02-16T22:47:02.139Z
    file_hashes:
      a.txt: 9756853644fc5e155fa863574c120eeb03a09341c83936522253c746a05afb72
custom_modifications:
  - description: Mine
    applied_at: 2026-02-18T12:00:00Z
    files_modified: [a.txt]
    patch_file: .nanoclaw/custom/001-mine.patch
-- .nanoclaw/custom/001-mine.patch --
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,7 +1,7 @@
 one x
 two
 three
-four
+four mine
 five
 six
 seven
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt [755] --
x
-- skills/x/modify/a.txt --
one x
two
three
four
five
six
seven
eight
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two
three
four
five
six
seven
eight y
== run ==
$ nanoclaw skill remove x --on-drift continue
? 2
2> error: the applied files of skill 'x' are not kept
2> hint: nothing was changed; 'nanoclaw replay' restores them from its package, if it still exists
$ mv .nanoclaw/custom .; sed -i '/^custom_modifications/,$d' .nanoclaw/state.yaml; sed -i 's/four mine/four/' a.txt; nanoclaw --yes rebase
? 2
2> error: the applied files of skill 'x' are not kept
2> hint: nothing was changed; 'nanoclaw replay' restores them from its package, if it still exists
$ mv custom .nanoclaw; sed -i 's/four/four mine/' a.txt; printf '%s\n' 'custom_modifications:' '  - description: Mine' '    files_modified: [a.txt]' '    patch_file: .nanoclaw/custom/001-mine.patch' >> .nanoclaw/state.yaml
$ nanoclaw replay --on-drift abort
? 1
2> error: 'a.txt' changed, and the changes are not recorded; nothing was done
2> hint: 'nanoclaw diff' shows the changes; '--on-drift record' records them, '--on-drift continue' leaves them unrecorded
$! nanoclaw replay
> 2 skills and 1 patch replayed: 2 files are as recorded
>   package   .nanoclaw/applied/x: the pack is missing; the skill is taken from the package 'skills/x'
>   package   .nanoclaw/applied/y: the pack is missing; the skill is taken from the package 'skills/y'
$ nanoclaw verify
> 8 files checked: all as recorded
$! nanoclaw skill remove x
> x 1.0.0 removed
>   merged    a.txt
>   removed   x.txt
$ nanoclaw diff --by a.txt; nanoclaw verify
> a.txt
> core      1  one
>           2  two
>           3  three
> 001-mine  4  four mine
> core      5  five
>           6  six
>           7  seven
> y         8  eight y
>   6 core, 1 skill y, 1 patch 001-mine
> 6 files checked: all as recorded
$ nanoclaw --yes -q rebase; nanoclaw verify
> rebased onto core 1.0.0; your files stayed as they are
> 7 files checked: all as recorded
== after ==
-- a.txt --
one
two
three
four mine
five
six
seven
eight y
-- !x.txt --
