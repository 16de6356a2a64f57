# without a key the person gets an explanation, and no agent is started
needs: bwrap
ignore: store data groups container logs .nanoclaw
== run ==
$ echo hello | NANOCLAW_AGENT=claude nanoclaw -q start
? 1
> Sorry, I could not answer this: there is no key for Anthropic: put ANTHROPIC_API_KEY=... into '.env' (error t1).
