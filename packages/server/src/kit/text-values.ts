/** Plain decimal notation: no exponent, no sign but minus, no other base, no surrounding white space. */
const PLAIN_INTEGER = /^-?(?:0|[1-9]\d{0,15})$/
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

type Read = (text: string) => unknown

/** Any other notation stays text, and the validator refuses it as text. */
const READERS: Readonly<Record<string, Read>> = {
  integer: (text) => (PLAIN_INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text),
  number: (text) => (PLAIN_NUMBER.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

/**
 * Queries, paths and headers are text: where the schema wants a number or a boolean, this converts the text before
 * validation. Changes the given object. Null where the schema wants text only.
 */
export function createTextReader(schema: object): ((data: unknown) => void) | null {
  const { properties = {} } = schema as Schema
  const readers = Object.entries(properties).flatMap(([name, wanted]): [string, Read][] => {
    const read = readerOf(wanted)
    return read === undefined ? [] : [[name, read]]
  })
  if (readers.length === 0) return null
  return (data) => {
    if (typeof data !== 'object' || data === null) return
    const values = data as Record<string, unknown>
    for (const [name, read] of readers) {
      const value = values[name]
      if (typeof value === 'string') values[name] = read(value)
    }
  }
}

/** Of a union, such as one of two numbers, the first type counts. */
function readerOf({ type = [], anyOf = [] }: Schema): Read | undefined {
  const types = [type, ...anyOf.map((choice) => choice.type ?? [])].flat()
  return types.map((name) => READERS[name]).find((read) => read !== undefined)
}
