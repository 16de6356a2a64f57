# unrecorded changes in such a file stay, and stay unrecorded
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
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
structured: {npm_dependencies: {a: "^1.2.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {c: "^1.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one
> one 1.0.0 applied
$ sed -i 's/"name": "postbox"/"name": "mine"/' package.json
$ nanoclaw -q skill apply --no-install two --on-drift continue
> two 1.0.0 applied
$ cat package.json
> {
>   "name": "mine",
>   "dependencies": {
>     "a": "^1.2.0",
>     "c": "^1.0.0"
>   }
> }
$ nanoclaw diff
> diff --git a/package.json b/package.json
> index 3d40e4b59b8e0348a7420a32b14c4a4ea54a9031..c7db213d1078c99f61705be5ffe88190b8dc6234 100644
> --- a/package.json
> +++ b/package.json
> @@ -1,5 +1,5 @@
>  {
> -  "name": "postbox",
> +  "name": "mine",
>    "dependencies": {
>      "a": "^1.2.0",
>      "c": "^1.0.0"
