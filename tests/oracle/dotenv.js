// What the package dotenv reads from the files that our program (argv[2])
// makes of own lines and declarations of skills: every variable with its default, and
// the own ones as before.
'use strict'

const path = require('path')
const { spawnSync } = require('child_process')
const { parse } = require(path.join(process.env.NODE_MODULES, 'dotenv'))

// One run of the program over all inputs.
const render = (inputs) => {
  const framed = inputs.flatMap((i) => [Buffer.from(`${i.length}\n`), i])
  const { stdout, status } = spawnSync(process.argv[2], [],
    { input: Buffer.concat(framed), maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`the program ended with ${status}`)
  const answers = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at)
    const len = Number(stdout.subarray(at, end))
    answers.push(stdout.subarray(end + 1, end + 1 + len).toString())
    at = end + 1 + len
  }
  return answers
}

// --- random files, the same on every run --------------------------------------

let seed = 20260216
const random = (below) => { // mulberry32
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}
const pick = (list) => list[random(list.length)]

const randomValue = () => {
  let text = ''
  for (let i = random(7); i > 0; i--) {
    text += pick(['a', 'Z', '0', ' ', '\t', '#', '=', '$', '{', '"', "'", '`', '\\', '\\n',
      '\\r', ':', '/', '-', ';', '&', '!', 'é', '漢', '\u00a0', '\u2028', '\u0085', '%'])
  }
  return text
}
const randomOwn = () => {
  const lines = []
  for (let i = random(6); i > 0; i--) {
    lines.push(pick(['', '# a section', `OWN_${random(4)}=${pick(['', '1', "'a b'", '"x" # y'])}`,
      `# OFF_${random(4)}=1`, 'export OWN_9=9', ' OWN_8 = 8']))
  }
  return lines.join(pick(['\n', '\r\n'])) + pick(['', '\n'])
}
const randomCase = () => {
  const skills = {}
  const expected = {}
  for (const skill of ['a', 'b', 'c']) {
    skills[skill] = {}
    for (let i = random(4); i > 0; i--) {
      const name = `${skill.toUpperCase()}_${i}`
      const value = randomValue()
      skills[skill][name] = { default: value, comment: pick(['', 'why', 'A_1=no\n\n"open']) }
      expected[name] = value
    }
  }
  return { own: randomOwn(), skills, expected }
}

// There is no way to write these.
const isHopeless = (value) => value.endsWith('\\')
  ? !/^[!$-&(-_a-~][^#]*$/.test(value)
  : /'/.test(value) && /`/.test(value) && /["\\]/.test(value)

// --- the comparison ------------------------------------------------------------

const cases = Array.from({ length: 20000 }, randomCase)
const escape = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
const answers = render(cases.map(({ own, skills }) =>
  Buffer.from(JSON.stringify({ own, skills }).replace(/[\u007f-\uffff]/g, escape))))

const isWrong = ({ own, expected }, text) => {
  if (Object.values(expected).some(isHopeless)) return text !== 'refused'
  const found = parse(text)
  const wanted = { ...parse(own), ...expected }
  const names = Object.keys(wanted)
  return names.length !== Object.keys(found).length || names.some((n) => found[n] !== wanted[n])
}

console.log('1..2')
const wrong = cases.findIndex((c, i) => isWrong(c, answers[i]))
console.log(`${wrong < 0 ? 'ok' : 'not ok'} - dotenv reads what was declared (${cases.length})`)
if (wrong >= 0) {
  console.log(`# case: ${JSON.stringify(cases[wrong])}`)
  console.log(`# file: ${JSON.stringify(answers[wrong])}`)
  console.log(`# read: ${JSON.stringify(parse(answers[wrong]))}`)
}
const refused = answers.filter((a) => a === 'refused').length
console.log(`${refused < cases.length / 5 ? 'ok' : 'not ok'} - few declarations are refused (${refused})`)
