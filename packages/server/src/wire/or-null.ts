import Type from 'typebox'

/** A list of types, not a union of schemas: a union is serialised by trying one validator after the other. */
export const orNull = <Value>(type: 'integer' | 'string', options = {}) =>
  Type.Unsafe<Value | null>({ ...options, type: [type, 'null'] })
