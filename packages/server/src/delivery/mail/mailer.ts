import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { withDeadline } from '../../kit/index.ts'
import { Undeliverable } from '../outbox/courier.ts'

export interface Mail {
  /** The same for every attempt to send this mail. */
  readonly id: string
  /** Increases from one mail to the next. */
  readonly position: number
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<{
    readonly filename: string
    readonly contentType: string
    readonly content: string | Buffer
  }>
}

export interface Mailer {
  /** Resolves when the mail server or the folder has the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** A courier's lease is longer than all of these together. */
const SMTP_TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, dnsTimeout: 5_000, socketTimeout: 10_000 }
const SEND_MS_MAX = 15_000
const CONNECTIONS_MAX = 4

/** Sends mail through an SMTP server. A permanent refusal (5xx) is not retried. */
export function openSmtpMailer(url: string, from: string): Mailer {
  const { hostname: host, port, protocol, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // The courier retries, because it records each attempt.
    maxRequeues: 0,
    host: host.replace(/^\[(.*)\]$/, '$1'),
    secure,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    requireTLS: searchParams.get('tls') === 'required',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...SMTP_TIMEOUTS,
  })
  return {
    async send(mail) {
      try {
        await withDeadline(transport.sendMail(compose(mail, from)), SEND_MS_MAX, 'The mail server')
      } catch (error) {
        throw isRefusal(error) ? new Undeliverable(error.message, { cause: error }) : error
      }
    },
    close: () => transport.close(),
  }
}

/** Writes mail into a folder, one `.eml` file each, for trying Seatwise without a mail server. */
export function openMailFolder(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(compose(mail, from))
      const file = join(folder, `${String(mail.position).padStart(8, '0')}-${mail.id}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Write to a temporary name first, so that no reader sees half a mail. A retry overwrites the same file.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
    close: () => transport.close(),
  }
}

function compose({ id, to, subject, text, html, attachments }: Mail, from: string) {
  return {
    ...{ from, to: { ...to }, subject, text, html },
    attachments: attachments.map((attachment) => ({ ...attachment })),
    messageId: `<${id}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}

function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500 &&
    // Wrong credentials are an operator's error; the mail itself can be retried.
    error.responseCode !== 535
  )
}
