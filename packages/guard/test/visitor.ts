import { expectFields, shape, waitUntil } from '@seatwise/testbench'

/** What the site answered to a visitor who came in. */
export interface Entered {
  readonly location: string | null
  readonly cookie: string
  readonly maxAge: number
  readonly pass: string
}

/** A visitor who waits in a real room and continues to the guarded site, as a browser does. */
export class Visitor {
  readonly roomUrl: string
  readonly room: string
  readonly ticket: string
  readonly #cookie: string

  static async join(roomUrl: string, room: string): Promise<Visitor> {
    const answer = await fetch(`${roomUrl}/api/rooms/${room}/queue/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (answer.status !== 200) throw new Error(`Could not join: ${await answer.text()}`)
    const { ticketToken } = expectFields(await answer.json(), { ticketToken: shape.text })
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    return new Visitor(roomUrl, room, ticketToken, cookie)
  }

  constructor(roomUrl: string, room: string, ticket: string, cookie: string) {
    this.roomUrl = roomUrl
    this.room = room
    this.ticket = ticket
    this.#cookie = cookie
  }

  async status(): Promise<{ status: string; ticketId: string }> {
    const headers = { 'seatwise-ticket': this.ticket }
    const answer = await fetch(`${this.roomUrl}/api/rooms/${this.room}/queue/status`, { headers })
    return expectFields(await answer.json(), { status: shape.text, ticketId: shape.text })
  }

  /** Sends the form of the waiting page when it is their turn; the page that leads to the site. */
  async goBack(to: string): Promise<string> {
    await waitUntil('their turn comes', async () => /^(admitted|active)$/.test((await this.status()).status))
    const answer = await fetch(`${this.roomUrl}/rooms/${this.room}/return?to=${encodeURIComponent(to)}`, {
      method: 'POST',
      headers: { origin: this.roomUrl, cookie: this.#cookie, 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    })
    if (answer.status !== 200) throw new Error(`Not sent on: ${answer.status} ${answer.headers.get('location')}`)
    return await answer.text()
  }

  /** Goes in by the page's form: where the site sends them, and with which cookie. */
  async enter(to = '/'): Promise<Entered> {
    const page = await this.goBack(to)
    const action = /action="([^"]*)"/.exec(page)?.[1] ?? ''
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map((found): [string, string] => [
      found[1] ?? '',
      (found[2] ?? '').replaceAll('&amp;', '&'),
    ])
    const body = new URLSearchParams(fields)
    const answer = await fetch(action, { method: 'POST', headers: { origin: this.roomUrl }, body, redirect: 'manual' })
    const setCookie = answer.headers.get('set-cookie') ?? ''
    const maxAge = Number(/Max-Age=(\d+)/.exec(setCookie)?.[1])
    const [cookie = ''] = setCookie.split(';', 1)
    return { location: answer.headers.get('location'), cookie, maxAge, pass: body.get('pass') ?? '' }
  }
}
