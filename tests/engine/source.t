# the sources of skills, cores and resolutions are recorded with the hash of their content, and shown
needs: git ssh-keygen tar
unlisted: p/.nanoclaw
ignore: p/.git clone/.git *.tar.gz *.sig keys keys/* signers signers2
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- p/skills/y/add/y.txt --
y
-- clone/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt, run]
-- clone/skills/x/add/x.txt --
x
-- clone/skills/x/add/run [755] --
run
-- new/VERSION --
1.1.0
-- new/a.txt --
one, new
== run ==
$ nanoclaw -C p -q init; nanoclaw -C p -q skill apply y; nanoclaw -C p -v status 2>/dev/null
> y 1.0.0 applied
> core 1.0.0
>   y 1.0.0
>
> where it came from:
>   y 1.0.0: skills/y, sha256 cf38f0af9b19cdfe74ae57b6577354899007703fd9feaa2fdc6b272c8f9658ff
$ cd p; echo more > skills/y/SKILL.md; nanoclaw skill show y | grep -A2 from; nanoclaw verify; rm skills/y/SKILL.md; nanoclaw verify -v
>   from          skills/y
>   sha256        cf38f0af9b19cdfe74ae57b6577354899007703fd9feaa2fdc6b272c8f9658ff
>                 the files of this package have changed since it was applied
> 6 files checked: all as recorded
> the files in 'skills/y' have changed since y 1.0.0 was applied from it
> 6 files checked: all as recorded
>
> where it came from:
>   y 1.0.0: skills/y, sha256 cf38f0af9b19cdfe74ae57b6577354899007703fd9feaa2fdc6b272c8f9658ff
# The folder of a faulty package in an archive is gone when its faults are read.
$ mkdir f; echo 'skill: f' >f/manifest.yaml; tar -czf f.tar.gz f; rm -r f; cd p; nanoclaw skill apply ../f.tar.gz
? 2
2> error: ../f.tar.gz: manifest.yaml: 'version' is missing (and 1 more fault)
# A commit of a clone: by its path, by the address of a remote, and one that is not there.
$ cd clone; git init -q -b main; git add -A; git commit -qm one; git tag v1
$ cd p; nanoclaw -q skill apply git+../clone@v1:skills/x; nanoclaw -v status 2>/dev/null | grep x; ls -l run | cut -c 1-10; nanoclaw -q undo
> x 1.0.0 applied
>   x 1.0.0
>   x 1.0.0: git+../clone@v1:skills/x (commit e689fe4055d99606c7ef5deae944cad6f4c66ae1), sha256 02985f5bc7db5ac6e8deae3d1f3c72dc7e0c124fd75654dbb7c2d9b5a2353ed2
> -rwxr-xr-x
$ cd p; git init -q; git remote add up https://example.com/x.git; nanoclaw skill apply git+https://example.com/x.git@main:skills/x
? 2
2> error: 'git+https://example.com/x.git@main:skills/x': 'main' is not a commit of the clone
2> hint: 'git fetch' may bring it
$ cd p; git fetch -q ../clone main:refs/remotes/up/main; nanoclaw -q skill apply git+https://example.com/x.git@main:skills/x; nanoclaw -q undo
> x 1.0.0 applied
$ cd p; nanoclaw skill apply git+https://example.com/y.git@main:skills/x
? 2
2> error: 'git+https://example.com/y.git@main:skills/x': 'https://example.com/y.git' is neither a clone on this machine nor a remote of the project's own
2> hint: 'git clone' it, or 'git remote add' and 'git fetch'; nanoclaw itself fetches nothing
$ cd p; nanoclaw skill apply git+../clone@v2:skills/x
? 2
2> error: 'git+../clone@v2:skills/x': 'v2' is not a commit of the clone
2> hint: 'git fetch' may bring it
$ cd p; nanoclaw skill apply git+../clone@v1:skills/z
? 2
2> error: 'git+../clone@v1:skills/z': the commit has no folder 'skills/z'
$ cd p; nanoclaw skill apply git+../clone@v1:../x
? 2
2> error: 'git+../clone@v1:../x': path '../x' has the component '..'
$ cd p; nanoclaw skill apply git+../clone@--help:skills/x
? 2
2> error: 'git+../clone@--help:skills/x': '--help' is not a commit of the clone
2> hint: 'git fetch' may bring it
$ cd p; nanoclaw skill apply git+../clone
? 2
2> error: 'git+../clone': it names no ref: write 'git+REPOSITORY@REF:FOLDER'
# An archive, with one folder in it or none.
$ tar -C clone/skills --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - x | gzip -n > x.tar.gz; tar -C clone/skills/x -czf x2.tar.gz .; git -C clone archive --prefix=long/ v1:skills/x | gzip > x3.tar.gz
$ cd p; nanoclaw -q skill apply ../x.tar.gz --sha256 $(sha256sum ../x.tar.gz | cut -d' ' -f1); nanoclaw -v status 2>/dev/null | grep x; nanoclaw -q undo
> x 1.0.0 applied
>   x 1.0.0
>   x 1.0.0: ../x.tar.gz (SHA-256 2b7ea8690d5c01bc7660edef916a7e12c1d47d0d58b38073ef564be48ea89196), sha256 02985f5bc7db5ac6e8deae3d1f3c72dc7e0c124fd75654dbb7c2d9b5a2353ed2
$ cd p; for a in x2 x3; do nanoclaw -q skill apply ../$a.tar.gz; nanoclaw -q undo; done
> x 1.0.0 applied
> x 1.0.0 applied
$ cd p; nanoclaw skill apply ../x.tar.gz --sha256 0000 2>&1 | cut -c 1-60
> error: '../x.tar.gz': the archive has the SHA-256 2b7ea8690d
$ cd p; nanoclaw skill apply ../x.tar.gz y
? 2
2> error: a package from an archive or a clone is applied alone
$ cd p; nanoclaw skill apply y --sha256 0000
? 2
2> error: '--sha256' and '--key' are for an archive (.tar.gz)
$ cd p; nanoclaw skill apply ../nowhere.tar.gz
? 2
2> error: '../nowhere.tar.gz': cannot open '../nowhere.tar.gz': no such file or directory
# A signature: not asked for, good, of another key, of another archive, and missing.
$ mkdir keys; for k in a b; do ssh-keygen -q -t ed25519 -N '' -C $k -f keys/$k; echo "$k@example.com $(cat keys/$k.pub)" > signers$k; done; ssh-keygen -q -Y sign -f keys/a -n file x.tar.gz 2>/dev/null; mv signersa signers; mv signersb signers2
$ cd p; nanoclaw -q skill apply ../x.tar.gz --key ../signers; nanoclaw -v status 2>/dev/null | grep -o "signed by .*)"; nanoclaw -q undo
> x 1.0.0 applied
> signed by a@example.com)
$ cd p; nanoclaw skill apply ../x.tar.gz --no-test; nanoclaw -q undo
> x 1.0.0 applied
>   added     x.txt
>   added     run
2> warning: the signature of the archive was not checked; '--key FILE' checks it
$ cd p; nanoclaw skill apply ../x.tar.gz --key ../signers2 2>&1 | head -n 1 | cut -c 1-48
> error: '../x.tar.gz': the signature is invalid: 
$ cp x.tar.gz.sig x2.tar.gz.sig; cd p; nanoclaw skill apply ../x2.tar.gz --key ../signers 2>&1 | head -n 1 | cut -c 1-48
> error: '../x2.tar.gz': the signature is invalid:
$ cd p; nanoclaw skill apply ../x3.tar.gz --key ../signers 2>&1 | cut -c 1-70
> error: '../x3.tar.gz': the archive has no signature for this key: cann
# An update.
$ cd p; nanoclaw -q --yes update ../new; nanoclaw -v status 2>/dev/null | grep core
> Core updated: 1.0.0 → 1.1.0
> core 1.1.0
>   core 1.1.0: ../new, sha256 f7207da5e1215973e4235511685c95b16a5eccfef644855a350151e9bb26d008
== after ==
-- p/VERSION --
1.1.0
-- p/a.txt --
one, new
-- p/y.txt --
y
