# of megabytes of output the last lines are shown, with escapes for bytes that are not text
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "yes a line of the output | head -c 3000000; echo; printf '\\351 end\\n'; exit 1"
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw -q skill apply x
? 5
2> error: the test of skill 'x' failed with exit code 1: yes a line of the output | head -c 3000000; echo; printf '\351 end\n'; exit 1
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a l
2> \351 end
2> hint: everything is as it was before
$ nanoclaw -q --json skill apply x
? 5
> {
>   "error": "the test of skill 'x' failed with exit code 1: yes a line of the output | head -c 3000000; echo; printf '\\351 end\\n'; exit 1\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na line of the output\na l\n� end",
>   "hint": "everything is as it was before",
>   "success": false
> }
2> error: the test of skill 'x' failed with exit code 1: yes a line of the output | head -c 3000000; echo; printf '\351 end\n'; exit 1
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a line of the output
2> a l
2> \351 end
2> hint: everything is as it was before
