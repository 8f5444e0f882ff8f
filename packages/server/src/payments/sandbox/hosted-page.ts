import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, moveSandboxPayment, readSandboxPayment, type SandboxPayment } from '@seatwise/seats'
import Type from 'typebox'
import type { App } from '../../http-server.ts'
import { escapeHtml } from '../../mail/escape-html.ts'
import { hostedPagePath } from './sandbox-provider.ts'

const HIDDEN_FROM_DOCS = { hide: true }
const RefPath = Type.Object({ ref: Type.String({ pattern: '^sbx_[0-9a-f-]{36}$' }) })
const POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/**
 * The page on which a buyer of `sandbox_3ds` says yes or no, as at a bank. Whoever knows the reference may: it cannot be
 * guessed, and only the buyer has been told.
 */
export function hostedPageRoutes(app: App, { db }: Pick<Ledger, 'db'>): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, { decision: new URLSearchParams(String(body)).get('decision') ?? '' }),
    )
    scope.get(
      hostedPagePath(':ref'),
      { config: { access: 'public' }, schema: { ...HIDDEN_FROM_DOCS, params: RefPath } },
      async (request, reply) => {
        const payment = await find(db, request.params.ref)
        return reply
          .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
          .type('text/html; charset=utf-8')
          .send(renderPage(payment))
      },
    )
    scope.post(
      hostedPagePath(':ref'),
      {
        config: { access: 'public' },
        schema: {
          ...HIDDEN_FROM_DOCS,
          params: RefPath,
          body: Type.Object({ decision: Type.Union([Type.Literal('approve'), Type.Literal('decline')]) }),
        },
      },
      async (request, reply) => {
        const { ref } = request.params
        const to = request.body.decision === 'approve' ? 'succeeded' : 'failed'
        await moveSandboxPayment(db, { ref, from: ['requires_action'], to })
        const { returnUrl } = await find(db, ref)
        return reply.redirect(returnUrl, 303)
      },
    )
  })
}

async function find(db: Ledger['db'], ref: string): Promise<SandboxPayment> {
  const payment = await readSandboxPayment(db, ref)
  if (payment === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such payment' })
  return payment
}

function renderPage({ ref, amount, currency, status, returnUrl }: SandboxPayment): string {
  const form = `<form method="post" action="${hostedPagePath(ref)}">
<p><button name="decision" value="approve">Approve</button> <button name="decision" value="decline">Decline</button></p>
</form>`
  const done = `<p>This payment is over: ${status}. <a href="${escapeHtml(returnUrl)}">Back to the shop</a></p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox bank</title></head>
<body>
<main>
<h1>Sandbox bank</h1>
<p>No money moves here. Do you want to pay <strong>${escapeHtml(formatMoney(amount, currency))}</strong>?</p>
${status === 'requires_action' ? form : done}
</main>
</body>
</html>
`
}

function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
