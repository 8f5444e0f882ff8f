import fastify from 'fastify'

/*
 * The first ceiling: Fastify with one route and no hooks. It takes the address of the route it is compared with and
 * answers with the body that the real route gave once, so that both are sent the same bytes and send as many back.
 */
const { METHOD = 'GET', ROUTE = '/', STATUS = '200', ANSWER = '{}', PORT } = process.env
const answer: unknown = JSON.parse(ANSWER)
const status = Number(STATUS)

const app = fastify()
app.route({ method: METHOD, url: ROUTE, handler: (_request, reply) => reply.code(status).send(answer) })
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
