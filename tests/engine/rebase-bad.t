# obstacles to a rebase are reported, and nothing is touched
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
-- plain.txt --
core
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two x
three
four
five
six
seven
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two y
three
four
five
six
seven
== run ==
$ nanoclaw --yes rebase
? 2
2> error: there is nothing to flatten here
2> hint: 'nanoclaw init' saves the core, 'nanoclaw skill apply' applies a skill
$ nanoclaw rebase a b
? 2
2> error: 'rebase': unexpected argument 'b'
2> hint: see 'nanoclaw rebase --help'
$ nanoclaw -q skill apply x; nanoclaw rebase --json
? 2
> x 1.0.0 applied
> {
>   "error": "not a terminal, cannot ask whether to rebase",
>   "hint": "'nanoclaw rebase --dry-run' shows what is lost and gained; 'nanoclaw rebase --yes' does it",
>   "success": false
> }
2> error: not a terminal, cannot ask whether to rebase
2> hint: 'nanoclaw rebase --dry-run' shows what is lost and gained; 'nanoclaw rebase --yes' does it
$ nanoclaw -q skill apply y >/dev/null; nanoclaw --yes rebase; nanoclaw -q abort
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ nanoclaw -q customize start more; nanoclaw --yes rebase; nanoclaw -q customize abort
2> error: a customizing session is open in '[dir]'
2> hint: record your changes first: 'nanoclaw customize commit'; or end it with 'nanoclaw customize abort', which leaves them in place
$ cp -r .nanoclaw kept; rm -r .nanoclaw/base; nanoclaw --yes rebase; cp -r kept/base .nanoclaw/
2> error: cannot open the base, '.nanoclaw/base': no such file or directory
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ echo hurt > .nanoclaw/base/plain.txt; echo mine >> plain.txt; nanoclaw --yes rebase; cp -r kept/base .nanoclaw/
2> error: your changes in 'plain.txt' cannot be determined: its copy in '.nanoclaw/base' is damaged
2> hint: everything is as it was before; 'nanoclaw verify' shows what is damaged
$ echo hurt > .nanoclaw/applied/x; nanoclaw --yes rebase; cp kept/applied/x .nanoclaw/applied/
2> error: '.nanoclaw/applied/x': the files of an applied skill are damaged
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ printf 'baked_modifications: 3\n' >> .nanoclaw/state.yaml; nanoclaw --yes rebase; cp kept/state.yaml .nanoclaw/
2> error: .nanoclaw/state.yaml:29:22: baked_modifications must be a sequence, not an integer
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ printf 'baked_modifications: [3]\n' >> .nanoclaw/state.yaml; nanoclaw --yes rebase; cp kept/state.yaml .nanoclaw/
2> error: .nanoclaw/state.yaml:29:23: the baked layer must be a mapping, not an integer
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ printf 'baked_modifications: [{contents: {../up: {after: 1}}}]\n' >> .nanoclaw/state.yaml; nanoclaw --yes rebase; cp kept/state.yaml .nanoclaw/
2> error: .nanoclaw/state.yaml:29:35: path '../up' has the component '..'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ nanoclaw --yes -q rebase; cat a.txt plain.txt; nanoclaw status
> rebased onto core 1.0.0; your files stayed as they are
> one
> two x
> three
> four
> five
> six
> seven
> core
> mine
> core 1.0.0
>   x 1.0.0
