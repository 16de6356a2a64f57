# intents name the functions, sections and keys that were touched
unlisted: .nanoclaw
ignore: .claude
-- VERSION --
1.0.0
-- a.c --
#include <x.h>

static int first(void)
{
	return 1;
}

int second(int a)
{
	return a;
}
-- a.py --
class Box:
    def open(self):
        return 1
-- a.go --
package a

func (b *Box) Open() int {
	return 1
}
-- a.rs --
impl Box {
    pub fn open(&self) -> i32 {
        1
    }
}
-- a.ts --
export class Box {
  async open(a: number): Promise<number> {
    if (a) {
      return 1;
    }
  }
}
-- a.sh --
#!/bin/sh
open() {
	echo 1
}
-- a.yaml --
services:
  web:
    image: one
    ports:
      - "1"
-- a.md --
# Title
## Part
text 1
-- other --
Section
  value 1
== run ==
$ nanoclaw init -q
$ sed -i 's/return a;/return a + 1;/' a.c
$ sed -i 's/return 1/return 2/' a.py a.go a.ts
$ sed -i 's/^        1/        2/' a.rs
$ sed -i 's/echo 1/echo `date`/' a.sh
$ sed -i 's/one/two/; s/"1"/"2"/' a.yaml
$ sed -i 's/text 1/text 2/' a.md
$ printf 'Section\n' > other
$ nanoclaw skill new many --from-changes -q
$ rm -r .claude/skills/many/modify/*.[a-z] && for f in .claude/skills/many/modify/*.intent.md; do sed -n '/^# /p; /^## Key/,/^## Inv/{/^- /p}' $f; done
> # Intent: a.c
> - `int second(int a)`: line 10
> # Intent: a.go
> - `func (b *Box) Open() int`: line 4
> # Intent: a.md
> - `## Part`: line 3
> # Intent: a.py
> - `def open(self)`: line 3
> # Intent: a.rs
> - `pub fn open(&self) -> i32`: line 3
> # Intent: a.sh
> - `open()`: line 3
> # Intent: a.ts
> - `async open(a: number): Promise<number>`: line 4
> # Intent: a.yaml
> - `services.web.image`: line 3
> - `services.web.ports`: line 5
> # Intent: other
> - The beginning of the file: after line 1
$ cat .claude/skills/many/modify/a.sh.intent.md
> # Intent: a.sh
>
> ## What this skill adds
>
> <!-- author: what this change is for, and why it is done this way -->
>
> 1 line is replaced by 1.
>
> ## Key sections
>
> - `open()`: line 3
>
> ## Invariants
>
> - Nothing changes outside of the sections above.
> - These lines were replaced or removed, and stay out:
>   - `echo 1`
>
> ## Must-keep
>
> - `` echo `date` ``
$ rm -r .claude
== after ==
-- a.c --
#include <x.h>

static int first(void)
{
	return 1;
}

int second(int a)
{
	return a + 1;
}
-- a.go --
package a

func (b *Box) Open() int {
	return 2
}
-- a.md --
# Title
## Part
text 2
-- a.py --
class Box:
    def open(self):
        return 2
-- a.rs --
impl Box {
    pub fn open(&self) -> i32 {
        2
    }
}
-- a.sh --
#!/bin/sh
open() {
	echo `date`
}
-- a.ts --
export class Box {
  async open(a: number): Promise<number> {
    if (a) {
      return 2;
    }
  }
}
-- a.yaml --
services:
  web:
    image: two
    ports:
      - "2"
-- other --
Section
