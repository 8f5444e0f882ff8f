import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HeadJson, type ReceiptJson, verifyLog } from '@seatwise/testbench'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { main } from 'seatwise'
import { vi } from 'vitest'
import { answerTo, openForgedServer, type Shown } from './forged-log.ts'

/** What was kept from earlier: a witness keeps heads, visitors keep receipts. */
export interface Kept {
  readonly heads?: readonly HeadJson[]
  readonly receipts?: readonly ReceiptJson[]
}

/** What a server shows of its log, and what was kept from before it lied. */
export interface ShownRun extends Kept {
  readonly name: string
  readonly shown: Shown
}

/** Who accepts a log, and what the others say against it. */
export interface Verdict {
  readonly accepted: { readonly independent: boolean; readonly command: boolean; readonly page: boolean }
  readonly said: { readonly independent: string; readonly command: string; readonly page: string }
}

export const ACCEPTED = { independent: true, command: true, page: true } as const
export const REJECTED = { independent: false, command: false, page: false } as const

type Event = {
  readonly id: string
  readonly roomId: string
}

/**
 * The three who check a log from outside: a verifier that shares no line with the product, `seatwise verify --url`, and the
 * audit page in a browser. The page shows one kept head and one receipt: the first of each.
 */
export class Judges {
  readonly #page: Page
  readonly #folder: string
  #kept = 0

  /** Keeps files in the folder. */
  constructor(page: Page, folder: string) {
    this.#page = page
    this.#folder = folder
  }

  /** A log as a real server shows it. */
  async judge(url: string, event: Event, kept: Kept): Promise<Verdict> {
    const receipt = kept.receipts?.[0] ?? null
    const context = this.#page.context()
    const ofVisitor = '**/queue/receipt'
    await context.route(ofVisitor, (route) => answer(route, receipt))
    try {
      return await this.#judge(new URL(url), event, kept, new URL(`/events/${event.id}/audit?lang=en`, url))
    } finally {
      await context.unroute(ofVisitor)
    }
  }

  /** Forged logs of an event. Its page comes from the real server; what the page reads is forged. */
  async forging<Result>(
    pageServer: string,
    event: Event,
    work: (judge: (run: ShownRun) => Promise<Verdict>) => Promise<Result>,
  ): Promise<Result> {
    const forged = await openForgedServer(event)
    const context = this.#page.context()
    try {
      const page = new URL(`/events/${event.id}/audit?lang=en`, pageServer)
      return await work(async (run) => {
        forged.show(run.shown)
        await this.#forge(context, event, run)
        try {
          return await this.#judge(forged.url, event, run, page)
        } finally {
          await context.unrouteAll()
        }
      })
    } finally {
      await forged.close()
    }
  }

  async #forge(context: BrowserContext, event: Event, { shown, receipts }: ShownRun): Promise<void> {
    await context.route(/\/api\/events\/|jwks\.json/, async (route) => {
      const url = new URL(route.request().url())
      await answer(
        route,
        url.pathname.endsWith('/queue/receipt') ? (receipts?.[0] ?? null) : answerTo(shown, event, url),
      )
    })
  }

  async #judge(url: URL, event: Event, kept: Kept, page: URL): Promise<Verdict> {
    const said = {
      independent: await this.#independent(url, event, kept),
      command: await this.#command(url, event, kept),
      page: await this.#audit(page, event, kept),
    }
    const accepted = {
      independent: said.independent === '',
      command: said.command === '',
      page: said.page.includes('The log is sound'),
    }
    return { accepted, said }
  }

  /** What throws has not accepted. */
  async #independent(url: URL, { id }: Event, kept: Kept): Promise<string> {
    const ask = async (path: string): Promise<unknown> => {
      const answered = await fetch(new URL(path, url))
      if (answered.status !== 200) throw new Error(`${path} was answered ${answered.status}`)
      return await answered.json()
    }
    return await verifyLog(ask, `/api/events/${id}`, kept).then(
      (problems) => problems.join('\n'),
      (error: unknown) => String(error),
    )
  }

  /** Why it did not end with 0. */
  async #command(url: URL, { id }: Event, kept: Kept): Promise<string> {
    const printed: string[] = []
    const print = (...words: unknown[]): void => void printed.push(words.join(' '))
    const spies = [
      vi.spyOn(console, 'log').mockImplementation(print),
      vi.spyOn(console, 'error').mockImplementation(print),
    ]
    try {
      await main(['verify', '--json', '--url', url.href, '--event', id, ...this.#keep(kept)])
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    const { exitCode } = process
    process.exitCode = undefined
    return exitCode === 0 ? '' : reasonsIn(printed.join('\n'))
  }

  /** As `seatwise witness` keeps heads, and clients receipts. */
  #keep({ heads = [], receipts = [] }: Kept): string[] {
    this.#kept += 1
    const [folder, file] = [
      join(this.#folder, `heads-${this.#kept}`),
      join(this.#folder, `receipts-${this.#kept}.json`),
    ]
    mkdirSync(folder)
    for (const head of heads) {
      const name = `head-${String(head.size).padStart(16, '0')}-${head.root.slice(0, 16)}.json`
      writeFileSync(join(folder, name), JSON.stringify(head))
    }
    writeFileSync(file, JSON.stringify(receipts))
    return ['--heads', folder, '--receipt', file]
  }

  async #audit(url: URL, { roomId }: Event, { heads = [] }: Kept): Promise<string> {
    const page = this.#page
    if (page.url() !== url.href) await page.goto(url.href)
    await page.evaluate(
      ([key, head]) => (head === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(head))),
      [`seatwise-head-${roomId}`, heads[0] ?? null] as const,
    )
    await page.click('#audit-start')
    await page.waitForSelector('#audit-start:not([disabled])', { timeout: 20_000 })
    const said = await page.innerText('#audit-result')
    // A check that could not be done is no verdict.
    if (!/The log is sound|Something is wrong with this log/.test(said)) throw new Error(`The audit page says: ${said}`)
    return said
  }
}

interface Report {
  readonly invariants: readonly {
    readonly verdict: { readonly status: string; readonly violations?: readonly { readonly message: string }[] }
  }[]
}

/** What the command found violated; what it said where it could not judge. */
function reasonsIn(printed: string): string {
  if (!printed.startsWith('{')) return printed
  const { invariants } = JSON.parse(printed) as Report
  return invariants
    .flatMap(({ verdict }) => verdict.violations ?? [])
    .map(({ message }) => message)
    .join('\n')
}

async function answer(route: Route, body: unknown): Promise<void> {
  await route.fulfill({ status: body === null ? 404 : 200, json: body })
}
