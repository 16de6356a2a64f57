# commands of packages get what building needs of the environment, and no secrets
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
post_apply: ["env | cut -d= -f1 | sort > ../post_apply"]
test: env | cut -d= -f1 | sort > ../test
structured: {npm_dependencies: {is-number: ^7.0.0}}
-- run --
export ANTHROPIC_API_KEY=s GITHUB_TOKEN=s AWS_SECRET_ACCESS_KEY=s SSH_AUTH_SOCK=s NPM_TOKEN=s npm_config__authToken=s OF_MINE=1
export CC=gcc CFLAGS=-O2 http_proxy=http://proxy:1 https_proxy=http://me:secret@proxy:1 npm_config_registry=http://r LC_TIME=C
NANOCLAW_INSTALL='env | cut -d= -f1 | sort > ../install' nanoclaw -q "$@"
-- show --
for f in post_apply test install; do echo "$f: $(grep -x -e ANTHROPIC_API_KEY -e GITHUB_TOKEN -e AWS_SECRET_ACCESS_KEY -e SSH_AUTH_SOCK -e NPM_TOKEN -e npm_config__authToken -e OF_MINE -e 'NANOCLAW.*' -e CC -e CFLAGS -e HOME -e PATH -e http_proxy -e https_proxy -e npm_config_registry -e LC_TIME ../$f | tr '\n' ' ')"; done
== run ==
$ sh run skill apply x; sh show
> x 1.0.0 applied
> post_apply: CC CFLAGS HOME LC_TIME PATH http_proxy npm_config_registry 
> test: CC CFLAGS HOME LC_TIME NANOCLAW_TEST_TIMEOUT PATH http_proxy npm_config_registry 
> install: CC CFLAGS HOME LC_TIME PATH http_proxy npm_config_registry 
$ sh run skill remove x; sh run skill apply x --pass-env OF_MINE --pass-env GITHUB_TOKEN; sh show
> x 1.0.0 removed
> x 1.0.0 applied
> post_apply: CC CFLAGS GITHUB_TOKEN HOME LC_TIME OF_MINE PATH http_proxy npm_config_registry 
> test: CC CFLAGS GITHUB_TOKEN HOME LC_TIME NANOCLAW_TEST_TIMEOUT OF_MINE PATH http_proxy npm_config_registry 
> install: CC CFLAGS GITHUB_TOKEN HOME LC_TIME OF_MINE PATH http_proxy npm_config_registry 
$ sh run skill apply x --pass-env A=b
? 2
2> error: 'A=b' is not the name of an environment variable
$ sh run skill remove x
> x 1.0.0 removed
