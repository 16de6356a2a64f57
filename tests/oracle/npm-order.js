// Sorts names as npm does, and with our program (argv[2]), and compares.
'use strict'

const { framed } = require('./framed.js')
const { pick, random } = require('./random.js')

if (new Intl.Collator('en').resolvedOptions().locale !== 'en') {
  console.log('1..0 # SKIP this node knows no languages')
  process.exit(0)
}

// As in @npmcli/package-json, update-dependencies.js.
const asNpm = (names) => Object.keys(Object.fromEntries(
  names.sort((a, b) => a.localeCompare(b, 'en')).map((name) => [name, null])))

const ascii = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i))
const word = (letters, most) => Array.from({ length: 1 + random(most) }, () => pick(letters)).join('')
const names = (make, count) => [...new Set(Array.from({ length: count }, make))]
const lists = (make) => Array.from({ length: 40 }, () => names(make, 500))

const inNames = [...ascii(97, 122), ...ascii(65, 90), ...ascii(48, 57), ...'-_.!~*\'()@/']
const few = [...'aAbB-_.@/0~']
const groups = {
  'every character by itself': [names((() => { let i = 31; return () => String.fromCharCode(++i) })(), 95)],
  'two characters that can be in names': [inNames.flatMap((a) => inNames.map((b) => a + b))],
  'random names': lists(() => word(inNames, 12)),
  'names that are much alike': lists(() => word(few, 6)),
  'scoped names': lists(() => `@${word(few.slice(0, 7), 3)}/${word(few, 3)}`),
  'names of any printable character': lists(() => word(ascii(32, 126), 6)),
  'names with controls': lists(() => word([...ascii(1, 32), 'a', 'B', '\u007f'], 4)),
  'numbers': lists(() => pick([() => String(random(200)), () => `0${random(9)}`,
    () => String(4294967290 + random(10)), () => `${random(9)}a`])()),
}

console.log(`1..${Object.keys(groups).length}`)
for (const [name, inputs] of Object.entries(groups)) {
  const answers = framed(process.argv[2], inputs.map((list) => JSON.stringify(list)))
  const wrong = inputs.findIndex((list, i) => answers[i]?.toString() !== JSON.stringify(asNpm([...list])))
  const count = inputs.reduce((sum, list) => sum + list.length, 0)
  console.log(`${wrong < 0 ? 'ok' : 'not ok'} - ${name} (${count})`)
  if (wrong >= 0) {
    const expected = asNpm([...inputs[wrong]])
    const found = JSON.parse(answers[wrong].toString())
    const at = expected.findIndex((text, i) => text !== found[i])
    console.log(`# npm:  ${JSON.stringify(expected.slice(at, at + 3))}`)
    console.log(`# ours: ${JSON.stringify(found.slice(at, at + 3))}`)
  }
}
