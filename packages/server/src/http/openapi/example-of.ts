import { VALUES } from './example-values.ts'

/** As much of JSON Schema as our routes use. */
export interface ExampleSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly ExampleSchema[]
  readonly allOf?: readonly ExampleSchema[]
  /** A list of schemas where each place has its own. */
  readonly items?: ExampleSchema | readonly ExampleSchema[]
  readonly properties?: Readonly<Record<string, ExampleSchema>>
  readonly patternProperties?: Readonly<Record<string, ExampleSchema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

/** What we show where no name is known, and how a value of each format begins. */
const FORMATS: Readonly<Record<string, { readonly shown: string; readonly begins: RegExp }>> = {
  'date-time': { shown: '2026-11-15T10:00:00.000Z', begins: /^\d{4}-\d\d-\d\dT/ },
  date: { shown: '2026-11-15', begins: /^\d{4}-\d\d-\d\d$/ },
  email: { shown: 'ada@example.com', begins: /^[^@]+@/ },
  uuid: { shown: '0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11', begins: /^[0-9a-f]{8}-[0-9a-f]{4}-/ },
  uri: { shown: 'https://shop.example/', begins: /^https?:/ },
}

/**
 * A value that fits a schema, the same every time, so that examples cannot differ from what a route takes and answers.
 * What the schema itself states as an example comes first; then what we usually show under this name, `names` being the
 * names around it, nearest first; then what follows from the type.
 */
export function exampleOf(schema: ExampleSchema, names: readonly string[]): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  const known = shownAs(names)
  if (schema.enum !== undefined) return schema.enum.includes(known) ? known : schema.enum[0]
  const variants = schema.anyOf?.filter((variant) => typeOf(variant) !== 'null') ?? []
  if (variants.length > 0) return bestOf(variants, known, names)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, names)))
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, names)
    case 'array':
      return listOf(schema, names, known)
    case 'string':
      return textOf(schema.format ?? '', known, names)
    case 'integer':
    case 'number':
      return numberOf(schema, known)
    case 'boolean':
      return known ?? schema.default ?? true
    case 'null':
      return null
    default:
      return known ?? inWords(names)
  }
}

/** Of several kinds of values: the one that we usually show, else the first. */
function bestOf(variants: readonly ExampleSchema[], known: unknown, names: readonly string[]): unknown {
  const examples = variants.map((variant) => exampleOf(variant, names))
  return examples.find((example) => known !== undefined && example === known) ?? examples[0]
}

function objectOf({ properties, patternProperties = {} }: ExampleSchema, names: readonly string[]): unknown {
  if (properties === undefined && Object.keys(patternProperties).length === 0) return shownAs(names) ?? {}
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => [name, exampleOf(schema, [name, ...names])])
  return Object.fromEntries(fields)
}

function listOf({ items = {}, minItems = 1 }: ExampleSchema, names: readonly string[], known: unknown): unknown {
  if (Array.isArray(known)) return known
  if (isTuple(items)) return items.map((item) => exampleOf(item, names))
  const [name = '', ...around] = names
  const one = exampleOf(items, [name.replace(/(?<!s)s$/, ''), name, ...around])
  return Array.from({ length: Math.max(1, minItems) }, () => one)
}

/** One name stands for values of several formats. */
function textOf(format: string, known: unknown, names: readonly string[]): string {
  const { shown, begins } = FORMATS[format] ?? { shown: inWords(names), begins: /^/ }
  return typeof known === 'string' && begins.test(known) ? known : shown
}

const isTuple = (items: ExampleSchema | readonly ExampleSchema[]): items is readonly ExampleSchema[] =>
  Array.isArray(items)

/** A field that has no value of its own yet shows its name: `sellerNote` as "seller note". */
function inWords([name = '']: readonly string[]): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function numberOf({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: ExampleSchema, known: unknown): number {
  const wished = typeof known === 'number' ? known : Math.max(1, minimum)
  return Math.min(Math.max(wished, minimum), maximum)
}

function typeOf({ type, properties, items }: ExampleSchema): string | undefined {
  if (type === undefined) return properties === undefined ? (items === undefined ? undefined : 'array') : 'object'
  return typeof type === 'string' ? type : type.find((one) => one !== 'null')
}

/** `organizations.name` counts more than `name`; of two names around it, the nearer one. */
function shownAs([name = '', ...around]: readonly string[]): unknown {
  const keys = [...around.map((outer) => `${outer}.${name}`), name]
  return VALUES.get(keys.find((key) => VALUES.has(key)) ?? '')
}
