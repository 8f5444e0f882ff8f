import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { askForTurnMail } from '@seatwise/ledger'
import type { TurnMail } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import { sendsMail } from '../../config/index.ts'
import { requireEmail } from '../../identity/index.ts'
import type { PageParts } from './page-parts.ts'

/** Remembers where the mail goes when it is this ticket's turn; says what is wrong with the address. */
export async function askForMail(
  parts: PageParts,
  request: FastifyRequest,
  { roomId, number }: { readonly roomId: string; readonly number: number },
  email: string,
): Promise<TurnMail['problem']> {
  if (!sendsMail(parts.config)) throw new SeatwiseError('NOT_FOUND')
  try {
    const { address, key } = requireEmail(email)
    if (parts.config.rateLimits) parts.boxOffice.mailLimits.require(key)
    const language = parts.kit.mailLanguageOf(request)
    await askForTurnMail(parts.ledger.db, { id: randomUUID(), roomId, number, email: address, language })
    return null
  } catch (error) {
    if (!(error instanceof SeatwiseError)) throw error
    if (error.code === 'BAD_REQUEST') return 'turnWrong'
    if (error.code === 'TOO_MANY_REQUESTS') return 'turnMany'
    throw error
  }
}
