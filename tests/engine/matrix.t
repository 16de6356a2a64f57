# the matrix of the sample project: each alone, pairs and stacks by overlap, with the reasons
tree: examples/postbox
== run ==
$ nanoclaw matrix
> entry                           kind   why
> 1.0.0/brief                     alone  each skill alone
> 1.0.0/diary                     alone  each skill alone
> 1.0.0/diary-search              alone  each skill alone with diary
>                                        diary and diary-search share lib/diary.sh
> 1.0.0/polite                    alone  each skill alone
> 1.0.0/shout                     alone  each skill alone
> 1.0.0/smile                     alone  each skill alone
> 1.0.0/brief+diary-search        pair   brief and diary-search share lib/answers.sh
> 1.0.0/brief+smile               pair   brief and smile share lib/answers.sh
> 1.0.0/diary+polite              pair   diary and polite share postbox
> 1.0.0/diary+shout               pair   diary and shout share postbox
> 1.0.0/diary-search+smile        pair   diary-search and smile share lib/answers.sh
> 1.0.0/polite+shout              pair   polite and shout share lib/settings.sh, postbox
> 1.0.0/brief+diary-search+smile  stack  brief, diary-search and smile share lib/answers.sh
> 1.0.0/diary+polite+shout        stack  diary, polite and shout share postbox
>
> 14 entries on 1 core: 6 alone, 6 pairs, 2 stacks
$ nanoclaw matrix --skills polite,shout,brief
> entry               kind   why
> 1.0.0/brief         alone  each skill alone
> 1.0.0/polite        alone  each skill alone
> 1.0.0/shout         alone  each skill alone
> 1.0.0/polite+shout  pair   polite and shout share lib/settings.sh, postbox
>
> 4 entries on 1 core: 3 alone, 1 pair, 0 stacks
$ nanoclaw --json matrix --skills polite --skills diary
> {
>   "cores": [
>     "1.0.0"
>   ],
>   "entries": [
>     {
>       "core": "1.0.0",
>       "id": "1.0.0/diary",
>       "kind": "alone",
>       "order": [
>         "diary"
>       ],
>       "reasons": [
>         {
>           "curated": false,
>           "kind": "alone",
>           "overlaps": [],
>           "skills": [
>             "diary"
>           ],
>           "text": "each skill alone"
>         }
>       ],
>       "skills": [
>         "diary"
>       ]
>     },
>     {
>       "core": "1.0.0",
>       "id": "1.0.0/polite",
>       "kind": "alone",
>       "order": [
>         "polite"
>       ],
>       "reasons": [
>         {
>           "curated": false,
>           "kind": "alone",
>           "overlaps": [],
>           "skills": [
>             "polite"
>           ],
>           "text": "each skill alone"
>         }
>       ],
>       "skills": [
>         "polite"
>       ]
>     },
>     {
>       "core": "1.0.0",
>       "id": "1.0.0/diary+polite",
>       "kind": "pair",
>       "order": [
>         "diary",
>         "polite"
>       ],
>       "reasons": [
>         {
>           "curated": false,
>           "kind": "pair",
>           "overlaps": [
>             {
>               "kind": "file",
>               "name": "postbox"
>             }
>           ],
>           "skills": [
>             "diary",
>             "polite"
>           ],
>           "text": "diary and polite share postbox"
>         }
>       ],
>       "skills": [
>         "diary",
>         "polite"
>       ]
>     }
>   ],
>   "notes": [],
>   "success": true
> }
$ nanoclaw matrix --github --skills polite,shout
> {"include":[{"entries":1,"name":"1.0.0/polite","run":"nanoclaw matrix run --only 1.0.0/polite"},{"entries":1,"name":"1.0.0/shout","run":"nanoclaw matrix run --only 1.0.0/shout"},{"entries":1,"name":"1.0.0/polite+shout","run":"nanoclaw matrix run --only 1.0.0/polite+shout"}]}
$ nanoclaw matrix --skills nobody
? 2
2> error: there is no package of the skill 'nobody'
2> hint: 'nanoclaw skill list' shows them
$ nanoclaw matrix --core-versions 0.9.0
? 2
2> error: core '0.9.0' is neither the present one nor one that is known
2> hint: 'cores' in .claude/skills/matrix.yaml says where earlier ones are
$ nanoclaw matrix runn
? 2
2> error: 'matrix' does not know what to do with 'runn'
2> hint: 'nanoclaw matrix --help' shows how it is used
# A command, and the first word of another one, with global options between.
$ nanoclaw help matrix | head -1
> nanoclaw matrix: show which combinations of skills are worth a test, and why
$ nanoclaw matrix -q --json run --help | head -3
> {
>   "description": "Each entry gets a copy of the core in TMPDIR. Its skills are applied together, with\ntheir tests, and what there is afterwards is verified; several skills as often as there\nare, each of them last once. Your tree is not touched. An entry that fails does not stop\nthe others.\n\nWhat has passed is not run again until its core, its packages or the resolutions for\nthem have changed. A run that was interrupted, also by a crash, goes on where it was.\nResults and logs are in '.nanoclaw/matrix'.\n\nA conflict that no shipped resolution settles is a failure. With '--resolver' or\n'--record' what you have settled before is used, and then the resolver is asked; what\nthey make of it is tested from the recorded resolution alone before it counts.\n\nThe exit code is 0 if all have passed, 5 if tests have failed and nothing else, and 1\notherwise.",
>   "examples": [
