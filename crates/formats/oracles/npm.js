// Writes npm-versions.tsv, npm-names.tsv and npm-tags.tsv with the answers of node's own libraries
// (npm install semver validate-npm-package-name).
const fs = require('fs')
const path = require('path')
const semver = require('semver')
const validate = require('validate-npm-package-name')

let state = 20
const random = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * count)
}
const pick = (list) => list[random(list.length)]
const write = (name, lines) => fs.writeFileSync(path.join(__dirname, name), lines.join('\n') + '\n')

const number = () => pick(['0', '1', '2', '3', '9', '10', '11', '100', '2026'])
const identifier = () => pick(['alpha', 'beta', 'rc', '0', '1', '2', '10', 'a-b', 'x1', '1a', '-', 'RC'])
const spelling = () => {
  let text = pick(['', '', '', '', 'v', '=', '=v', ' ']) + [number(), number(), number()].join('.')
  if (random(10) < 6) text += '-' + Array.from({ length: 1 + random(3) }, identifier).join('.')
  if (random(10) < 2) text += '+' + Array.from({ length: 1 + random(2) }, identifier).join('.')
  if (random(10) < 2) {
    const place = random(text.length + 1)
    text = text.slice(0, place) + pick(['x', '..', '/', '+', ' ', '01', '*', '_', '-']) + text.slice(place)
  }
  return text
}

const valid = []
const invalid = []
const spellings = [...new Set(Array.from({ length: 2000 }, spelling))].concat(['9007199254740991.0.0', '9007199254740992.0.0'])
for (const text of spellings) {
  const clean = semver.clean(text)
  if (clean === null) invalid.push(`!\t${text}\t`)
  else valid.push([semver.parse(clean), text])
}
valid.sort((left, right) => left[0].compare(right[0]) || (left[1] < right[1] ? -1 : 1))
const lines = valid.map(([version, text], index) => {
  const sign = index > 0 && version.compare(valid[index - 1][0]) === 0 ? '=' : '<'
  return `${sign}\t${text}\t${version.version}`
})
write('npm-versions.tsv', lines.concat(invalid))

// Names of node's own modules are valid here; npm only advises against them.
const isName = (name) => {
  const { errors = [], warnings = [] } = validate(name)
  return errors.length === 0 && warnings.every((warning) => warning.includes('core module'))
}
const parts = ['a', 'hello', 'a.b', 'a-b', 'a_b', 'a1', '1a', 'A', '.a', '_a', 'a~', "a'", 'a!', 'a b', ' a', 'a ', 'ä', 'a/b',
  'node_modules', 'favicon.ico', 'http', 'a*', 'a(', 'a:b', 'a%', 'a@', 'x'.repeat(150), 'x'.repeat(220), '-a', '-']
const names = parts.concat(parts.flatMap((scope) => parts.map((base) => `@${scope}/${base}`)))
write('npm-names.tsv', names.map((name) => `${name}\t${isName(name) ? 1 : 0}`))

const tags = ['latest', 'next', 'beta', 'rc-1', 'v', 'v1', 'V1', '1', '1.0', '1.0.0', 'x', 'X', 'x.x', 'x.y', '1.x', 'v1-beta', 'beta.1',
  '~1', '^1', '>=1', '*', 'release-1.x', 'canary', 'vnext', 'x1', 'X.x.X', 'lts', 'a b', '1a', '=1']
const isTag = (tag) => semver.validRange(tag) === null && /^[\w.~-]+$/.test(tag)
write('npm-tags.tsv', tags.map((tag) => `${tag}\t${isTag(tag) ? 1 : 0}`))
