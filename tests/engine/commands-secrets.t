# commands of packages find no secret: not in other processes, '.env', the home folder or the store
needs: bwrap
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- .env [600] --
KEY=secret
-- .env.local [600] --
KEY=secret
-- .env.example --
KEY=
-- store/nanoclaw.db [600] --
secret
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- look --
# Everything that a command can read, without what is not hidden.
cat /proc/[0-9]*/environ .env .env.local store/* ~/.ssh/id ~/.netrc ~/.config/gh/hosts.yml 2>/dev/null |
	tr '\0' '\n' | grep -c secret
cat ~/.npmrc 2>/dev/null | tr a-z A-Z
echo "$(ls -d .env* store ~/.ssh | wc -l) visible, $(kill -0 1 && echo pid $PPID)" | sed 's/pid [12]$/own processes/'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
post_apply: ["sh look > ../post_apply || :"]
test: sh look > ../test || :; echo written > new
structured: {npm_dependencies: {is-number: ^7.0.0}}
-- run --
mkdir -p ~/.ssh ~/.config/gh
for f in .ssh/id .netrc .config/gh/hosts.yml; do echo secret > ~/$f; done
echo registry > ~/.npmrc
export API_KEY=secret NANOCLAW_INSTALL='sh look > ../install || :'
nanoclaw -q skill apply x
for f in post_apply test install; do echo "$f: $(tr '\n' ' ' < ../$f)"; done
cat ~/.netrc .env new
== run ==
$ sh run
> x 1.0.0 applied
> post_apply: 0 4 visible, own processes 
> test: 0 4 visible, own processes 
> install: 0 REGISTRY 4 visible, own processes 
> secret
> KEY=secret
> written
== after ==
-- new --
written
-- package.json --
{
  "name": "sample",
  "version": "1.0.0",
  "dependencies": {
    "is-number": "^7.0.0"
  }
}
