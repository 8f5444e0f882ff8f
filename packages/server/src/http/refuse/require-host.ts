import { SeatwiseError } from '@seatwise/domain'
import type { App } from '../http-server.ts'

/** Refuses what HTTP/1.1 requires to be refused, and ignores unknown `Expect` headers. */
export function requireHost(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return done()
    return done(new SeatwiseError('BAD_REQUEST', { message: 'The header Host is missing' }))
  })
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
}
