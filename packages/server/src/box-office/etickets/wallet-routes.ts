import { SeatwiseError } from '@seatwise/domain'
import { readEticket } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { requireOwnEticket } from './routes.ts'

const WALLETS = [
  { path: 'apple.pkpass', name: 'Apple Wallet' },
  { path: 'google', name: 'Google Wallet' },
] as const

/**
 * Passes for telephones. Apple and Google sign up the seller and give out keys; this server has no setting for them yet, and
 * says so instead of sending a pass that no telephone takes.
 */
export function walletRoutes(app: App, { ledger }: BoxOfficeServices): void {
  for (const { path, name } of WALLETS) {
    app.get(
      `/api/etickets/:id/${path}`,
      {
        config: { access: 'signed-in', sale: 'checked' },
        schema: {
          tags: ['e-tickets'],
          summary: `An e-ticket of yours for ${name}; 404 NOT_CONFIGURED, because no keys are set up`,
          params: Type.Object({ id: Type.String() }),
          // Nothing but the error, which every route may answer.
          response: {},
        },
      },
      async (request) => {
        const { id } = request.params
        requireOwnEticket(isUuid(id) ? await readEticket(ledger.db, id) : null, actorOf(request))
        throw new SeatwiseError('NOT_CONFIGURED', { message: `This server has no keys for ${name}` })
      },
    )
  }
}
