import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import { VERSION } from '../config/index.ts'
import type { Access } from './access/access.ts'
import { operationIdOf, tellAccess } from './access/describe-operation.ts'
import type { App } from './http-server.ts'
import { CONTENT_SECURITY_POLICY_PAGE } from './security-headers.ts'

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
      const described = describe(schema ?? {}, route.config?.access)
      const operationId = operationIdOf([route.method].flat()[0] ?? 'GET', url)
      return { schema: { operationId, ...described }, url }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    // The documentation page shows its spinner and icons as data URLs, and its layout sets style attributes.
    staticCSP: `${CONTENT_SECURITY_POLICY_PAGE.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}`,
  })
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { tags: ['operation'], summary: 'This description' } },
    (_request, reply) => reply.type('application/json; charset=utf-8').send(app.swagger()),
  )
}

type Described = FastifySchema & { hide?: boolean; security?: unknown; description?: string; summary?: string }

/** Adds to a route's schema what is defined elsewhere: the error format, and who may call it. */
function describe(schema: Described, access: Access | undefined): object {
  if (schema.hide === true) return schema
  const text = schema.description ?? schema.summary ?? ''
  const description = `${text}${/[.!?]$/.test(text) ? '' : '.'} ${tellAccess(access)}`
  const response = { ...(schema.response ?? { 200: { description: 'Done', type: 'string' } }), default: ERROR_ANSWER }
  const security = schema.security ?? securityOf(access)
  return { ...schema, description, response, ...(security === undefined ? {} : { security }) }
}

function securityOf(access: Access | undefined): object[] | undefined {
  if (access === undefined || access === 'public') return undefined
  const isOptional = access === 'public-or-signed-in' || access === 'local-network'
  if (isOptional) return [{}, { accessToken: [] }]
  return isAct(access) ? [{ accessToken: [] }, { apiKey: [] }] : [{ accessToken: [] }]
}

function isAct(access: Access): boolean {
  return typeof access === 'object' && !Array.isArray(access)
}

const ERROR_ANSWER = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}
