# skills overlap in packages, variables, services, ports, renamed files; a skill is not tested on a core older than its own
unlisted: .nanoclaw
-- VERSION --
1.1.0
-- data/core-1/VERSION --
1.0.0
-- data/core-1/old.txt --
old
-- old.txt --
old
-- .claude/skills/matrix.yaml --
cores:
  - version: 1.0.0
    from: data/core-1
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {left: ^1.0.0}
  env_additions: [SHARED, ONLY_A]
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {left: ^1.0.0, SHARED: ^1.0.0}
  docker_compose_services:
    cache: {image: x, ports: ["8080:80"]}
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.1.0
structured:
  env_additions: [SHARED]
  docker_compose_services:
    web: {image: y, ports: ["8080:81"]}
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
file_ops:
  - type: delete
    path: old.txt
-- skills/e/manifest.yaml --
skill: e
version: 1.0.0
core_version: 1.0.0
modifies: [old.txt]
-- skills/e/modify/old.txt --
old
e
== run ==
$ nanoclaw matrix
> entry        kind   why
> 1.1.0/a      alone  each skill alone
> 1.1.0/b      alone  each skill alone
> 1.1.0/c      alone  each skill alone
> 1.1.0/d      alone  each skill alone
> 1.1.0/e      alone  each skill alone
> 1.1.0/a+b    pair   a and b share npm package left
> 1.1.0/a+c    pair   a and c share variable SHARED
> 1.1.0/b+c    pair   b and c share port 8080/tcp
> 1.1.0/d+e    pair   d and e share renamed or deleted old.txt
> 1.1.0/a+b+c  stack  a, b and c share npm package left, variable SHARED, port 8080/tcp
> 1.0.0/a      alone  each skill alone
> 1.0.0/b      alone  each skill alone
> 1.0.0/d      alone  each skill alone
> 1.0.0/e      alone  each skill alone
> 1.0.0/a+b    pair   a and b share npm package left
> 1.0.0/d+e    pair   d and e share renamed or deleted old.txt
>
> 16 entries on 2 cores: 9 alone, 6 pairs, 1 stack
2> c was written for core 1.1.0: it is not tested on 1.0.0
