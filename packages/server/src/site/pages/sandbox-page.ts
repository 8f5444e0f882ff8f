import { SeatwiseError } from '@seatwise/domain'
import { moveSandboxPayments, type Primary, readSandboxPayment, type SandboxPayment } from '@seatwise/ledger'
import { bankPage } from '@seatwise/web'
import Type from 'typebox'
import { hostedPagePath } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import type { PageKit } from './page-kit.ts'

const HIDDEN_FROM_DOCS = { hide: true }
const RefPath = Type.Object({ ref: Type.String({ pattern: '^sbx_[0-9a-f-]{36}$' }) })

/**
 * The page on which a buyer of `sandbox_3ds` approves or declines, as at a bank. Any visitor who knows the reference
 * may: it cannot be guessed, and only the buyer has been told.
 */
export function hostedPageRoutes(app: App, ledger: Primary, kit: PageKit): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, { decision: new URLSearchParams(String(body)).get('decision') ?? '' }),
    )
    scope.get(
      hostedPagePath(':ref'),
      { config: { access: 'public' }, schema: { ...HIDDEN_FROM_DOCS, params: RefPath } },
      async (request, reply) => {
        const { amount, currency, status, returnUrl } = await find(ledger, request.params.ref)
        const facts = { amount, currency, stand: standOf(status), returnUrl }
        reply.header('referrer-policy', 'no-referrer')
        return kit.send(request, reply, bankPage(kit.languageOf(request), facts))
      },
    )
    scope.post(
      hostedPagePath(':ref'),
      {
        config: { access: 'public' },
        schema: {
          ...HIDDEN_FROM_DOCS,
          params: RefPath,
          body: Type.Object(
            { decision: Type.Union([Type.Literal('approve'), Type.Literal('decline')]) },
            { additionalProperties: false },
          ),
        },
      },
      async (request, reply) => {
        const { ref } = request.params
        const to = request.body.decision === 'approve' ? 'succeeded' : 'failed'
        await moveSandboxPayments(ledger, [{ ref, from: ['requires_action'], to }])
        const { returnUrl } = await find(ledger, ref)
        return reply.redirect(returnUrl, 303)
      },
    )
  })
}

async function find({ db }: Primary, ref: string): Promise<SandboxPayment> {
  const payment = await readSandboxPayment(db, ref)
  if (payment === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such payment' })
  return payment
}

function standOf(status: SandboxPayment['status']): Parameters<typeof bankPage>[1]['stand'] {
  if (status === 'requires_action') return 'open'
  if (status === 'succeeded') return 'approved'
  return status === 'failed' ? 'declined' : 'over'
}
