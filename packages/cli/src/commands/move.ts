import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSound } from '@seatwise/checker'
import {
  finishMove,
  forgetMove,
  isLedgerAway,
  type Ledger,
  LedgerLocked,
  type MovedTable,
  migrate,
  moveLedger,
  noteMove,
  openLedger,
  readMove,
  runStatement,
} from '@seatwise/ledger'
import {
  type Config,
  createLog,
  knowsSecretOf,
  openConfiguredLedger,
  openConfiguredRedis,
  readConfig,
} from '@seatwise/server'
import { type Command, readFolder } from '../command.ts'
import { count } from '../report/format.ts'
import { verifySale } from '../verify/verify-sale.ts'

export const move: Command = {
  name: 'move',
  summary: 'moves an embedded deployment to PostgreSQL and Redis, with the line',
  help: [
    'seatwise move DIR',
    '',
    'Copies everything in the data folder DIR of an embedded server, which must have been stopped, into the empty database that',
    'DATABASE_URL names, with the settings that the servers will have there: REDIS_URL, and the SEATWISE_SECRET of the',
    'folder (the text of DIR/secret, if you set none). Then it verifies every sale there.',
    '',
    'The line is in the ledger: the first server takes it up from there, and visitors keep places and tokens. All of it arrives in one',
    'transaction, or nothing does. If it is interrupted, run it again. Afterwards DIR cannot be served any more, so that no seat is',
    'sold twice; "moved.json" in it says where the sale is.',
  ].join('\n'),
  async run(args) {
    const folder = resolve(readFolder(args))
    const config = readConfig()
    if (config.databaseUrl === null) {
      throw new Error('DATABASE_URL, REDIS_URL and SEATWISE_SECRET say where to: set them to those of the new servers.')
    }
    if (!existsSync(join(folder, 'ledger'))) throw new Error(`There is no ledger in ${folder}.`)
    await proveRedis(config)
    const moved = await moveFolder(folder, config, config.databaseUrl)
    console.log(moved === null ? 'It was there already.' : explainMoved(moved))
    return await verifyAll(config)
  },
}

async function moveFolder(folder: string, config: Config, databaseUrl: string): Promise<MovedTable[] | null> {
  const from = await openStopped(folder)
  try {
    await migrate(from)
    if (!(await knowsSecretOf(from, config.secrets))) {
      throw new Error(
        `SEATWISE_SECRET is not the secret of ${folder}: tickets and keys would be worthless. ` +
          `Use the one that its server had, or the text of ${join(folder, 'secret')}.`,
      )
    }
    const to = await openConfiguredLedger(config)
    try {
      await migrate(to)
      return await moveNoted(folder, addressOf(databaseUrl), (id) => moveLedger(from, to, id))
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** The folder says that it is being moved before anything is, so that its server cannot be started meanwhile or after a crash. */
async function moveNoted<Result>(folder: string, to: string, work: (id: string) => Promise<Result>): Promise<Result> {
  const begun = await readMove(folder)
  const note = begun ?? { id: randomUUID(), to, begunAt: new Date().toISOString(), finishedAt: null }
  if (begun === null) await noteMove(folder, note)
  try {
    const result = await work(note.id)
    await finishMove(folder, note)
    return result
  } catch (error) {
    // Refused, so rolled back. A connection that broke may have broken after the commit.
    if (begun === null && !isLedgerAway(error)) await forgetMove(folder)
    throw error
  }
}

function addressOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

async function openStopped(folder: string): Promise<Ledger> {
  try {
    return await openLedger({ kind: 'pglite', dataDir: folder })
  } catch (error) {
    if (!(error instanceof LedgerLocked)) throw error
    throw new Error(
      `${error.message.split('. ', 1)[0]}. Stop that server first: what it sells meanwhile would be lost.`,
      {
        cause: error,
      },
    )
  }
}

/** Before anything is copied: without Redis the new servers could not go on. */
async function proveRedis(config: Config): Promise<void> {
  const redis = await openConfiguredRedis(config, createLog({ ...config, logLevel: 'silent' }))
  try {
    await redis?.ping()
  } finally {
    await redis?.close()
  }
}

function explainMoved(tables: readonly MovedTable[]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${count(rows)} rows of ${tables.length} tables are there, as they were here.`
}

async function verifyAll(config: Config): Promise<number> {
  const ledger = await openConfiguredLedger(config)
  try {
    const events = await runStatement<{ id: string; name: string }>(ledger.db, EVENTS, [])
    const unsound: string[] = []
    for (const { id, name } of events) {
      const sale = await verifySale((statement, parameters) => runStatement(ledger.db, statement, parameters), id)
      if (sale !== null && !isSound(sale.report)) unsound.push(`${name} (${id})`)
    }
    if (unsound.length === 0) {
      console.log(`Verified: ${events.length} sales. Start the servers with these settings.`)
      return 0
    }
    console.log(`Not sound: ${unsound.join(', ')}. "seatwise verify --event ID" says what.`)
    return 1
  } finally {
    await ledger.close()
  }
}

const EVENTS = { name: 'events-to-verify', sql: 'select id, name from events order by created_at, id' }
