// One run of a program over many texts, each as "LENGTH\nBYTES"; its answers are the same.
'use strict'

const { spawnSync } = require('child_process')

const framed = (program, inputs) => {
  const parts = inputs.map((input) => Buffer.from(input)).flatMap((i) => [Buffer.from(`${i.length}\n`), i])
  const { stdout, status } = spawnSync(program, [], { input: Buffer.concat(parts), maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`the program ended with ${status}`)
  const answers = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at)
    const len = Number(stdout.subarray(at, end))
    answers.push(stdout.subarray(end + 1, end + 1 + len))
    at = end + 1 + len
  }
  return answers
}

module.exports = { framed }
