import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forExpress } from '@seatwise/guard'
import { openGuard } from './room-of-bench.ts'

/*
 * The same handler bare and guarded, on two ports of one process, without a framework that would cost more than both.
 * Prints where they are, and the cookies of visitors who are in.
 */
/** Their cookies are printed, and what a child prints is kept only up to a length. */
const VISITORS = 200

const handler: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/plain')
  response.end('the page')
}

const { guard, pass, enter } = await openGuard()
const guarded = forExpress(guard)
const bareUrl = await listen(handler)
const guardedUrl = await listen((request, response) => guarded(request, response, () => handler(request, response)))
const cookies: string[] = []
for (let visitor = 0; visitor < VISITORS; visitor += 1) cookies.push(await enter(await pass(`tkt_${visitor}`)))
console.log(JSON.stringify({ bareUrl, guardedUrl, cookies }))

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/drop`
}
