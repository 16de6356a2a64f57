// Random compose files (argv[3] of them) and random services of three skills: the program (argv[2]) puts
// the services in and takes them out again. The schema of the compose specification must
// accept what it writes, other readers of YAML must find in it what was there and what
// was declared and nothing else, and no comment may be lost.
'use strict'

const { spawnSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const program = process.argv[2]
const modules = process.env.NODE_MODULES
const load = (name) => require(path.join(modules, name))
const jsYaml = load('js-yaml')
const yaml = load('yaml')

const schemaFile = path.join(modules, 'dclint/schemas/compose.schema.json')
const schema = JSON.parse(fs.readFileSync(schemaFile))
delete schema.$schema // draft 7, under an address that ajv does not know
const Ajv = load('ajv').default
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
const accepts = ajv.compile(schema)

// --- the program ---------------------------------------------------------------

const piece = (text) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
}
const run = (requests) => {
  const input = requests.flatMap((r) => [Buffer.from(`${r.length}\n`), ...r.map(piece)])
  const { stdout, status } = spawnSync(program, [], { input: Buffer.concat(input), maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`the program ended with ${status}`)
  const pieces = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at)
    const len = Number(stdout.subarray(at, end))
    pieces.push(stdout.subarray(end + 1, end + 1 + len).toString())
    at = end + 1 + len
  }
  return requests.map((_, i) => [pieces[2 * i], pieces[2 * i + 1]])
}

// --- random files, the same on every run -----------------------------------------

let seed = 20261116
const random = (below) => { // mulberry32
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}
const pick = (list) => list[random(list.length)]
const oneIn = (n) => random(n) === 0
const some = (max, make) => Array.from({ length: random(max + 1) }, make)

const port = () => pick([
  () => `${8000 + random(6)}:${1 + random(9)}`,
  () => `${8000 + random(6)}:22/udp`,
  () => `127.0.0.1:${8000 + random(6)}:80`,
  () => `[::1]:${8000 + random(6)}:80`,
  () => '9090-9091:8080-8081',
  () => `\${PORT:-${8000 + random(6)}}:80`,
  () => '${PORT}:80',
  () => 3000 + random(9),
  () => ({ target: 80, published: 8000 + random(6), protocol: 'tcp', mode: 'host' }),
  () => ({ target: 81, published: String(8000 + random(6)), host_ip: '127.0.0.1' }),
])()
const text = () => pick(['yes', 'no', 'on', 'off', 'null', '~', '1', '1.0', '1e3', '12:30', '0x1f', '010',
  '2026-01-01', 'a: b', 'a #b', '- a', '*a', '&a', '!a', '{a}', '[a]', "it's", '"q"', 'a\nb', ' a ', '', 'é漢😀',
  'true', '=', '<<', '%a', '@a', '`a', '\t', 'a\\b', ':', '?', '-', '.', '...', '---', 'x', '\u2028', '\u0085', '\u00a0'])
const volume = () => pick([
  () => `${pick(['data', 'store', 'v.1'])}:/x`,
  () => './here:/there', () => '/anonymous', () => '~/home:/h',
  () => ({ type: 'volume', source: pick(['data', 'long']), target: '/l' }),
  () => ({ type: 'bind', source: './b', target: '/l', bind: { create_host_path: true } }),
])()
const unique = (list) => [...new Map(list.map((x) => [JSON.stringify(x), x])).values()]
const service = () => {
  const made = { image: pick(['redis:alpine', 'nginx', 'a/b@sha256:' + '0'.repeat(64)]) }
  if (oneIn(2)) made.ports = unique(some(3, port))
  if (oneIn(3)) made.volumes = unique(some(3, volume))
  if (oneIn(3)) made.networks = pick([['back'], ['back', 'front'], { back: null, default: {} }, { front: { aliases: ['x'] } }])
  if (oneIn(3)) made.environment = Object.fromEntries(some(3, () => [`V${random(9)}`, pick([text(), random(9), null, true])]))
  if (oneIn(3)) made.command = some(3, text)
  if (oneIn(4)) made.restart = pick(['no', 'always', 'unless-stopped'])
  if (oneIn(4)) made.labels = { 'a.b': text() }
  if (oneIn(5)) made.deploy = { resources: { limits: { cpus: '0.5', memory: '50M' } } }
  if (oneIn(5)) made.healthcheck = { test: ['CMD', text()], interval: '1m30s', retries: 3 }
  if (oneIn(5)) made.configs = [{ source: 'c', target: '/c', mode: 288 }]
  if (oneIn(6)) made.tty = true
  return made
}
const services = (names) => Object.fromEntries(unique(some(3, () => pick(names))).map((n) => [n, service()]))

// The layout is ours to choose: lines with comments between and behind them.
const ownFile = () => {
  const step = pick([2, 2, 4, 3])
  const own = {}
  for (const key of unique(some(5, () => pick(['services', 'volumes', 'networks', 'name', 'x-a'])))) {
    own[key] = { services: services(['web', 'api', 'db']), name: 'it', 'x-a': { b: [text()] },
      volumes: pick([{}, { data: {} }, { data: null, old: { driver: 'local' } }]), networks: pick([{}, { back: {} }]) }[key]
  }
  if (!Object.keys(own).length) return pick(['', '# nothing\n', '\n', '---\n', '# a\n\n# b'])
  if (oneIn(12)) return JSON.stringify(own, null, pick([0, 2])) + pick(['', '\n'])
  let count = 0
  const lines = jsYaml.dump(own, { indent: step, flowLevel: pick([-1, -1, -1, 1, 2, 3]), noRefs: true, lineWidth: -1 })
    .replace(/\n$/, '').split('\n')
  const block = /[|>][+-]?\d*$/
  const out = []
  for (const line of lines) {
    const scalar = lines.some((l) => block.test(l))
    const indent = line.match(/^ */)[0]
    if (!scalar && oneIn(6)) out.push(`${pick([indent, indent, ''])}# comment ${count++}`)
    if (!scalar && oneIn(10)) out.push('')
    out.push(!scalar && oneIn(8) ? `${line} # comment ${count++}` : line + (scalar ? '' : pick(['', '', '', ' '])))
  }
  if (oneIn(3)) out.push(`${' '.repeat(pick([0, step]))}# comment ${count++}`)
  if (oneIn(5)) out.unshift('---')
  if (oneIn(8)) out.push('...')
  return (oneIn(12) ? '\ufeff' : '') + out.join(pick(['\n', '\n', '\n', '\r\n'])) + pick(['\n', '\n', '', '\n\n'])
}

// --- what must come out -------------------------------------------------------------

const withoutPorts = ({ ports, ...rest }) => rest
const targets = (s) => (s.ports ?? []).map((p) => p.target ?? String(p).replace(/\$\{[^}]*\}/g, '0').split(':').pop())
const same = (a, b) => {
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => k in b && same(a[k], b[k]))
}
const isSubset = (a, b) => Object.keys(a ?? {}).every((k) => k in (b ?? {}) && same(a[k], b[k]))

const check = (own, skills, [rendered, stripped], read) => {
  if (rendered === 'error') return stripped
  if (stripped !== own) return 'taking out does not give the bytes back'
  const before = read(own) ?? {}
  const after = read(rendered) ?? {}
  const added = Object.assign({}, ...skills)
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!['services', 'volumes', 'networks'].includes(key) && !same(before[key], after[key])) return `'${key}' is another`
    if (!isSubset(before[key] && typeof before[key] === 'object' ? before[key] : {}, after[key] && typeof after[key] === 'object' ? after[key] : {})) return `something of '${key}' is lost`
  }
  for (const [name, definition] of Object.entries(added)) {
    const written = after.services[name]
    if (!written || !same(withoutPorts(written), withoutPorts(definition))) return `service '${name}' is not as declared`
    if (!same(targets(written).map(String), targets(definition).map(String))) return `service '${name}' has other ports`
  }
  const more = (key) => Object.keys(after[key] ?? {}).filter((k) => !(k in (before[key] ?? {})))
  if (!same(more('services').sort(), Object.keys(added).sort())) return 'other services were added'
  for (const kind of ['volumes', 'networks']) {
    const used = new Set(Object.values(added).flatMap((s) => Array.isArray(s[kind] ?? []) ? s[kind] ?? [] : Object.keys(s[kind]))
      .map((x) => x.type === 'volume' ? x.source : typeof x !== 'string' ? '/' : kind === 'volumes' ? x.split(':')[0] : x))
    for (const name of used) if (!/^[./~]/.test(name) && name !== 'default' && !(name in (after[kind] ?? {}))) return `'${name}' is missing`
    for (const name of more(kind)) if (!used.has(name)) return `'${name}' was added`
  }
  for (const comment of own.match(/# .*/g) ?? []) if (!rendered.includes(comment.trim())) return `'${comment}' is lost`
  if (accepts(before) && !accepts(after)) return `the schema says: ${ajv.errorsText(accepts.errors).slice(0, 300)}`
  return null
}

const cases = Array.from({ length: Number(process.argv[3]) }, () => ({
  own: ownFile(),
  skills: [services(['cache', 'queue']), services(['mail', 'search']), services(['bot', 'zoo'])],
}))
// Line ends that are none in JSON would be some in YAML.
const declare = (skill) => JSON.stringify(skill)
  .replace(/[\u007f-\u00a0\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const answers = run(cases.map((c) => [c.own, ...c.skills.map(declare)]))
const readers = {
  'js-yaml': (t) => jsYaml.load(t.replace(/^\ufeff/, ''), { schema: jsYaml.CORE_SCHEMA }),
  'yaml, version 1.2': (t) => yaml.parse(t, { version: '1.2' }),
}

console.log(`1..${Object.keys(readers).length + 2}`)
for (const [name, read] of Object.entries(readers)) {
  const wrong = cases.findIndex((c, i) => check(c.own, c.skills, answers[i], read))
  console.log(`${wrong < 0 ? 'ok' : 'not ok'} - ${name} and the schema agree with what is written (${cases.length} files)`)
  if (wrong >= 0) {
    console.log(`# ${check(cases[wrong].own, cases[wrong].skills, answers[wrong], read)}`)
    for (const t of [cases[wrong].own, JSON.stringify(cases[wrong].skills), ...answers[wrong]]) console.log(`# ${JSON.stringify(t).slice(0, 3000)}`)
  }
}

// What is written must mean the same to readers of YAML 1.1, which docker-compose was.
const strings = cases.flatMap((c, i) => Object.entries(Object.assign({}, ...c.skills))
  .map(([name, definition]) => [name, definition, answers[i][0]]))
const other = strings.find(([name, definition, rendered]) => {
  const at = rendered.search(new RegExp(`^ *${name}:`, 'm'))
  if (rendered === 'error' || at < 0 || !/^ *# skills?: /m.test(rendered)) return false
  const lines = rendered.slice(at).split(/\r?\n/)
  const depth = lines[0].match(/^ */)[0].length
  const end = lines.findIndex((l, i) => i && l.match(/^ */)[0].length <= depth)
  const block = lines.slice(0, end < 0 ? undefined : end).map((l) => l.slice(depth)).join('\n') + '\n'
  return !same(withoutPorts(yaml.parse(block, { version: '1.1' })[name]), withoutPorts(definition))
})
console.log(`${other ? 'not ok' : 'ok'} - YAML 1.1 reads the same values (${strings.length} services)`)
if (other) console.log(`# ${JSON.stringify(other)}`)

const refused = cases.findIndex((c, i) => !accepts(readers['js-yaml'](answers[i][0]) ?? {}))
console.log(`${refused < 0 ? 'ok' : 'not ok'} - the schema accepts every file as a whole (${cases.length})`)
if (refused >= 0) console.log(`# ${JSON.stringify(answers[refused][0])}`)
