import { codeKey, SeatwiseError } from '@seatwise/domain'
import { type Code, findCode, isLedgerAway, type Ledger } from '@seatwise/ledger'
import { type CodeGuesses, createCodeGuesses } from '../handover/code-guesses.ts'

/** More than for hand-over codes: visitors behind one address may each have a code of their own. */
const OF_SENDER = { name: 'event code', perSecond: 0.2, burst: 30 }

export interface AskedCode {
  readonly eventId: string
  /** As it was typed. */
  readonly text: string
  /** Wrong codes are counted for it; null where rates are not limited. */
  readonly address: string | null
}

/** Looks codes of events up, and limits wrong ones by sender and event. Rule B119. */
export interface EventCodes {
  /** The code if it is valid now, else null. Throws TOO_MANY_REQUESTS after too many wrong ones. */
  find(asked: AskedCode): Promise<Code | null>
  readonly size: number
}

/**
 * A code that many visitors send at once is looked up once, and is one guess: so a right one is never taken for guessing,
 * however many visitors share an address.
 */
export function createEventCodes(ledger: Pick<Ledger, 'db'>, now: () => number, workers = 1): EventCodes {
  const guesses: CodeGuesses = createCodeGuesses(now, workers, { ofSender: OF_SENDER, ofRoom: null })
  const asking = new Map<string, Promise<Code | null>>()

  async function look(eventId: string, key: string, address: string | null): Promise<Code | null> {
    const guess = address === null ? null : guesses.begin(eventId, address)
    const code = await findCode(ledger.db, eventId, key).catch((cause: unknown) => {
      guess?.succeeded()
      throw isLedgerAway(cause) ? new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 }) : cause
    })
    if (code === null || !code.isValid) return null
    guess?.succeeded()
    return code
  }

  return {
    async find({ eventId, text, address }) {
      const key = codeKey(text)
      const name = `${eventId} ${address ?? ''} ${key}`
      const known = asking.get(name)
      if (known !== undefined) return await known
      const looking = look(eventId, key, address)
      asking.set(name, looking)
      return await looking.finally(() => asking.delete(name))
    },
    get size() {
      return guesses.size
    },
  }
}

/** Whether no buyer can use the code now; one of them may end a hold in the next second. */
export const isUsedUp = ({ uses, usesMax }: Code): boolean => usesMax !== null && uses >= usesMax
