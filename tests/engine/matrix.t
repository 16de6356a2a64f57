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
2> error: there is no package for the skill 'nobody'
2> hint: 'nanoclaw skill list' shows them
$ nanoclaw matrix --core-versions 0.9.0
? 2
2> error: core '0.9.0' is neither the current one nor a known one
2> hint: 'cores' in .claude/skills/matrix.yaml names the locations of earlier ones
$ nanoclaw matrix runn
? 2
2> error: 'matrix': unexpected argument 'runn'
2> hint: see 'nanoclaw matrix --help'
# A command, and the first word of another one, with global options between.
$ nanoclaw help matrix | head -1
> nanoclaw matrix: show which combinations of skills to test, and why
$ nanoclaw matrix -q --json run --help | grep '"name": "matrix'
>   "name": "matrix run",
