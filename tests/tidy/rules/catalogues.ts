import { type Finding, isProduct, type Source, sourceAt } from '../sources.ts'
import { documentedNames, readTable } from './tables.ts'

const CONFIG = 'packages/server/src/config/config.ts'
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
  const { text } = sourceAt(sources, 'docs/errors.md')
  const documented = new Set(documentedNames(text).filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)))
  const catalogue = sourceAt(sources, 'packages/domain/src/errors.ts').text
  const known = new Set([...catalogue.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \{/gm)].map((match) => match[1] ?? ''))
  // A merge keeps both versions of a row that two branches changed, and then they contradict each other.
  const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map((match) => match[1] ?? '')
  const twice = rows.filter((name, index) => rows.indexOf(name) !== index)
  return [
    ...differences(documented, known, 'docs/errors.md', 'packages/domain/src/errors.ts'),
    ...twice.map((name) => `${name} has two rows in docs/errors.md`),
  ]
}

const ROOMS = 'docs/rooms.md'

/** The table of docs/rooms.md beside the defaults and ranges in force. */
export function roomSettingsBesideTheirDocument(
  sources: readonly Source[],
  defaults: Readonly<Record<string, unknown>>,
  limits: Readonly<Record<string, { readonly min: number; readonly max: number }>>,
): Finding[] {
  const rows = readTable(sourceAt(sources, ROOMS).text, 'settings')
  const documented = new Map(rows.map(([name = '', , byDefault = '', range = '']) => [name, `${byDefault}, ${range}`]))
  const real = new Map(
    Object.entries(defaults).map(([name, value]) => [`\`${name}\``, `${shown(value)}, ${rangeOf(limits[name])}`]),
  )
  return [
    ...differences(new Set(documented.keys()), new Set(real.keys()), ROOMS, 'ROOM_DEFAULTS'),
    ...[...documented]
      .filter(([name, said]) => real.has(name) && real.get(name) !== said)
      .map(([name, said]) => `${ROOMS} says "${said}" of ${name}; in force is "${real.get(name)}"`),
  ]
}

const shown = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en-US') : `\`${String(value)}\``

const rangeOf = (limit: { readonly min: number; readonly max: number } | undefined): string =>
  limit === undefined ? '' : `${shown(limit.min)} to ${shown(limit.max)}`

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
