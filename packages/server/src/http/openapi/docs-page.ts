import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'

/** The groups of the API in the order in which people need them: first what a shop does, then what an organiser does. */
export const API_GROUPS = [
  { name: 'events', description: 'What is on: events, prices, seats, pictures.' },
  { name: 'room', description: 'The line and the floor of a sale, as a visitor sees them: join, wait, enter, leave.' },
  { name: 'buying', description: 'Reserve seats, say who they are for, pay.' },
  { name: 'e-tickets', description: 'E-tickets with their codes, for wallets too; letting their holders in.' },
  { name: 'after the sale', description: 'Transfers, and seats that come back.' },
  { name: 'push', description: 'News as it happens, over WebSocket or Server-Sent Events.' },
  { name: 'accounts', description: 'Sign in, sessions, passkeys, one’s own data.' },
  { name: 'organizations', description: 'Who operates what: teams, API keys, how an organization looks.' },
  { name: 'codes', description: 'Discounts, access before the sale, priority.' },
  { name: 'operate a room', description: 'Pace, capacity, pause, figures and the trail of a running sale.' },
  { name: 'rooms', description: 'Waiting rooms in front of other sites.' },
  { name: 'door', description: 'Sell at the door, and let in, also without a connection.' },
  { name: 'payments', description: 'Purchases, refunds, receipts, settlements.' },
  { name: 'webhooks', description: 'Calls to your own systems.' },
  { name: 'news', description: 'Mail and calls that could not be delivered.' },
  { name: 'transparency log', description: 'Proofs that the line was kept.' },
  { name: 'keys', description: 'The public keys of everything that is signed.' },
  { name: 'operation', description: 'Health, metrics, this description.' },
]

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 40" width="190" height="40"><path fill="#d9a441" d="M4 10h32v7a3 3 0 0 0 0 6v7H4v-7a3 3 0 0 0 0-6z"/><text x="46" y="27" font-family="Georgia,serif" font-size="22" fill="#fff">Seatwise</text></svg>`

/** How `/docs` looks: our name, one group open at a time, and every call to try against this very server. */
export const DOCS_LOOK: Pick<FastifySwaggerUiOptions, 'logo' | 'theme' | 'uiConfig'> = {
  logo: { type: 'image/svg+xml', content: Buffer.from(LOGO), href: '/' },
  theme: { title: 'Seatwise API' },
  uiConfig: {
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
  },
}
