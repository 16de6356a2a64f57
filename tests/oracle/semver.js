// semver.js PROGRAM COUNT SEED: random pairs of ranges, with node-semver and with our code
// (PROGRAM, see semver.c). In TAP.
//
// Our code may differ in one thing, which is left out here: two numbers in prereleases
// that are both above 2^53 and round to the same double.
'use strict'

const { spawnSync } = require('child_process')

const [program, count, firstSeed] = process.argv.slice(2)
const semver = require(`${process.env.NODE_MODULES}/semver`)
const BATCH = 5000
const VERSIONS = 12

// --- random texts, the same on every run -------------------------------------

let seed = Number(firstSeed)
const random = (below) => { // mulberry32
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}
const pick = (list) => list[random(list.length)]
const rarely = (usual, rare) => random(100) ? usual : rare

const number = () => rarely(pick(['0', '0', '1', '1', '2', '3', '10']),
  pick(['00', '01', '9007199254740990', '9007199254740991', '9007199254740992',
    '99999999999999999999999999', '1'.repeat(257), '1'.repeat(258), '18446744073709551617', '']))
const x = () => random(5) ? number() : pick(['x', 'X', '*'])
const word = () => rarely(
  pick(['0', '1', '2', 'a', 'b', 'rc', 'rc', 'alpha', '-', 'x', '0a', '1-', 'v', '10']),
  pick(['01', '', '9007199254740993', 'a'.repeat(249), 'a'.repeat(251), 'a'.repeat(252), '*',
    '1'.repeat(256) + 'a', '1'.repeat(257) + 'a', 'é', '_']))
const words = () => {
  let text = word()
  while (!random(3)) text += `.${word()}`
  return text
}
const suffix = () => (random(3) ? '' : `-${words()}`) + (random(12) ? '' : `+${words()}`)
const full = () => `${number()}.${number()}.${number()}${suffix()}`
const partial = () => pick([
  () => x(),
  () => `${number()}.${x()}`,
  () => `${number()}.${number()}.${x()}${suffix()}`,
  () => rarely(full(), `${x()}.${x()}.${x()}${suffix()}`),
  full, full, full,
])()
const space = () => rarely(pick(['', '', '', ' ']),
  pick(['  ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u2028', '\r\n', ' +a ', '\u200b']))
const gap = () => space() || ' '
const operator = () => rarely(
  pick(['', '', '^', '^', '~', '~', '>', '>=', '<', '<=', '=', '~>']),
  pick(['==', '>>', '=>', '~=', '^=', '>==', '= =', '~ >', '~> ', '^ ^', '!', '<>', '^~', '~^', '>~']))
const prefix = () => rarely('', pick(['v', 'v', '=', 'v=', 'vv', 'v ', '= ', 'V']))
const comparator = () => operator() + space() + prefix() + partial()
const hyphen = () => prefix() + partial() + gap() + pick(['-', '-', '-', '-', '--', '']) + gap() + prefix() + partial()
const set = () => {
  if (!random(6)) return hyphen()
  let text = comparator()
  while (!random(3)) text += gap() + comparator()
  return text
}
// Ends that lie close together, so that sets touch, overlap and miss by one.
const bounded = () => pick(['>', '>=']) + full() + ' ' + pick(['<', '<=']) + full()
const union = () => {
  let text = random(5) ? set() : bounded()
  while (!random(3)) text += space() + pick(['||', '||', '||', '||', '||', '||', '|', '|||']) + space() + set()
  return text
}
const ALPHABET = [...'0123xX*v=<>~^|-+. ab\t', '||', ' - ', '\u0000', 'é']
const damaged = (text) => {
  const chars = [...text]
  for (let i = 1 + random(2); i > 0; i--) chars.splice(random(chars.length + 1), random(2), pick(ALPHABET))
  return chars.join('')
}
const nonsense = () => pick([
  () => pick(['', ' ', '*', 'x', 'X.x', '||', '|| 1', '1 ||', 'latest', 'git+ssh://git@host/a.git#v1',
    'file:../a', 'npm:a@^1.0.0', 'a/b', '>', '<', '=', '^', '~', '-', '+', '.', 'v', '<0.0.0-0', '<0.0.0',
    '>=v0.0.0', '>=0.0.0-0', '>*', '<x', '<=*', '=x', '1.2.3*', '1.*2.3', '1.2.3-*a', '*1.2.3']),
  () => Array.from({ length: random(10) }, () => pick(ALPHABET)).join(''),
])()
const range = () => {
  const kind = random(12)
  if (kind < 9) return union()
  return kind < 11 ? damaged(union()) : nonsense()
}

// Versions at and around what the texts name.
const near = (a, b) => {
  const named = `${a} ${b}`.match(/\d{1,16}(\.\d{1,16}){0,2}/g) ?? ['0']
  const tails = `${a} ${b}`.match(/(?<=\d-)[a-z0-9-]+(\.[a-z0-9-]+)*/g) ?? []
  return Array.from({ length: VERSIONS }, () => {
    const parts = pick(named).split('.').map(Number)
    while (parts.length < 3) parts.push(0)
    const at = random(6)
    if (at < 3) parts[at] = Math.max(0, parts[at] + random(3) - 1)
    if (!random(8)) parts[2] = 0
    const tail = pick([...tails, words()]) + pick(['', '', '', '.0', '.a', '-'])
    return parts.join('.') + (random(2) ? '' : `-${tail}`) + rarely('', '+b')
  }).map((v) => v.replace(/\s/g, '_'))
}

// --- the comparison -----------------------------------------------------------

const ask = (pairs) => {
  const frames = pairs.flatMap(({ a, b, versions }) => [a, b, versions.join(' ')])
    .map((text) => Buffer.from(text)).flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes])
  const { stdout, status } = spawnSync(program, [], { input: Buffer.concat(frames), maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`the program ended with ${status}`)
  return stdout.toString().split('\n').map((line) => line.split('\t'))
}

const parsed = (text) => {
  try {
    return new semver.Range(text)
  } catch {
    return null
  }
}
const bits = (values) => values.map((v) => v ? '1' : '0').join('')

const tests = {
  'which texts are ranges, and their comparators': 0,
  'which versions satisfy': 0,
  'the intersection has the versions that both have': 0,
}
const [PARSE, HAS, COMMON] = Object.keys(tests)
const wrong = {}
let common = 0
let satisfied = 0

const differ = (test, pair, theirs, ours) => {
  wrong[test] ??= []
  wrong[test].push({ ...pair, theirs, ours })
}
const check = (test, pair, theirs, ours) => {
  tests[test]++
  if (theirs !== ours) differ(test, pair, theirs, ours)
}

const checkCommon = (pair, both, answer) => {
  const text = /^[!?]/.test(answer) ? answer : Buffer.from(answer, 'hex').toString()
  const range = text === '!' ? null : parsed(text)
  tests[COMMON]++
  if (text !== '!' && !range) return differ(COMMON, pair, 'a range', text)
  if (range) common++
  const found = bits(pair.versions.map((v) => range?.test(v)))
  if (found !== both) differ(COMMON, pair, both, `${text} ${found}`)
}

const compare = (pair, [a, b, hasA, hasB, text]) => {
  const ranges = [parsed(pair.a), parsed(pair.b)]
  check(PARSE, pair, ranges[0] ? ranges[0].range : '!', a)
  check(PARSE, pair, ranges[1] ? ranges[1].range : '!', b)
  if (!ranges[0] || !ranges[1] || hasA === undefined) return
  const has = ranges.map((range) => pair.versions.map((v) => semver.satisfies(v, range)))
  check(HAS, pair, bits(has[0]), hasA)
  check(HAS, pair, bits(has[1]), hasB)
  satisfied += has.flat().filter(Boolean).length
  // No text with a NUL is a range, so these are whole.
  checkCommon(pair, bits(has[0].map((v, i) => v && has[1][i])), text)
}

// `count` pairs of texts that are both ranges; the rest comes on top.
while (tests[COMMON] < Number(count)) {
  const pairs = Array.from({ length: BATCH }, () => {
    const a = range()
    const b = random(6) ? range() : damaged(a)
    return { a, b, versions: near(a, b) }
  })
  const answers = ask(pairs)
  pairs.forEach((pair, i) => compare(pair, answers[i]))
  if (Object.keys(wrong).length) break
}

console.log(`1..${Object.keys(tests).length}`)
console.log(`# seed ${firstSeed}, semver ${require(`${process.env.NODE_MODULES}/semver/package.json`).version}; ` +
  `${common} pairs have versions in common, ${satisfied} versions satisfy`)
for (const [test, done] of Object.entries(tests)) {
  console.log(`${wrong[test] ? 'not ok' : 'ok'} - ${test} (${done})`)
  for (const case_ of (wrong[test] ?? []).slice(0, 5)) console.log(`# ${JSON.stringify(case_)}`)
}
