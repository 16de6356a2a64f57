// Adds dependencies to real package.json files, as npm does and with our program
// (argv[2]), and compares the bytes.
'use strict'

const { execFileSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const { framed } = require('./framed.js')
const { pick, random } = require('./random.js')

const WANTED = 300
const SECTIONS = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies']

const packageFiles = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const file = path.join(folder, entry.name)
  if (entry.isDirectory()) return packageFiles(file)
  return entry.name === 'package.json' ? [file] : []
})

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// --- what npm would write ------------------------------------------------------

// As json-parse-even-better-errors finds them.
const layoutOf = (text) => {
  const found = text.match(/^(?:\{\}|\[\])((?:\r?\n)+)?$/) ||
    text.match(/^\s*[{[]((?:\r?\n)+)([\s\t]*)/) || [null, '', '']
  return { newline: found[1] ?? '\n', indent: found[2] ?? '  ' }
}
const written = (content, { newline, indent }) =>
  `${JSON.stringify(content, null, indent)}\n`.replace(/\n/g, newline)

// `npm install --save-prod`, but peers stay where they are.
const withDependencies = (own, added) => {
  const content = structuredClone(own)
  for (const [name, spec] of Object.entries(added)) {
    delete content.optionalDependencies?.[name]
    delete content.devDependencies?.[name]
    content.dependencies ??= {}
    content.dependencies[name] = spec
  }
  for (const name of Object.keys(content.optionalDependencies ?? {})) delete content.dependencies?.[name]
  for (const section of SECTIONS) {
    if (!content[section]) continue
    const names = Object.keys(content[section]).sort((a, b) => a.localeCompare(b, 'en'))
    content[section] = Object.fromEntries(names.map((name) => [name, content[section][name]]))
    if (!names.length) delete content[section]
  }
  return content
}

// npm's own code for the same, to see that the above is it.
const npmRoot = execFileSync('npm', ['root', '-g'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString().trim()
const updaterPath = path.join(npmRoot, 'npm/node_modules/@npmcli/package-json/lib/update-dependencies.js')
const updateDependencies = fs.existsSync(updaterPath) ? require(updaterPath) : null

const withNpmsCode = (own, added) => {
  const content = Object.fromEntries(SECTIONS.map((section) => [section, structuredClone(own[section] ?? {})]))
  for (const [name, spec] of Object.entries(added)) {
    delete content.optionalDependencies[name]
    delete content.devDependencies[name]
    content.dependencies[name] = spec
  }
  const result = updateDependencies({ content, originalContent: own })
  // It would write the range of a peer over that of the same dependency: we keep what is there.
  for (const name of Object.keys(result.dependencies ?? {})) result.dependencies[name] = content.dependencies[name]
  return result
}

// --- the cases -----------------------------------------------------------------

const isPinned = (own, name) => [own.overrides, own.resolutions, own.pnpm?.overrides]
  .some((pins) => Object.keys(pins ?? {}).some((key) => key.includes(name)))

// New names, and names that are there already: "*" gives way to what stands there.
const randomAdditions = (own) => {
  const declared = {}
  const added = {}
  for (let i = 1 + random(3); i > 0; i--) {
    const name = pick(['@a/b', 'aaa', 'JSONStream', 'nanoclaw-none', 'Zz-top', 'z.z', '0', '@types/zzz', 'b_b'])
    if (SECTIONS.some((section) => own[section]?.[name] !== undefined)) continue
    declared[name] = added[name] = pick(['^1.2.3', '~0.4.0', 'latest', 'file:../x', '>=1 <3'])
  }
  const there = Object.keys({ ...own.devDependencies, ...own.optionalDependencies, ...own.peerDependencies })
  if (there.length && random(2)) {
    const name = pick(there)
    const spec = own.optionalDependencies?.[name] ?? own.dependencies?.[name] ?? own.devDependencies?.[name]
    const peer = own.peerDependencies?.[name]
    if (!isPinned(own, name) && (spec === undefined || peer === undefined || spec === peer)) {
      declared[name] = '*'
      added[name] = (spec ?? peer).trim()
    }
  }
  return { declared, added }
}

const cases = []
let leftOut = 0
for (const file of packageFiles(process.env.NODE_MODULES)) {
  const text = fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  const own = JSON.parse(text)
  // Not a package of its own, only a note for node about a folder.
  if (!own.name || !own.version) continue
  if (SECTIONS.some((section) => own[section] !== undefined && !isObject(own[section]))) {
    leftOut++
    continue
  }
  cases.push({ file, text, own, ...randomAdditions(own) })
}

const answers = framed(process.argv[2], cases.flatMap(({ declared, text }) => [JSON.stringify(declared), text]))

const claims = {
  [`there are at least ${WANTED} packages (${cases.length}; ${leftOut} with sections that are no objects)`]:
    () => (cases.length >= WANTED ? -1 : 0),
  'what we expect is what the code of npm gives': () => (!updateDependencies ? -1 : cases.findIndex(({ own, added }) =>
    JSON.stringify(withNpmsCode(own, added)) !== JSON.stringify(withDependencies(own, added)))),
  'the file is what npm would write': () => cases.findIndex(({ own, added, text }, i) =>
    answers[2 * i]?.toString() !== (Object.keys(added).length
      ? written(withDependencies(own, added), layoutOf(text)) : text)),
  'without the skill it is as before': () => cases.findIndex(({ own }, i) =>
    JSON.stringify(JSON.parse(answers[2 * i + 1].toString() || 'null')) !== JSON.stringify(own)),
}

console.log(`1..${Object.keys(claims).length}`)
for (const [claim, find] of Object.entries(claims)) {
  const wrong = find()
  console.log(`${wrong < 0 ? 'ok' : 'not ok'} - ${claim}`)
  if (wrong >= 0 && cases[wrong]) {
    const { file, own, text, added, declared } = cases[wrong]
    console.log(`# file:     ${file}`)
    console.log(`# declared: ${JSON.stringify(declared)}`)
    console.log(`# npm:      ${JSON.stringify(written(withDependencies(own, added), layoutOf(text))).slice(0, 4000)}`)
    console.log(`# ours:     ${JSON.stringify(answers[2 * wrong].toString()).slice(0, 4000)}`)
    console.log(`# back:     ${JSON.stringify(answers[2 * wrong + 1].toString()).slice(0, 4000)}`)
  }
}
