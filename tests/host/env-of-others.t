# a '.env' that others may write is not used: they could have the key sent to themselves
ignore: store data groups container logs .nanoclaw
-- .env [666] --
ANTHROPIC_API_KEY=sk-1
== run ==
$ nanoclaw run
? 2
2> error: '.env' is not used: everybody may write it
2> hint: 'chmod 600 .env' makes it private
$ nanoclaw doctor | grep env
> problem  env          others can write '.env' (its mode is 666), so the host does not use it
$ chmod 644 .env
$ nanoclaw doctor | grep env
> warning  env          others can read '.env' (its mode is 644)
$ NANOCLAW_AGENT_ENV=LANG,ANTHROPIC_API_KEY nanoclaw run
? 2
2> warning: others may read '.env', which has a key in it; 'chmod 600 .env' makes it private
2> error: NANOCLAW_AGENT_ENV names ANTHROPIC_API_KEY, which agents never get
2> hint: remove it there: the host adds the key to the requests of agents
== after ==
-- .env [644] --
ANTHROPIC_API_KEY=sk-1
