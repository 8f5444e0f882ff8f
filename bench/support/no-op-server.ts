import { createKernel, HTTP_LIMITS, openServices, readConfig } from '@seatwise/server'

/*
 * What everything is compared with: the same server with the same settings, hooks and headers, and one route that does
 * nothing. Started as a process of its own, like the real one.
 */
const config = readConfig(process.env)
const services = await openServices(config)
const app = createKernel(services, HTTP_LIMITS)
app.get('/no-op', { config: { access: 'public' } }, (_request, reply) => reply.send({ ok: true }))
await app.listen({ host: config.host, port: config.port })
process.once('SIGTERM', () => {
  void app.close().then(() => services.close())
})
