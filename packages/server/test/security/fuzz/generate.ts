import type { JsonSchema } from '../../support/openapi.ts'
import { HOSTILE_CURSORS, HOSTILE_DIGITS, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values.ts'
import type { Random } from './random.ts'

const OPTIONAL_SHARE = 0.5
const LIST_MAX = 3

/** Real ids and names of the attacked world, which get further than invented ones. */
export interface Known {
  readonly ids: readonly string[]
  /** By the name of a field or parameter. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
}

/** What values are made of. */
export interface Source {
  readonly random: Random
  readonly known: Known
  /** How often a single value is hostile instead of valid. */
  readonly hostileShare: number
}

/** A value that fits a schema, or here and there one that does not. */
export function generate(source: Source, schema: JsonSchema, name = ''): unknown {
  const { random, known, hostileShare } = source
  if (random.chance(hostileShare)) return hostile(random, schema, name)
  const real = known.values[name]
  if (real !== undefined && random.chance(0.8)) return random.pick(real)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return generate(source, random.pick(schema.anyOf), name)
  return ofType(source, schema, name)
}

function ofType(source: Source, schema: JsonSchema, name: string): unknown {
  const { random, known } = source
  switch (random.pick([schema.type ?? 'object'].flat())) {
    case 'object':
      return objectOf(source, schema)
    case 'array': {
      const least = schema.minItems ?? 0
      const length = Math.max(least, random.below(LIST_MAX + 1))
      return Array.from({ length }, () => generate(source, schema.items ?? {}, name))
    }
    case 'integer':
      return integerOf(random, schema)
    case 'number':
      return integerOf(random, schema) + (random.chance(0.3) ? 0.5 : 0)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return textOf(random, known, schema)
  }
}

function objectOf(source: Source, { properties = {}, required = [] }: JsonSchema): object {
  const { random, hostileShare } = source
  const fields: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(properties)) {
    // Where hostility is wanted, something that is required may be missing, too.
    const share = required.includes(name) ? 1 - hostileShare / 4 : OPTIONAL_SHARE
    if (random.chance(share)) fields[name] = generate(source, part, name)
  }
  if (random.chance(hostileShare / 4)) fields[random.pick(HOSTILE_TEXTS)] = 1
  return fields
}

function integerOf(random: Random, { minimum = 0, maximum = minimum + 100 }: JsonSchema): number {
  if (random.chance(0.3)) return random.pick([minimum, maximum, minimum - 1, maximum + 1])
  return minimum + random.below(Math.min(maximum - minimum + 1, 1_000))
}

function textOf(random: Random, known: Known, { format, minLength = 1, maxLength = 30 }: JsonSchema): string {
  switch (format) {
    case 'uuid':
      return random.pick(known.ids)
    case 'date-time':
      return new Date(Date.UTC(2026, random.below(24), random.below(28), random.below(24))).toISOString()
    case 'email':
      return `visitor${random.below(1_000)}@example.com`
    case 'uri':
      return 'https://hooks.example/'
    default: {
      const length = Math.max(minLength, Math.min(maxLength, 1 + random.below(24)))
      return Array.from({ length }, () => random.pick([...'abcdefghijklmnop ABC0123456789éß日'])).join('')
    }
  }
}

/** Of the kind that is asked for, where there is one: a strange number tells more than a text where a number belongs. */
function hostile(random: Random, { type, anyOf }: JsonSchema, name: string): unknown {
  const types = [type, anyOf?.[0]?.type].flat()
  if (random.chance(0.3)) return random.pick(HOSTILE_VALUES)
  if (name === 'cursor' && random.chance(0.7)) return random.pick(HOSTILE_CURSORS)
  if ((types.includes('integer') || types.includes('number')) && random.chance(0.7)) return random.pick(HOSTILE_DIGITS)
  return random.pick(HOSTILE_TEXTS)
}
