// A shop on Cloudflare Workers, or wherever a Request becomes a Response, with a waiting room in front of it.
import { createGuard, forHono } from '@seatwise/guard'
import { Hono } from 'hono'

let guard // made with the first request: a Worker has its settings only then
const guardOf = (env) => {
  guard ??= createGuard({
    roomUrl: env.SEATWISE_URL,
    room: env.SEATWISE_ROOM,
    site: env.SITE_URL,
    failOpen: false, // while the room cannot be reached, no visitor without a session gets in
    secret: env.SEATWISE_GUARD_SECRET,
  })
  return guard
}

const app = new Hono()
app.use((context, next) => forHono(guardOf(context.env))(context, next))
app.get('/', (context) =>
  context.html('<h1>You are in</h1><form method="post" action="/buy"><button>Buy the record</button></form>'),
)
app.post('/buy', (context) => {
  context.header('Seatwise-Complete', '1') // the session ends, and its place goes to the next visitor
  return context.html('<h1>Thank you</h1>')
})
export default app
