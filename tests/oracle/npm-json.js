// Reads and writes JSON with npm's own code and with ours (the program in
// argv[2]), and compares the bytes.
'use strict'

const { execFileSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const { framed } = require('./framed.js')
const { pick, random } = require('./random.js')

const npmRoot = execFileSync('npm', ['root', '-g'], { stdio: ['ignore', 'pipe', 'ignore'] })
  .toString().trim()
const parserPath = path.join(npmRoot, 'npm/node_modules/json-parse-even-better-errors')
if (!fs.existsSync(parserPath)) {
  console.log('1..0 # SKIP npm does not bring json-parse-even-better-errors')
  process.exit(0)
}
const parse = require(parserPath)

// As in @npmcli/package-json, save().
const asNpm = (text) => {
  const content = parse(text)
  const indent = content?.[Symbol.for('indent')] ?? '  '
  const newline = content?.[Symbol.for('newline')] ?? '\n'
  return `${JSON.stringify(content, null, indent)}\n`.replace(/\n/g, newline)
}

const packageFiles = (folder) => {
  const found = []
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) found.push(...packageFiles(file))
    else if (entry.name === 'package.json') found.push(file)
  }
  return found
}

// --- random documents, the same on every run ---------------------------------

const randomDouble = () => {
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setUint32(0, random(2 ** 32))
  bytes.setUint32(4, random(2 ** 32))
  const value = bytes.getFloat64(0)
  return Number.isFinite(value) ? value : 0
}
const randomNumber = () => pick([
  () => String(random(1000) - 500),
  () => String(randomDouble()),
  () => `${random(100)}.${random(1000)}`,
  () => `${random(10)}.${random(10)}e${random(600) - 300}`,
  () => `${1 + random(9)}${random(2 ** 32)}${random(2 ** 32)}${random(1000)}`,
  () => pick(['-0', '-0.0', '1e21', '1e20', '123e-20', '5e-324', '1E+2', '0.000001', '1e-7']),
])()
const randomString = () => {
  let text = ''
  for (let i = random(8); i > 0; i--) {
    text += pick(['a', 'Z', ' ', '"', '\\', '/', '\b', '\t', '\n', '\f', '\r', '\u0001',
      '\u001f', '\u007f', '\u0085', '\u2028', 'é', '漢', '😀', '<', '0'])
  }
  return text
}
const randomKey = () => pick([
  () => String(random(20)),
  () => pick(['00', '-1', '1.5', '4294967294', '4294967295', '4294967296', '9007199254740993', '__proto__', '']),
  randomString,
])()
// In text, so that the order of keys and the form of numbers are ours to choose.
const randomText = (depth, space) => {
  const kind = random(depth > 4 ? 4 : 6)
  if (kind === 0) return pick(['true', 'false', 'null'])
  if (kind === 1) return randomNumber()
  if (kind < 4) return JSON.stringify(randomString())
  const members = new Map()
  for (let i = random(6); i > 0; i--) members.set(randomKey(), randomText(depth + 1, space))
  if (kind === 4) return `[${space}${[...members.values()].join(`,${space}`)}${space}]`
  const entries = [...members].map(([k, v]) => `${JSON.stringify(k)}:${space}${v}`)
  return `{${space}${entries.join(`,${space}`)}${space}}`
}
const randomDocument = () => {
  const space = pick(['', ' ', '\n', '\n  ', '\r\n    ', '\n\t', '\n\n ', '\r\n\r\n  ',
    '\n \n ', '\n            ', '\r', ' \n', '\r\r\n '])
  return pick(['', '', '\ufeff', ' ', '\n']) + randomText(0, space) + pick(['', '\n', '\r\n', ' '])
}

// --- the comparison ----------------------------------------------------------

const powersOfTwo = []
for (let e = -1074; e < 1024; e++) powersOfTwo.push(2 ** e, 2 ** e * (1 + 2 ** -52))

const groups = {
  'every package.json of npm': packageFiles(npmRoot).map((f) => fs.readFileSync(f)),
  'random documents': Array.from({ length: 20000 }, () => Buffer.from(randomDocument())),
  'every power of two and its neighbour': [Buffer.from(JSON.stringify(powersOfTwo))],
  'random doubles': [Buffer.from(JSON.stringify(Array.from({ length: 50000 }, randomDouble)))],
  'empty documents': ['{}', '[]', '{}\n', '[]\r\n', '{}\n\n', '{ }', ' {}', '{}\r', '[\n]', '{\r\n}\r\n']
    .map((t) => Buffer.from(t)),
}

console.log(`1..${Object.keys(groups).length}`)
for (const [name, inputs] of Object.entries(groups)) {
  const answers = framed(process.argv[2], inputs)
  const wrong = inputs.findIndex((input, i) => answers[i]?.toString() !== asNpm(input.toString()))
  console.log(`${wrong < 0 ? 'ok' : 'not ok'} - ${name} (${inputs.length})`)
  if (wrong >= 0) {
    console.log(`# input: ${JSON.stringify(inputs[wrong].toString()).slice(0, 2000)}`)
    console.log(`# npm:   ${JSON.stringify(asNpm(inputs[wrong].toString())).slice(0, 2000)}`)
    console.log(`# ours:  ${JSON.stringify(answers[wrong]?.toString()).slice(0, 2000)}`)
  }
}
