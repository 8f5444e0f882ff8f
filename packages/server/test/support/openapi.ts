import type { App } from '../../src/http/http-server.ts'

/** As much of JSON Schema as our routes use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly patternProperties?: unknown
  readonly additionalProperties?: unknown
  readonly default?: unknown
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** One method of one path of `/openapi.json`. */
export interface Operation {
  readonly method: string
  /** As the router writes it, with `:id`. */
  readonly url: string
  readonly parameters: readonly Parameter[]
  /** Null where the route takes no JSON. */
  readonly body: JsonSchema | null
  /** A page: what it takes comes as a form. */
  readonly isForm?: boolean
}

interface Described {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
  readonly parameters?: readonly Parameter[]
}

/** Every operation that the server describes. */
export async function operationsOf(app: App): Promise<Operation[]> {
  const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, Record<string, Described>> }>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { requestBody, parameters = [] }]): Operation => ({
        method: method.toUpperCase(),
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
      }),
    ),
  )
}
