import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly data: string
}

/** As much of a mail server (RFC 5321) as a client needs; it can be told what to refuse recipients with. */
export class SmtpStandIn {
  readonly mails: ReceivedMail[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #credentials: { user: string; password: string } | undefined
  #refusals: string[] = []

  static async open(credentials?: { user: string; password: string }): Promise<SmtpStandIn> {
    const standIn = new SmtpStandIn(credentials)
    standIn.#server.listen(0, '127.0.0.1')
    await once(standIn.#server, 'listening')
    return standIn
  }

  private constructor(credentials: { user: string; password: string } | undefined) {
    this.#credentials = credentials
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      // A client may disconnect at any time.
      socket.on('error', () => socket.destroy())
      this.#talk(socket)
    })
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  urlWith(user: string, password: string): string {
    return this.url.replace('//', `//${user}:${encodeURIComponent(password)}@`)
  }

  /** Answers to the next recipients, one each. */
  refuse(...answers: string[]): void {
    this.#refusals = answers
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #talk(socket: Socket): void {
    let received = ''
    let mail = { from: '', to: '', data: '' }
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 stand-in')
    socket.on('data', (chunk) => {
      received += chunk.toString()
      for (;;) {
        const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const line = received.slice(0, end)
        received = received.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          this.mails.push({ ...mail, data: line })
          mail = { from: '', to: '', data: '' }
          say('250 2.0.0 taken')
        } else {
          isData = this.#obey(line, mail, say)
        }
      }
    })
  }

  /** Returns whether a mail's content follows. */
  #obey(line: string, mail: { from: string; to: string }, say: (line: string) => void): boolean {
    const [verb = '', rest = ''] = line.split(/[ :](.*)/)
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say(this.#credentials === undefined ? '250 stand-in' : '250-stand-in\r\n250 AUTH PLAIN')
        return false
      case 'AUTH':
        say(this.#isRight(rest) ? '235 2.7.0 welcome' : '535 5.7.8 wrong')
        return false
      case 'MAIL':
        mail.from = /<.*?>/.exec(rest)?.[0] ?? ''
        say('250 2.1.0 fine')
        return false
      case 'RCPT':
        mail.to = /<.*?>/.exec(rest)?.[0] ?? ''
        say(this.#refusals.shift() ?? '250 2.1.5 fine')
        return false
      case 'DATA':
        say('354 go on')
        return true
      default:
        say('250 2.0.0 fine')
        return false
    }
  }

  #isRight(argument: string): boolean {
    const [, user, password] = Buffer.from(argument.replace(/^PLAIN /i, ''), 'base64')
      .toString()
      .split('\0')
    return user === this.#credentials?.user && password === this.#credentials?.password
  }
}
