# a shared resolution is used only if all three files are the same to the byte
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- core/a.txt --
one
two
three
-- core/b.txt --
one
two
-- core/c.txt --
only
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt, c.txt]
-- skills/a/modify/a.txt --
one A
two
three
-- skills/a/modify/b.txt --
one
two A
-- skills/a/modify/c.txt --
only A
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt, c.txt]
-- skills/b/modify/a.txt --
one B
two
three
-- skills/b/modify/b.txt --
one
two B
-- skills/b/modify/c.txt --
only B
-- fresh.sh --
# A fresh machine that has only the shared cache.
rm -rf p; mkdir p; cp -r core/*.txt VERSION skills p
[ ! -d shipped ] || { mkdir p/.claude; cp -r shipped p/.claude/resolutions; }
== run ==
# Three files, resolved once.
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; nanoclaw -q skill apply b
? 3
> a 1.0.0 applied
> b 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
>   b.txt: edit it, and remove the conflict markers
>   c.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cd p; for f in ?.txt; do sed -i '/^[<>=]/d; /^|/,/^=/d' $f; done; cat ?.txt; nanoclaw continue; nanoclaw -q resolution record; nanoclaw resolution list | sed 's/20..-..-../DATE/'
> one A
> one
> two A
> only A
> b 1.0.0 applied
> recorded in .nanoclaw/resolutions/a@1.0.0+b@1.0.0
> skills           files  source      tested  date        whose
> a@1.0.0+b@1.0.0      3  user        no      DATE  own
$ cp -r p/.nanoclaw/resolutions shipped; sed -n '/file_hashes/,/output/p' shipped/*/meta.yaml | head -n 3
> file_hashes:
>   a.txt:
>     base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
# No question on another machine, in either order.
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; nanoclaw skill apply b
> a 1.0.0 applied
> b 1.0.0 applied
>   resolved  a.txt
>   resolved  b.txt
>   resolved  c.txt
$ sh fresh.sh; cd p; nanoclaw -q skill apply b a
> b 1.0.0 applied
> a 1.0.0 applied
# Another byte in the core, in the tree, in the skill, or in the resolution itself: a question.
$ sh fresh.sh; cd p; echo more >>c.txt; sed -i '$a more' skills/?/modify/c.txt; nanoclaw -q skill apply a; nanoclaw skill apply b | grep txt
> a 1.0.0 applied
>   resolved  a.txt
>   resolved  b.txt
>   CONFLICT  c.txt
>   c.txt: edit it, and remove the conflict markers
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; echo more >>c.txt; nanoclaw skill apply b --on-drift record | grep '  .*txt'
> a 1.0.0 applied
>   resolved  a.txt
>   resolved  b.txt
>   CONFLICT  c.txt
>   c.txt: edit it, and remove the conflict markers
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; echo more >>skills/b/modify/c.txt; nanoclaw skill apply b | grep '  .*txt'
> a 1.0.0 applied
>   resolved  a.txt
>   resolved  b.txt
>   CONFLICT  c.txt
>   c.txt: edit it, and remove the conflict markers
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; echo more >>.claude/resolutions/*/c.txt.resolution; nanoclaw skill apply b | grep '  .*txt'
> a 1.0.0 applied
>   resolved  a.txt
>   resolved  b.txt
>   resolved  c.txt
2> sh: 1: cannot create .claude/resolutions/*/c.txt.resolution: Directory nonexistent
$ rm -r p shipped
