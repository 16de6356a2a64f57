# a file where a folder is needed: exit 2, nothing touched
-- VERSION --
1.0.0
-- src --
one
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [src/n.txt]
-- skills/n/add/src/n.txt --
ONE
== run ==
$ nanoclaw skill apply n
? 2
2> error: cannot access 'src/n.txt': not a directory
2> hint: a file is where a folder is needed; move it away first
$ nanoclaw --json skill apply n
? 2
> {
>   "error": "cannot access 'src/n.txt': not a directory",
>   "hint": "a file is where a folder is needed; move it away first",
>   "success": false
> }
2> error: cannot access 'src/n.txt': not a directory
2> hint: a file is where a folder is needed; move it away first
