# git fetches a core by https, ssh or from a file, without secrets; its address cannot steer the terminal
needs: git
unlisted: .nanoclaw .git
-- VERSION --
1.0.0
-- from --
# The core comes from $1.
sed -i '/^core_source/,/^  source/d' .nanoclaw/state.yaml
printf 'core_source:\n  source: "git+%s@v1"\n' "$1" >> .nanoclaw/state.yaml
-- git --
#!/bin/sh
env >> ~/environment
exit 1
== run ==
$ nanoclaw -q init
$ sh from '\e[2Jhttps://x/' && nanoclaw update
? 2
2> error: The core comes from '\033[2Jhttps://x/'. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to fetch it
$ git init -q ../up && sh from '../up\e[2J/../up' && mkdir -p "$(printf '../up\033[2J')" && nanoclaw update --yes --to 9.9.9
? 2
2> error: '../up\033[2J/../up' has no tag for version 9.9.9
$ sh from 'http://127.0.0.1/x' && nanoclaw update --yes
? 1
2> error: git cannot fetch the new core: 'fatal: transport \'http\' not allowed'
$ sh from 'git://127.0.0.1/x' && GIT_ALLOW_PROTOCOL=git nanoclaw update --yes
? 1
2> error: git cannot fetch the new core: 'fatal: transport \'git\' not allowed'
$ sh from 'https://127.0.0.1/x'; mkdir ../first; cp git ../first; chmod +x ../first/git; API_KEY=s SSH_AUTH_SOCK=/s PATH=$PWD/../first:$PATH nanoclaw -q update --yes; sed -n 's/^\(API_KEY\|SSH_AUTH_SOCK\|GIT_ALLOW.*\)=.*/\1/p' ~/environment | sort -u
> GIT_ALLOW_PROTOCOL
> SSH_AUTH_SOCK
2> error: git cannot fetch the new core: ''
$ git init -q; git config core.sshCommand 'touch ../ran; false'; sh from 'ssh://127.0.0.1:1/x'; nanoclaw -q update --yes 2>/dev/null; ls ../ran
? 2
2> ls: cannot access '../ran': No such file or directory
