import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

type Write = ReturnType<typeof build>

/** By schema: many answers share one, and tests open many servers in one process. */
const compiled = new WeakMap<object, Write>()

/**
 * Compiles each schema at the first answer that needs it, as the schemas of requests are: those of all routes were a third
 * of the processor time of a start (0.69 and 0.48 s, November 2026). A test checks that every schema compiles.
 */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  return (answer) => (compiled.get(schema) ?? compile(schema))(answer)
}

function compile(schema: object): Write {
  const write = build(schema)
  compiled.set(schema, write)
  return write
}
