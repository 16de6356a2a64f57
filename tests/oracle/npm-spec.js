// Judges names and specifiers with npm's own code and with ours (the program in argv[2]).
'use strict'

const { execFileSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const { framed } = require('./framed.js')
const { pick, random } = require('./random.js')

const npmRoot = execFileSync('npm', ['root', '-g'], { stdio: ['ignore', 'pipe', 'ignore'] })
  .toString().trim()
const modules = path.join(npmRoot, 'npm/node_modules')
for (const name of ['npm-package-arg', 'semver', 'validate-npm-package-name']) {
  if (!fs.existsSync(path.join(modules, name))) {
    console.log(`1..0 # SKIP npm does not bring ${name}`)
    process.exit(0)
  }
}
const npa = require(path.join(modules, 'npm-package-arg'))
const semver = require(path.join(modules, 'semver'))
const validate = require(path.join(modules, 'validate-npm-package-name'))

// Names of node's own modules are names of packages, too ("events"), and no fault here.
const nameKind = (name) => {
  const { validForOldPackages, warnings = [] } = validate(name)
  if (!validForOldPackages) return 'wrong'
  return warnings.some((w) => !w.endsWith('is a core module name')) ? 'old' : 'good'
}

const specKind = (spec) => {
  try {
    const { type } = npa.resolve('x', spec, '/')
    if (type === 'version' || type === 'range') return 'range'
    return type === 'tag' ? 'tag' : 'address'
  } catch {
    return 'wrong'
  }
}

// Where we differ on purpose: schemes of other package managers and ssh, paths of Windows,
// and what is a version only to npm's loose eye (1.2.3beta, >=01.2).
const isOurs = (spec) => /^(catalog|exec|jsr|link|patch|portal|ssh|workspace|[a-z]):/i.test(spec.trim()) ||
  (semver.validRange(spec.trim(), true) !== null && semver.validRange(spec.trim()) === null)

const word = (letters, most) => Array.from({ length: random(most + 1) }, () => pick(letters)).join('')
const inNames = ['a', 'b', 'Z', '0', '9', '.', '-', '_', '~', '!', '*', '\'', '(', ')', '@', '/', '%', ' ', 'é', ':']
const randomName = () => pick([
  () => word(inNames, 6),
  () => `@${word(inNames.slice(0, 8), 3)}/${word(inNames, 4)}`,
  () => pick(['node_modules', 'Node_Modules', 'favicon.ico', 'events', 'HTTP', 'a'.repeat(214), 'a'.repeat(215)]),
])()

const version = () => `${random(3)}.${random(3)}.${random(3)}${pick(['', '', '-rc.1', '+b'])}`
const randomSpec = () => pick([
  () => pick(['^', '~', '>=', '<', '=', '', 'v']) + version(),
  () => `${version()} - ${version()}`,
  () => `${pick(['1', '1.x', '*', '^0', ''])} || ${version()}`,
  () => pick(['latest', 'next', 'beta-1', 'x', '*', '', ' latest ', 'a b', 'a+b', '%20', '!', '||', 'x.1']),
  () => pick(['./a', '../a', '/a', '~/a', 'a.tgz', 'a.tar.gz', 'a.tar', 'file:a', 'FILE:../a', '~', '.', '..']),
  () => pick(['github:a/b', 'gist:abc', 'gitlab:a/b', 'bitbucket:a/b', 'a/b', 'a/b#v1', 'a/b#semver:^1',
    'git@github.com:a/b', 'git@host.example:a/b.git', '@a/b']),
  () => `${pick(['git+ssh', 'git+https', 'git+http', 'git', 'git+file', 'https', 'http', 'HTTPS', 'ftp', 'foo',
    'javascript', 'git+foo', 'data'])}://host.example/a.git${pick(['', '#v1'])}`,
  () => `npm:${pick(['a', '@a/b', 'A', '_a', 'a b', '@a'])}${pick(['', '@', '@^1', '@next', '@1 || 2', '@file:x',
    '@a/b', '@a+b'])}`,
])()

const COUNT = 20000
const names = Array.from({ length: COUNT }, randomName)
const specs = Array.from({ length: COUNT }, randomSpec).filter((spec) => !isOurs(spec))

const groups = {
  names: [names, nameKind, 0],
  specifiers: [specs, specKind, 1],
}

console.log(`1..${Object.keys(groups).length}`)
for (const [group, [texts, kind, column]] of Object.entries(groups)) {
  const answers = framed(process.argv[2], texts).map((answer) => answer.toString().split(' ')[column])
  const wrong = texts.map((text, i) => `${JSON.stringify(text)}: npm ${kind(text)}, ours ${answers[i]}`)
    .filter((_, i) => answers[i] !== kind(texts[i]))
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${group} (${texts.length})`)
  for (const line of new Set(wrong)) console.log(`# ${line}`)
}
