# abort brings the user's binary file back, also after it was resolved
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- logo [hex] --
00 01 02 0a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [logo]
-- skills/x/modify/logo [hex] --
00 01 03 0a
== run ==
$ nanoclaw -q init
$ printf '\000\011\011\n' > logo
$ nanoclaw skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>   CONFLICT  logo
>
> To resolve:
>   logo: the skill's version is in logo.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ mv logo.from-x logo
$! nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'logo' was edited since then; your version is in '.nanoclaw/kept/logo'
== after ==
-- .nanoclaw/kept/logo [hex] --
00 01 03 0a
-- logo [hex] --
00 09 09 0a
