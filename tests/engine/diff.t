# diff shows edited, deleted, moved, binary and other files as a patch that git can apply in reverse
needs: git
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- edited --
one
two
-- last [no-newline] --
end
-- dos [crlf] --
one
two
-- gone --
gone
-- moved --
these lines
go to another place
all together
-- bit --
one
-- blob [hex] --
00ff
-- to-link --
one
-- folder/inside --
one
== run ==
$ nanoclaw diff
? 2
2> error: nothing is recorded in '[dir]'
2> hint: 'nanoclaw init' records the core as it is now
$ nanoclaw -q init; cp edited before
$ nanoclaw diff
$ nanoclaw diff --json
> {
>   "files": [],
>   "success": true
> }
$ echo three >>edited; echo >>last; sed -i 's/two/2/' dos; rm gone; mkdir sub; mv moved sub/other; chmod +x bit; printf '\0\1' >blob; ln -sf bit to-link; echo two >folder/inside; echo new >new
$ printf 'x\377y\n' >"$(printf 'n\377w')"
$ nanoclaw diff
> diff --git a/bit b/bit
> old mode 100644
> new mode 100755
> diff --git a/blob b/blob
> index ba01f6b05bdbb386b35f4d086e268c5d422cafb9..bdc955b7b2e610ad5a72302b139a2e6cb325519a 100644
> GIT binary patch
> literal 2
> Jc${Nk1ONa700IC2
>
> literal 2
> Jc${PS4*&rH0RR91
>
> diff --git a/dos b/dos
> index 4e349b596c5c9d38a82829fafbaf52281c21e319..796f13624f05078e363e6841c3a8a22395de3de1 100644
> --- a/dos
> +++ b/dos
> @@ -1,2 +1,2 @@
>  one[0d]
> -two[0d]
> +2[0d]
> diff --git a/edited b/edited
> index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 100644
> --- a/edited
> +++ b/edited
> @@ -1,2 +1,3 @@
>  one
>  two
> +three
> diff --git a/folder/inside b/folder/inside
> index 5626abf0f72e58d7a153368ba57db4c673c0e171..f719efd430d52bcfc8566a43b2eb655688d38871 100644
> --- a/folder/inside
> +++ b/folder/inside
> @@ -1 +1 @@
> -one
> +two
> diff --git a/gone b/gone
> deleted file mode 100644
> index 286c5f5776916d7d7d5849988ca9d83e722cf9c2..0000000000000000000000000000000000000000
> --- a/gone
> +++ /dev/null
> @@ -1 +0,0 @@
> -gone
> diff --git a/last b/last
> index e32b0df9c62c37f94bb1407f22399370db2c4178..a6a9baf65e6f35739d55610867449a3d7e6f7286 100644
> --- a/last
> +++ b/last
> @@ -1 +1 @@
> -end
> \ No newline at end of file
> +end
> diff --git a/moved b/sub/other
> similarity index 100%
> rename from moved
> rename to sub/other
> diff --git a/to-link b/to-link
> deleted file mode 100644
> index 5626abf0f72e58d7a153368ba57db4c673c0e171..0000000000000000000000000000000000000000
> --- a/to-link
> +++ /dev/null
> @@ -1 +0,0 @@
> -one
> diff --git a/to-link b/to-link
> new file mode 120000
> index 0000000000000000000000000000000000000000..5d285e9973390f86d22ef5232811df2022a3c9a6
> --- /dev/null
> +++ b/to-link
> @@ -0,0 +1 @@
> +bit
> \ No newline at end of file
$ nanoclaw diff folder
> diff --git a/folder/inside b/folder/inside
> index 5626abf0f72e58d7a153368ba57db4c673c0e171..f719efd430d52bcfc8566a43b2eb655688d38871 100644
> --- a/folder/inside
> +++ b/folder/inside
> @@ -1 +1 @@
> -one
> +two
$ nanoclaw diff sub/other
> diff --git a/moved b/sub/other
> similarity index 100%
> rename from moved
> rename to sub/other
$ nanoclaw diff new
> diff --git a/new b/new
> new file mode 100644
> index 0000000000000000000000000000000000000000..3e757656cf36eca53338e520d134963a44f793f8
> --- /dev/null
> +++ b/new
> @@ -0,0 +1 @@
> +new
$ nanoclaw diff n?w | tail -3
> +++ "b/n\377w"
> @@ -0,0 +1 @@
> +x[ff]y
$ cd folder && nanoclaw diff inside ../bit . "$PWD"
> diff --git a/bit b/bit
> old mode 100644
> new mode 100755
> diff --git a/folder/inside b/folder/inside
> index 5626abf0f72e58d7a153368ba57db4c673c0e171..f719efd430d52bcfc8566a43b2eb655688d38871 100644
> --- a/folder/inside
> +++ b/folder/inside
> @@ -1 +1 @@
> -one
> +two
$ nanoclaw diff nothing
? 2
2> error: 'nothing' is neither in the records nor in the tree
2> hint: 'nanoclaw status' lists your changes; without a path, every file is compared
$ nanoclaw diff ../..
? 2
2> error: '../..' is outside the project
2> hint: the project is '[dir]'
$ nanoclaw diff .nanoclaw/state.yaml
? 2
2> error: '.nanoclaw/state.yaml' is not recorded
$ nanoclaw diff --json edited moved blob new to-link
> {
>   "files": [
>     {
>       "added": 0,
>       "binary": true,
>       "change": "edited",
>       "conflict": false,
>       "patch": "diff --git a/blob b/blob\nindex ba01f6b05bdbb386b35f4d086e268c5d422cafb9..bdc955b7b2e610ad5a72302b139a2e6cb325519a 100644\nGIT binary patch\nliteral 2\nJc${Nk1ONa700IC2\n\nliteral 2\nJc${PS4*&rH0RR91\n\n",
>       "path": "blob",
>       "removed": 0
>     },
>     {
>       "added": 1,
>       "binary": false,
>       "change": "edited",
>       "conflict": false,
>       "patch": "diff --git a/edited b/edited\nindex 814f4a422927b82f5f8a43f8fab6d3839e3983f2..4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 100644\n--- a/edited\n+++ b/edited\n@@ -1,2 +1,3 @@\n one\n two\n+three\n",
>       "path": "edited",
>       "removed": 0
>     },
>     {
>       "added": 1,
>       "binary": false,
>       "change": "new",
>       "conflict": false,
>       "patch": "diff --git a/new b/new\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..3e757656cf36eca53338e520d134963a44f793f8\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n",
>       "path": "new",
>       "removed": 0
>     },
>     {
>       "added": 0,
>       "binary": false,
>       "change": "renamed",
>       "conflict": false,
>       "oldPath": "moved",
>       "patch": "diff --git a/moved b/sub/other\nsimilarity index 100%\nrename from moved\nrename to sub/other\n",
>       "path": "sub/other",
>       "removed": 0
>     },
>     {
>       "added": 1,
>       "binary": false,
>       "change": "type",
>       "conflict": false,
>       "patch": "diff --git a/to-link b/to-link\ndeleted file mode 100644\nindex 5626abf0f72e58d7a153368ba57db4c673c0e171..0000000000000000000000000000000000000000\n--- a/to-link\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\ndiff --git a/to-link b/to-link\nnew file mode 120000\nindex 0000000000000000000000000000000000000000..5d285e9973390f86d22ef5232811df2022a3c9a6\n--- /dev/null\n+++ b/to-link\n@@ -0,0 +1 @@\n+bit\n\\ No newline at end of file\n",
>       "path": "to-link",
>       "removed": 1
>     }
>   ],
>   "success": true
> }
$ nanoclaw diff | git apply -R && nanoclaw status && cmp edited before
> core 1.0.0
