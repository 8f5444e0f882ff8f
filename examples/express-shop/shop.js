// A shop with a waiting room in front of it. The guard is one line; all else is the shop.
import { createGuard, forExpress } from '@seatwise/guard'
import express from 'express'

const { SEATWISE_URL, SEATWISE_ROOM, SEATWISE_GUARD_SECRET, PORT = '4000' } = process.env

const guard = createGuard({
  roomUrl: SEATWISE_URL, // where visitors wait
  room: SEATWISE_ROOM,
  site: process.env.SITE_URL ?? `http://127.0.0.1:${PORT}`, // the target of the room
  failOpen: false, // while the room cannot be reached, no visitor without a session gets in
  secret: SEATWISE_GUARD_SECRET, // openssl rand -base64 32
  ignore: ['/imprint'],
})

const app = express()
app.use(forExpress(guard)) // before everything that is to be guarded
app.get('/imprint', (_request, response) => response.send('A shop of 2026. Nobody waits to read this.'))
app.get('/', (_request, response) => {
  response.send('<h1>You are in</h1><form method="post" action="/buy"><button>Buy the record</button></form>')
})
app.post('/buy', (request, response) => {
  // The session ends and its place goes to the next visitor. The header does not reach the browser.
  response.set('Seatwise-Complete', '1').send(`<h1>Thank you</h1><p>Order of ${request.seatwise.ticketId}`)
})
app.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open at http://127.0.0.1:${PORT}`))
