import { createKernel, HTTP_LIMITS, openServices, readConfig } from '@seatwise/server'

/*
 * What everything is compared with: the same server with the same settings, hooks and headers, and routes that do
 * nothing: they take what a join or a claim takes, read and validate it, and answer. Started as a process of its own, like the real
 * one.
 */
const config = readConfig(process.env)
const services = await openServices(config)
const app = createKernel(services, HTTP_LIMITS)
const schema = {
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 400 },
      seatIds: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 1_000 },
    },
    additionalProperties: false,
  },
  response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } },
}

app.get('/no-op', { config: { access: 'public' } }, (_request, reply) => reply.send({ ok: true }))
app.post('/no-op', { config: { access: 'public' }, schema }, async () => ({ ok: true }))
app.post('/no-op/signed-in', { config: { access: 'signed-in' }, schema }, async () => ({ ok: true }))

await app.listen({ host: config.host, port: config.port })
process.once('SIGTERM', () => {
  void app.close().then(() => services.close())
})
