# an install that says that all is well, and leaves no package.json that can be read, has failed
unlisted: .nanoclaw
leftover: .nanoclaw/kept
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample"
}
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {is-number: ^7.0.0}}
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
$ NANOCLAW_INSTALL='rm package.json' nanoclaw skill apply number
? 1
2> error: installing the dependencies has left no file 'package.json'
2> hint: everything is as it was before
$ cat package.json
> {
>   "name": "sample"
> }
$ NANOCLAW_INSTALL='echo { >package.json' nanoclaw skill apply number
? 1
2> error: installing the dependencies left a faulty file: package.json:2:1: string or '}' expected near end of file
2> hint: everything is as it was before
$ cat package.json
> {
>   "name": "sample"
> }
$ NANOCLAW_INSTALL='ln -sf VERSION package.json' nanoclaw skill apply number
? 1
2> warning: 'package.json' was changed in the meantime; that version is in '.nanoclaw/kept/package.json'
2> error: installing the dependencies has left no file 'package.json'
2> hint: everything is as it was before
$ cat package.json
> {
>   "name": "sample"
> }
$ nanoclaw verify
> 4 files checked: all as recorded
