import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import { VERSION } from '../../config/index.ts'
import type { Access } from '../access/access.ts'
import type { App } from '../http-server.ts'
import { CONTENT_SECURITY_POLICY_PAGE } from '../security-headers.ts'
import { addExamples } from './add-examples.ts'
import { operationIdOf, tellAccess } from './describe-operation.ts'
import { API_GROUPS, DOCS_LOOK } from './docs-page.ts'
import { schemaOf, writtenAnswerOf } from './written-answers.ts'
import { takesPass, writtenHeadersOf } from './written-headers.ts'

/** The path of `/docs`; a plugin adds its routes, so their access is stated for the whole path. */
export const DOCS_PATH = '/docs'

const ERROR_SCHEMA = {
  type: 'object' as const,
  description: 'Every error looks like this. `code` is stable; more fields may say more.',
  required: ['statusCode', 'error', 'code', 'message', 'timestamp', 'path'],
  properties: {
    statusCode: { type: 'integer' as const },
    error: { type: 'string' as const },
    code: { type: 'string' as const },
    message: { type: 'string' as const },
    timestamp: { type: 'string' as const, format: 'date-time' },
    path: { type: 'string' as const },
  },
  additionalProperties: true,
}

/** Must be called before the routes that it documents. */
export async function describeRoutes(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Seatwise',
        version: VERSION,
        description: 'A fair waiting room and a box office that never sells a seat twice.',
      },
      tags: API_GROUPS,
      components: {
        schemas: { Error: ERROR_SCHEMA },
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: {
            ...{ type: 'http', scheme: 'bearer', bearerFormat: 'swk_…' },
            description: 'An API key of an organization: for programs, wherever a role in an organization counts.',
          },
          ticketToken: { type: 'apiKey', in: 'header', name: 'Seatwise-Ticket' },
          pass: { type: 'apiKey', in: 'header', name: 'Seatwise-Pass' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const method = [route.method].flat()[0] ?? 'GET'
      const whole = withWritten(schema ?? {}, method, url)
      const described = addExamples(describe(whole, route.config?.access), method, url)
      return { schema: { operationId: operationIdOf(method, url), ...described }, url }
    },
  })
  await app.register(swaggerUi, {
    ...{ routePrefix: DOCS_PATH, ...DOCS_LOOK },
    // The documentation page shows its spinner and icons as data URLs, and its layout sets style attributes.
    staticCSP: `${CONTENT_SECURITY_POLICY_PAGE.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}`,
  })
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { tags: ['operation'], summary: 'This description' } },
    (_request, reply) => reply.type('application/json; charset=utf-8').send(app.swagger()),
  )
}

type Security = readonly Readonly<Record<string, readonly string[]>>[]

/** Adds to a route's schema what is defined elsewhere: the error format, and who may call it. */
function describe(schema: FastifySchema, access: Access | undefined): FastifySchema {
  if (schema.hide === true) return schema
  const text = schema.description ?? schema.summary ?? ''
  const description = `${text}${/[.!?]$/.test(text) ? '' : '.'} ${tellAccess(access)}`
  const response = { ...(schema.response as object | undefined), default: ERROR_ANSWER }
  const security = schema.security ?? securityOf(access)
  return { ...schema, description, response, ...(security === undefined ? {} : { security }) }
}

/** What routes read and write without a schema. */
function withWritten(schema: FastifySchema, method: string, url: string): FastifySchema {
  const headers = schema.headers ?? writtenHeadersOf(method, url)
  const security = takesPass(method, url) ? [{ accessToken: [], pass: [] }] : schema.security
  const more = { ...(headers === undefined ? {} : { headers }), ...(security === undefined ? {} : { security }) }
  return withAnswer({ ...schema, ...more }, method, url)
}

function withAnswer(schema: FastifySchema, method: string, url: string): FastifySchema {
  const answer = schema.response === undefined ? writtenAnswerOf(method, url) : undefined
  if (answer === undefined) return schema
  const { status, type, example } = answer
  const response = { [status]: { description: 'Done', ...schemaOf(example), examples: [example] } }
  return { ...schema, produces: [type], response }
}

function securityOf(access: Access | undefined): Security | undefined {
  if (access === undefined || access === 'public') return undefined
  if (access === 'ticket') return [{ ticketToken: [] }]
  if (access === 'ticket-or-pass') return [{ ticketToken: [] }, { pass: [] }]
  const isOptional = access === 'public-or-signed-in' || access === 'local-network'
  if (isOptional) return [{}, { accessToken: [] }]
  return isAct(access) ? [{ accessToken: [] }, { apiKey: [] }] : [{ accessToken: [] }]
}

function isAct(access: Access): boolean {
  return typeof access === 'object' && !Array.isArray(access)
}

const ERROR_ANSWER = {
  description: 'An error',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: {
        ...{ statusCode: 409, error: 'Conflict', code: 'SOLD_OUT', message: 'Event is sold out' },
        ...{
          timestamp: '2026-11-15T10:00:00.000Z',
          path: '/api/events/0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11/reservations',
        },
      },
    },
  },
}
