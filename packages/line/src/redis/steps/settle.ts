import assert from 'node:assert/strict'
import type { RoomAt } from '../../contract.ts'
import { lastWordOnEach, type SettledClaim, type Settlement, type SettleReply } from '../../gate.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'

/** Runs settle.lua. In several calls, takes of the later ones still count after the first: the gate only refuses more until then. */
export async function settle(scripts: Scripts, at: RoomAt, settlement: Settlement): Promise<SettleReply> {
  const { version, stock, heldSeats } = settlement
  let seq = 0
  const left = await inBatches(lastWordOnEach(settlement.results), async (batch) => {
    const args = [at.epoch, at.seenSeq, version, stock, heldSeats, batch.length, batch.map(textOf).join('')]
    const [seqAfter, ...numbers] = listIn(await scripts.run('settle', at, args)).map(numberIn)
    seq = seqAfter ?? seq
    return numbers
  })
  return { seq, left }
}

function textOf({ number, operation, reserved }: SettledClaim): string {
  assert(Number.isSafeInteger(number) && number > 0, `A ticket number must be a positive integer, not ${number}`)
  const before = reserved === undefined ? '=' : '-'
  return `${number} ${reserved?.until ?? before} ${reserved?.quantity ?? 0} ${escapeText(operation)}\n`
}
