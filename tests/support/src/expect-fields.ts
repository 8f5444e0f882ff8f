/** Checks a value that arrived untyped and returns it; throws where it is not what the test relies on. */
export type Reader<Value> = (value: unknown, path: string) => Value

type Shape = Readonly<Record<string, Reader<unknown>>>
type Fields<Of extends Shape> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> }

/**
 * A body with the fields that a test reads, typed because they were checked: an answer of another shape fails here, by
 * its path, and not as `undefined` in a later assertion. Other fields stay as they are.
 */
export function expectFields<Of extends Shape>(value: unknown, wanted: Of): Fields<Of> {
  return fields(wanted)(value, 'body')
}

/** A body that a test compares whole, or reads by names that it computes. */
export function expectRecord(value: unknown): Record<string, unknown> {
  return record(value, 'body')
}

/** The same of a text; an empty one, as a 204 has, is an object without fields. */
export function parseRecord(text: string): Record<string, unknown> {
  return text === '' ? {} : expectRecord(JSON.parse(text))
}

/** One of the parts of a signed token, which is readable without a key. */
export function decodePart(part: string | undefined): Record<string, unknown> {
  return expectRecord(JSON.parse(Buffer.from(part ?? '', 'base64url').toString()))
}

const text: Reader<string> = (value, path) => (typeof value === 'string' ? value : fail(path, 'a string', value))
const number: Reader<number> = (value, path) => (typeof value === 'number' ? value : fail(path, 'a number', value))
const boolean: Reader<boolean> = (value, path) => (typeof value === 'boolean' ? value : fail(path, 'a boolean', value))
const anything: Reader<unknown> = (value) => value
const record: Reader<Record<string, unknown>> = (value, path) =>
  isRecord(value) ? value : fail(path, 'an object', value)

function fields<Of extends Shape>(wanted: Of): Reader<Fields<Of>>
function fields(wanted: Shape): Reader<Record<string, unknown>> {
  return (value, path) => {
    const found = record(value, path)
    for (const [name, read] of Object.entries(wanted)) read(found[name], `${path}.${name}`)
    return found
  }
}

function listOf<Item>(item: Reader<Item>): Reader<Item[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((each, index) => item(each, `${path}[${index}]`)) : fail(path, 'a list', value)
}

/** An object by names that the test does not know. */
function mapOf<Value>(read: Reader<Value>): Reader<Record<string, Value>> {
  return (value, path) => {
    const found = Object.entries(record(value, path))
    return Object.fromEntries(found.map(([name, each]) => [name, read(each, `${path}.${name}`)]))
  }
}

function optional<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return (value, path) => (value === undefined ? undefined : read(value, path))
}

function nullable<Value>(read: Reader<Value>): Reader<Value | null> {
  return (value, path) => (value === null ? null : read(value, path))
}

/** What a field may be. */
export const shape = { text, number, boolean, anything, record, fields, listOf, mapOf, optional, nullable }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fail(path: string, wanted: string, found: unknown): never {
  throw new TypeError(`${path} should be ${wanted}, and is ${JSON.stringify(found) ?? String(found)}`)
}
