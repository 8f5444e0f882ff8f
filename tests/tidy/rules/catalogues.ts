import { type Finding, isProduct, type Source, sourceAt } from '../sources.ts'
import { documentedNames } from './tables.ts'

const CONFIG = 'packages/server/src/config.ts'
const SETTING = /\b(SEATWISE_[A-Z0-9_]+|HOST|PORT|[A-Z]+_URL|[A-Z]+_REPLICA_URL)\b/g
const READ_SETTING = /['"`.](SEATWISE_[A-Z0-9_]+|HOST|PORT|DATABASE_URL|DATABASE_REPLICA_URL|REDIS_URL)\b/g

export function settingsBesideTheirDocument(sources: readonly Source[]): Finding[] {
  const documented = new Set(
    documentedNames(sourceAt(sources, 'docs/settings.md').text).filter((name) => name.match(SETTING)?.[0] === name),
  )
  const read = new Set([...sourceAt(sources, CONFIG).text.matchAll(READ_SETTING)].map((match) => match[1] ?? ''))
  return differences(documented, read, 'docs/settings.md', CONFIG)
}

export function errorsBesideTheirDocument(sources: readonly Source[]): Finding[] {
  const documented = new Set(
    documentedNames(sourceAt(sources, 'docs/errors.md').text).filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)),
  )
  const catalogue = sourceAt(sources, 'packages/domain/src/errors.ts').text
  const known = new Set([...catalogue.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \{/gm)].map((match) => match[1] ?? ''))
  return differences(documented, known, 'docs/errors.md', 'packages/domain/src/errors.ts')
}

export function environmentReaders(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => isProduct(path) && path !== CONFIG)
    .filter(({ text }) => /\bprocess\s*\.\s*env\b|\benv\b.*from 'node:process'/.test(text))
    .map(({ path }) => `${path} looks at process.env; ${CONFIG} is the only reader`)
}

function differences(
  documented: ReadonlySet<string>,
  real: ReadonlySet<string>,
  paper: string,
  code: string,
): Finding[] {
  if (documented.size === 0) return [`${paper} documents nothing`]
  if (real.size === 0) return [`${code} has nothing that this rule can see`]
  return [
    ...[...documented].filter((name) => !real.has(name)).map((name) => `${name} is in ${paper} but not in ${code}`),
    ...[...real].filter((name) => !documented.has(name)).map((name) => `${name} is in ${code} but not in ${paper}`),
  ]
}
