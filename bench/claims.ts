import { randomUUID } from 'node:crypto'
import { readEventDraft } from '@seatwise/domain'
import { type Claim, claimSeats, createEvent, type Ledger, migrate, openLedger } from '@seatwise/ledger'
import { startPostgres } from '@seatwise/testbench'
import { writeSection } from './support/results.ts'
import { median } from './support/statistics.ts'

/*
 * node bench/claims.ts
 *
 * How many reservations of two numbered seats each the ledger writes in a second, durably, on one connection: a hundred
 * in a transaction, and one by one; beside single-row inserts of the same PostgreSQL.
 */

const ROUNDS = 3
const BATCH = 100
const BATCHES = 60
const SINGLES = 500

const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
try {
  const ledger = await openLedger({ kind: 'postgres', url: postgres.url })
  try {
    await migrate(ledger)
    const lines = await measure(ledger)
    console.log(lines.join('\n'))
    writeSection('Claims', lines)
  } finally {
    await ledger.close()
  }
} finally {
  await postgres.discard()
}

async function measure(ledger: Ledger): Promise<string[]> {
  await claimRound(ledger, BATCH, 5)
  const rounds = { batched: [] as number[], single: [] as number[], inserts: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.batched.push(await claimRound(ledger, BATCH, BATCHES))
    rounds.single.push(await claimRound(ledger, 1, SINGLES))
    rounds.inserts.push(await insertRound(ledger))
  }
  const [batched, single, inserts] = [median(rounds.batched), median(rounds.single), median(rounds.inserts)]
  return [
    '| what | per second | ÷ inserts |',
    '| --- | --- | --- |',
    `| reservations of two seats, ${BATCH} in a transaction | ${show(batched)} | ${(batched / inserts).toFixed(1)} |`,
    `| reservations of two seats, one by one | ${show(single)} | ${(single / inserts).toFixed(1)} |`,
    `| rows inserted one by one on one connection | ${show(inserts)} | 1 |`,
  ]
}

async function claimRound(ledger: Ledger, batch: number, batches: number): Promise<number> {
  const claims = await prepareClaims(ledger, batch * batches)
  const started = performance.now()
  for (let index = 0; index < batches; index += 1) {
    const outcome = await claimSeats(ledger, claims.eventId, claims.list.slice(index * batch, (index + 1) * batch))
    if (outcome?.replies.some(({ status }) => status !== 'held') !== false) throw new Error('A claim was refused')
  }
  return (batch * batches * 1000) / (performance.now() - started)
}

async function prepareClaims(ledger: Ledger, count: number): Promise<{ eventId: string; list: Claim[] }> {
  const seatsPerRow = 100
  const rows = Array.from({ length: Math.ceil((count * 2) / seatsPerRow) }, (_, row) => ({
    label: `R${row}`,
    seats: seatsPerRow,
  }))
  const window = { salesStartAt: new Date().toISOString(), salesEndAt: new Date(Date.now() + 3_600_000).toISOString() }
  const draft = readEventDraft({
    name: 'Aurora Live',
    ...window,
    seatTypes: [{ name: 'Stalls', price: 9000, currency: 'EUR', rows }],
  })
  const event = await createEvent(ledger.db, { draft, organizerId: null, newId: randomUUID })
  const seats = await ledger.db
    .selectFrom('seats')
    .select('id')
    .where('event_id', '=', event.id)
    .orderBy('ordinal')
    .execute()
  const list = Array.from({ length: count }, (_, index) => {
    const buyerId = randomUUID()
    return {
      operation: { actorId: buyerId, key: randomUUID(), fingerprint: 'two seats' },
      reservationId: randomUUID(),
      buyerId,
      roomId: event.roomId,
      ticketNumber: index + 1,
      fence: index + 1,
      wish: { seatIds: seats.slice(index * 2, index * 2 + 2).map(({ id }) => id) },
      holdSeconds: 600,
      seatsPerBuyerMax: 6,
    }
  })
  return { eventId: event.id, list }
}

async function insertRound(ledger: Ledger): Promise<number> {
  return await ledger.db.connection().execute(async (connection) => {
    const started = performance.now()
    for (let index = 0; index < SINGLES; index += 1) {
      const operation = { actor_id: randomUUID(), key: randomUUID(), fingerprint: 'one row' }
      await connection.insertInto('operations').values(operation).execute()
    }
    return (SINGLES * 1000) / (performance.now() - started)
  })
}

function show(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en')
}
