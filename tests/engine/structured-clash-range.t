# the sides of a range are what the file has and what the skill asks for; none may fall below what another skill needs
unlisted: .nanoclaw skills package.json
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox"
}
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.0.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.5.0"}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^2.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one two
> one 1.0.0 applied
> two 1.0.0 applied
$ nanoclaw -q skill apply --no-install three
? 3
> three 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat package.json
> {
> <<<<<<< yours
>   "name": "postbox",
>   "dependencies": {
>     "grammy": "^1.5.0"
>   }
> ||||||| without either
>   "name": "postbox"
> =======
>   "name": "postbox",
>   "dependencies": {
>     "grammy": "^2.0.0"
>   }
> >>>>>>> three 1.0.0
> }
$ sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d; s/\^1\.5\.0/^1.0.0/' package.json
$ nanoclaw continue --no-install
? 3
> three 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'grammy' ^1.0.0 in 'package.json' allows versions that skill 'two' does not accept (it wants ^1.5.0): write ^1.5.0
$ sed -i 's/\^1\.0\.0/^1.5.0/' package.json
$ nanoclaw -q continue --no-install
> three 1.0.0 applied
$ nanoclaw verify
> 7 files checked: all as recorded
