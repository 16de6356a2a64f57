// Random numbers, the same on every run: mulberry32.
'use strict'

let seed = 20260216

const random = (below) => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}
const pick = (list) => list[random(list.length)]

module.exports = { pick, random }
