import {
  countWaitingNews,
  forgetNews,
  forgetToldTickets,
  forgetTurnMails,
  handOutNews,
  handOutTickets,
  type Ledger,
  tellTurns,
} from '@seatwise/ledger'
import type { Logger } from 'pino'
import { Press } from '../../box-office/index.ts'
import { createLinkSecrets, type SigningKeys } from '../../identity/index.ts'
import { type Repeater, repeat } from '../../kit/index.ts'
import type { Mailer } from '../mail/mailer.ts'
import { MAIL_TYPES, sendNewsByMail } from '../mail/send-news-by-mail.ts'
import type { Resolve } from '../webhooks/pin-address.ts'
import { sendNewsByWebhook } from '../webhooks/send-news-by-webhook.ts'
import { ticketItems } from '../webhooks/ticket-items.ts'
import { type CourierOptions, startCourier } from './courier.ts'
import type { NewsMetrics } from './news-metrics.ts'

export interface NewsOptions {
  readonly ledger: Ledger
  readonly log: Logger
  readonly metrics: NewsMetrics
  readonly keys: SigningKeys
  readonly secrets: readonly Buffer[]
  /** Null sends no mail at all. */
  readonly mailer: Mailer | null
  /** Lets webhooks reach private addresses. */
  readonly privateWebhooks: boolean
  readonly resolve?: Resolve
  readonly now: () => number
  /** For tests: poll interval, lease, retries and retention. */
  readonly pace?: Pick<CourierOptions, 'pollMs' | 'leaseSeconds' | 'retrySeconds' | 'restSecondsMax'>
}

/** Outgoing news of the ledger: mail to buyers, webhook calls to organisers. */
export interface News {
  /** `siteUrl` is where buyers reach this site. */
  start(siteUrl: string): void
  close(): Promise<void>
}

const HAND_OUT_MS = 500
const HAND_OUT_MAX = 500
const HOUSEKEEPING_MS = 15_000
/** Long enough to investigate a complaint about last month's sale. */
const KEPT_DAYS = 35
const FORGOTTEN_MAX = 1_000

export function openNews(options: NewsOptions): News {
  const press = new Press()
  let working: Repeater[] = []
  return {
    start(siteUrl) {
      if (working.length > 0) return
      const couriers = startCouriers(options, press, siteUrl)
      const writing = [startHandingOut(options, couriers), startTicketNews(options, couriers)]
      working = [...writing, startHousekeeping(options), ...couriers]
    },
    async close() {
      await Promise.all(working.map((one) => one.close()))
      await press.close()
      options.mailer?.close()
      working = []
    },
  }
}

function startCouriers(options: NewsOptions, press: Press, siteUrl: string): Repeater[] {
  const { ledger, log, metrics, mailer, pace } = options
  const common = { ledger, log, metrics, ...pace }
  const webhooks = startCourier({ ...common, kind: 'webhook', send: (news) => sendNewsByWebhook(options, news) })
  if (mailer === null) return [webhooks]
  const desk = { ...options, mailer, press, siteUrl, links: createLinkSecrets(options.secrets) }
  const mail = startCourier({ ...common, kind: 'mail', send: (news) => sendNewsByMail(desk, news) })
  return [webhooks, mail]
}

function startHandingOut({ ledger, log, mailer, pace }: NewsOptions, couriers: readonly Repeater[]): Repeater {
  const onError = (err: unknown) => log.error({ err }, 'could not create deliveries for news')
  const mailTypes = mailer === null ? [] : MAIL_TYPES
  const handOut = async () => {
    if (mailer !== null) await tellTurns(ledger.db)
    const count = await handOutNews(ledger.db, { newsMax: HAND_OUT_MAX, mailTypes })
    if (count > 0) for (const courier of couriers) courier.wake()
    return count === HAND_OUT_MAX
  }
  return repeat(handOut, { everyMs: pace?.pollMs ?? HAND_OUT_MS, onError })
}

/** Tickets of a crowd are told in calls of many, from the ledger's copy of the log: joining itself does nothing for it. */
function startTicketNews({ ledger, log, pace }: NewsOptions, couriers: readonly Repeater[]): Repeater {
  const onError = (err: unknown) => log.error({ err }, 'could not write the calls about tickets')
  const write = async () => {
    const isAhead = await handOutTickets(ledger.db, ticketItems)
    if (isAhead) {
      for (const courier of couriers) courier.wake()
      await forgetToldTickets(ledger.db, FORGOTTEN_MAX)
    }
    return isAhead
  }
  return repeat(write, { everyMs: pace?.pollMs ?? HAND_OUT_MS, onError })
}

function startHousekeeping({ ledger, log, metrics }: NewsOptions): Repeater {
  const onError = (err: unknown) => log.error({ err }, 'could not count or delete old news')
  const tidy = async () => {
    metrics.inStore(await countWaitingNews(ledger.db))
    await forgetToldTickets(ledger.db, FORGOTTEN_MAX)
    await forgetTurnMails(ledger.db)
    return (await forgetNews(ledger.db, { daysMax: KEPT_DAYS, newsMax: FORGOTTEN_MAX })) === FORGOTTEN_MAX
  }
  return repeat(tidy, { everyMs: HOUSEKEEPING_MS, onError })
}
