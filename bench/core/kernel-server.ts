import { join } from 'node:path'

/*
 * The second ceiling: the kernel of a checkout, with every hook and header that a request meets, and one public route that
 * does nothing. It answers as the bare server does.
 */
const { TREE = '', METHOD = 'GET', ROUTE = '/', STATUS = '200', ANSWER = '{}' } = process.env
const door = join(TREE, 'packages/server/src/index.ts')
const { createKernel, HTTP_LIMITS, openServices, readConfig }: typeof import('@seatwise/server') = await import(door)
const answer: unknown = JSON.parse(ANSWER)
const status = Number(STATUS)

const config = readConfig(process.env)
const services = await openServices(config)
const app = createKernel(services, HTTP_LIMITS)
app.route({
  method: METHOD,
  url: ROUTE,
  config: { access: 'public' },
  handler: (_request, reply) => reply.code(status).send(answer),
})
await app.listen({ host: config.host, port: config.port })
process.once('SIGTERM', () => {
  void app.close().then(() => services.close())
})
