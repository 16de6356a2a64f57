# a patch that is tied to a skill, and an apply with a customization in one step
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x1
x2
-- skills/x/modify/a.txt --
one
two
three
from x
== run ==
$ nanoclaw customize start 'nothing yet' --skill x
? 2
2> error: skill 'x' is not applied
2> hint: 'nanoclaw status' shows the skills that are; 'nanoclaw skill apply x --customize ...' does both
$! nanoclaw skill apply x --customize 'groups only'
> x 1.0.0 applied
>   added     x.txt
>   merged    a.txt
> Now make your changes, then run 'nanoclaw customize commit'.
$ nanoclaw skill apply x
? 4
2> error: a customizing session is open in '[dir]'
2> hint: record your changes first: 'nanoclaw customize commit'; or end it with 'nanoclaw customize abort', which leaves them in place
$ nanoclaw customize start again
? 4
2> error: a customizing session is open in '[dir]'
2> hint: record your changes first: 'nanoclaw customize commit'; or end it with 'nanoclaw customize abort', which leaves them in place
$ sed -i 's/x2/x2, for groups/' x.txt
$ nanoclaw customize commit
> recorded as x-groups-only
>   x.txt
> The patch is .nanoclaw/custom/x-groups-only.patch
$ sed -n '/^@@/,$p' .nanoclaw/custom/x-groups-only.patch
> @@ -1,2 +1,2 @@
>  x1
> -x2
> +x2, for groups
$ grep custom_patch .nanoclaw/state.yaml
>     custom_patch: .nanoclaw/custom/x-groups-only.patch
>     custom_patch_description: groups only
>     custom_patches:
# A second one.
$ nanoclaw -q customize start groups only --skill x; echo more >>a.txt
$ nanoclaw --json customize commit
> {
>   "files": [
>     "a.txt"
>   ],
>   "name": "x-groups-only-2",
>   "nothingToDo": false,
>   "patch": ".nanoclaw/custom/x-groups-only-2.patch",
>   "success": true
> }
$ nanoclaw --json customize list | sed 's/"20.*"/"WHEN"/'
> {
>   "open": null,
>   "patches": [
>     {
>       "appliedAt": "WHEN",
>       "description": "groups only",
>       "files": [
>         "x.txt"
>       ],
>       "name": "x-groups-only",
>       "patch": ".nanoclaw/custom/x-groups-only.patch",
>       "skill": "x"
>     },
>     {
>       "appliedAt": "WHEN",
>       "description": "groups only",
>       "files": [
>         "a.txt"
>       ],
>       "name": "x-groups-only-2",
>       "patch": ".nanoclaw/custom/x-groups-only-2.patch",
>       "skill": "x"
>     }
>   ],
>   "success": true
> }
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
>   x-groups-only (custom patch)
>   x-groups-only-2 (custom patch)
# Nothing changed, and abort.
$ nanoclaw -q customize start again; nanoclaw customize commit
> nothing changed, so there is nothing to record
$ nanoclaw -q customize start again; echo stays >>a.txt; nanoclaw customize abort; nanoclaw status
> nothing was recorded; your changes are still in your files
> core 1.0.0
>   x 1.0.0
>   x-groups-only (custom patch)
>   x-groups-only-2 (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
$ nanoclaw customize abort
? 2
2> error: there is no customizing session here
$ nanoclaw customize start ''
? 2
2> error: a description is needed: what the change is for, in a few words
$ nanoclaw skill apply x --customize "$(printf 'two\nlines')"
? 2
2> error: a description is one line of text, without control characters
== after ==
-- x.txt --
x1
x2, for groups
-- a.txt --
one
two
three
from x
more
stays
