import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the next requests fail: the connection breaks before or after they take effect, or not at all. */
export type ProviderTrouble = 'before' | 'after' | 'none'

/**
 * What a buyer does on the provider's page. `slow`: pays with something that the provider decides later (`finish`).
 * `back`: presses the page's own way back to the shop.
 */
export type PageDeed = 'pay' | 'decline' | 'slow' | 'back'

/** A message that the provider sends, or would. */
export interface ProviderWebhook {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ProviderBook {
  readonly purchaseId: string
  readonly captured: number
  readonly refunded: number
}

interface Reply {
  readonly status: number
  readonly body: object
}

/** What every stand-in of a provider with a page of its own has: an API, pages for buyers, webhooks, and books. */
export abstract class PageStandIn {
  /** Every request to the API, as `METHOD path`. */
  readonly requests: string[] = []
  readonly troubles: ProviderTrouble[] = []
  /** While true the API answers nothing; the pages for buyers go on. */
  isAway = false
  /** Where webhooks go, or null for nowhere. A test may send them twice, late or never. */
  onWebhook: ((webhook: ProviderWebhook) => void) | null = null
  readonly #api: Server
  readonly #pages: Server

  constructor(openApi: (serve: (request: IncomingMessage, response: ServerResponse) => void) => Server) {
    this.#api = openApi((request, response) => void this.#serve(request, response))
    this.#pages = createServer((request, response) => void this.#page(request, response))
  }

  async listen(): Promise<this> {
    for (const server of [this.#api, this.#pages]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return this
  }

  async close(): Promise<void> {
    for (const server of [this.#api, this.#pages]) {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }

  get apiPort(): number {
    return (this.#api.address() as AddressInfo).port
  }

  pageOf(ref: string): string {
    return `http://127.0.0.1:${(this.#pages.address() as AddressInfo).port}/pay/${ref}`
  }

  /** The address of the API, as the setting has it. */
  abstract readonly url: string
  /** What a server needs to know to use it. */
  abstract readonly settings: Readonly<Record<string, string>>
  abstract books(): ProviderBook[]
  /** The newest payment of a purchase. */
  abstract refOf(purchaseId: string): string
  /** The buyer acts on the page, and is led to the returned address: back to the shop, or to the page again. */
  abstract act(ref: string, deed: PageDeed): string
  /** A slow payment comes to its end. */
  abstract finish(ref: string, isPaid: boolean): void
  /** The provider's own time limit: every page that is open ends unpaid. */
  abstract closePages(): void
  /** What the page says now. */
  protected abstract stand(ref: string): { isOpen: boolean; notice: string; amount: string }
  protected abstract answer(request: IncomingMessage, body: string): Reply

  protected send(webhook: ProviderWebhook): void {
    this.onWebhook?.(webhook)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const { method = '', url = '' } = request
    this.requests.push(`${method} ${url.split('?', 1)[0]}`)
    const trouble = this.isAway ? 'before' : (this.troubles.shift() ?? 'none')
    if (trouble === 'before') return void request.socket.destroy()
    const reply = this.answer(request, body)
    if (trouble === 'after') return void request.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.body))
  }

  /** `/pay/ref` is the provider's page, `/bank/ref` the buyer's bank that confirms a card. Plain forms. */
  async #page(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, place = '', ref = ''] = /^\/(pay|bank)\/(\w+)$/.exec(request.url ?? '') ?? []
    const deed = new URLSearchParams(await bodyOf(request)).get('deed')
    if (place === '') return void response.writeHead(404).end()
    if (deed === null) return void this.#show(response, place, ref)
    const location = deed === 'bank' ? `/bank/${ref}` : this.act(ref, deed as PageDeed)
    response.writeHead(303, { location }).end()
  }

  #show(response: ServerResponse, place: string, ref: string): void {
    const { isOpen, notice, amount } = this.stand(ref)
    const buttons = place === 'bank' ? BANK : isOpen ? PAGE : []
    const title = place === 'bank' ? 'Your bank' : `Pay ${amount}`
    const forms = buttons.map(
      ([deed, name]) =>
        `<form method="post" action="/pay/${ref}"><button name="deed" value="${deed}">${name}</button></form>`,
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${notice}</p>${forms.join('')}</html>`,
    )
  }
}

const PAGE = [
  ['pay', 'Pay by card'],
  ['decline', 'Pay with a bad card'],
  ['bank', 'Pay with a card that asks the bank'],
  ['slow', 'Pay slowly'],
  ['back', 'Back to the shop'],
] as const
const BANK = [
  ['pay', 'Approve'],
  ['decline', 'Refuse'],
] as const

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
