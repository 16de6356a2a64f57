# removing a skill that changed package.json as text keeps the entries of other skills
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "p",
  "version": "1.0.0",
  "scripts": {
    "one": "1",
    "two": "2"
  },
  "license": "MIT",
  "private": true
}
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- skills/x/modify/package.json --
{
  "name": "p",
  "version": "1.0.0",
  "scripts": {
    "one": "1",
    "two": "2",
    "x": "x"
  },
  "license": "MIT",
  "private": true
}
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {yy: "^1.0.0"}}
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {zz: "^1.0.0"}}
== run ==
$ nanoclaw -q skill apply y --no-install 2>/dev/null; nanoclaw -q skill apply x --no-install 2>/dev/null; nanoclaw -q skill apply z --no-install 2>/dev/null
> y 1.0.0 applied
> x 1.0.0 applied
> z 1.0.0 applied
$ sed -i 's/"p"/"mine"/' package.json; nanoclaw -q customize start 'my name' --on-drift record; nanoclaw -q customize abort
> your changes are recorded as 001-changes-to-package-json
$ cat package.json
> {
>   "name": "mine",
>   "version": "1.0.0",
>   "scripts": {
>     "one": "1",
>     "two": "2",
>     "x": "x"
>   },
>   "license": "MIT",
>   "private": true,
>   "dependencies": {
>     "yy": "^1.0.0",
>     "zz": "^1.0.0"
>   }
> }
$! nanoclaw skill remove x --no-install
> x 1.0.0 removed
>   merged    package.json
$ cat package.json; nanoclaw status; nanoclaw verify
> {
>   "name": "mine",
>   "version": "1.0.0",
>   "scripts": {
>     "one": "1",
>     "two": "2"
>   },
>   "license": "MIT",
>   "private": true,
>   "dependencies": {
>     "yy": "^1.0.0",
>     "zz": "^1.0.0"
>   }
> }
> core 1.0.0
>   y 1.0.0
>   z 1.0.0
>   001-changes-to-package-json (custom patch)
> 9 files checked: all as recorded
$! nanoclaw -q skill remove z --no-install
> z 1.0.0 removed
$ nanoclaw -q skill remove y --no-install; nanoclaw status; nanoclaw verify
> y 1.0.0 removed
> core 1.0.0
>   001-changes-to-package-json (custom patch)
> 7 files checked: all as recorded
== after ==
-- package.json --
{
  "name": "mine",
  "version": "1.0.0",
  "scripts": {
    "one": "1",
    "two": "2"
  },
  "license": "MIT",
  "private": true
}
