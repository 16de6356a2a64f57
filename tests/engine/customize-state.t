# a state with custom patches that is damaged or made to do harm: exit 2 with its place; that of 0.1 is read
# ending: customize.yaml is damaged
ignore: *
-- VERSION --
1.0.0
-- a.txt --
a 1
a 2
== run ==
$ nanoclaw -q init; nanoclaw -q customize start x; echo new >zz.txt; nanoclaw -q customize commit; cp .nanoclaw/state.yaml good
> recorded as 001-x
$ echo SECRET=1 >.env; sed -i 's#zz.txt#.env#g' .nanoclaw/state.yaml; nanoclaw customize apply 001; nanoclaw status; cat .env
> SECRET=1
2> error: .nanoclaw/state.yaml:11:7: '.env' is not a path that is recorded
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
2> error: .nanoclaw/state.yaml:11:7: '.env' is not a path that is recorded
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's#zz.txt#../../etc/passwd#g' good >.nanoclaw/state.yaml; nanoclaw status
? 2
2> error: .nanoclaw/state.yaml:11:7: path '../../etc/passwd' has the component '..'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's#patch_file: .*#patch_file: /etc/passwd#' good >.nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:15:17: 'patch_file': path '/etc/passwd' is absolute
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's#patch_file: .*#patch_file: .env#' good >.nanoclaw/state.yaml; nanoclaw customize apply 001
? 2
2> error: .nanoclaw/state.yaml:15:17: 'patch_file': a patch is in '.nanoclaw/custom/'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's#zz.txt#.git/config#g' good >.nanoclaw/state.yaml; nanoclaw diff
? 2
2> error: .nanoclaw/state.yaml:11:7: '.git/config' is not a path that is recorded
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ printf 'core_version: 1.0.0\ncustom_modifications: {mine: 1}\n' >.nanoclaw/state.yaml; nanoclaw status
? 2
2> error: .nanoclaw/state.yaml:2:23: custom_modifications must be a sequence, not a mapping
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ printf 'core_version: 1.0.0\napplied_skills:\n- name: s\n  version: 1.0.0\n  custom_patches: [mine]\n' >.nanoclaw/state.yaml; nanoclaw status
? 2
2> error: .nanoclaw/state.yaml:5:20: a custom modification must be a mapping, not a string
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
# The form of 0.1: one patch for a skill, and no contents.
$ rm zz.txt; mkdir -p .nanoclaw/custom; printf 'diff --git a/a.txt b/a.txt\nindex 1111..2222 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a 1\n-a 2\n+a 2 mine\n' >.nanoclaw/custom/s-mine.patch
$ printf 'core_version: 1.0.0\napplied_skills:\n- skill: s\n  version: 1.0.0\n  custom_patch: .nanoclaw/custom/s-mine.patch\n  custom_patch_description: Mine\n  file_hashes: {a.txt: %s}\n' "$(sha256sum a.txt | cut -c 1-64)" >.nanoclaw/state.yaml
$ nanoclaw customize list; nanoclaw customize apply s-mine; cat a.txt; nanoclaw customize apply s-mine; sed -i 's/ mine//' a.txt
> s-mine     0 files  Mine (s)
> s-mine applied
>   merged    a.txt
> a 1
> a 2 mine
> s-mine applied
>   as it is  a.txt
$ nanoclaw -q customize start more; echo a 3 >>a.txt; nanoclaw customize commit
> recorded as 002-more
>   a.txt
> The patch is .nanoclaw/custom/002-more.patch
# A second patch for the skill does not replace that of 0.1.
$ nanoclaw -q customize start again --skill s; echo a 4 >>a.txt; nanoclaw -q customize commit; nanoclaw customize list
> recorded as s-again
> s-mine                 0 files  Mine (s)
> s-again   2001-02-03   1 file   again (s)
>   a.txt
> 002-more  2001-02-03   1 file   more
>   a.txt
$ echo 'x: [' >.nanoclaw/customize.yaml; nanoclaw status
? 2
2> error: .nanoclaw/customize.yaml:2:1: did not find expected node content while parsing a flow node
2> hint: 'nanoclaw customize abort' ends the session; your edits stay
