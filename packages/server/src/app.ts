import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { SeatwiseError } from '@seatwise/domain'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { answerError } from './errors.ts'
import type { Services } from './services.ts'
import { compileValidator } from './validation.ts'
import './access/access.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Builds the whole server. What it can do is the list below, in this order; nothing is loaded by itself. */
export async function buildApp(services: Services): Promise<App> {
  const app: App = Fastify({ loggerInstance: services.log }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new SeatwiseError('NOT_FOUND'), request, reply))
  await app.ready()
  return app
}
