import type { Config } from '@seatwise/server'
import { explainFailure } from '../../explain-failure.ts'
import type { RehearsalReport } from '../../report/rehearsal-report.ts'

const ANSWER_MS_MAX = 10_000

/**
 * Tells the server that its sale was rehearsed, so that the operator who opens it sees the result. Needs an operator's
 * credentials; without them, or when the server does not want it, the report stands for itself.
 */
export async function registerRehearsal(
  url: URL,
  report: RehearsalReport,
  { adminEmail: email, adminPassword: password }: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<void> {
  if (email === null || password === null) return
  try {
    const { accessToken } = await post(url, '/api/auth/login', {}, { email, password })
    const headers = { authorization: `Bearer ${String(accessToken)}` }
    const verdict = report.judgement.go ? 'passed' : 'failed'
    await post(url, `/api/events/${report.eventId}/rehearsals`, headers, { verdict, report: summaryOf(report) })
    console.log('The server has taken note of this rehearsal.')
  } catch (error) {
    console.error(`The rehearsal could not be registered: ${explainFailure(error)}`)
  }
}

/** Curves and single violations stay in the report: the server keeps what is looked at before a sale opens. */
function summaryOf({ series: _, invariants, ...rest }: RehearsalReport): object {
  const verdicts = (invariants ?? []).map(({ id, name, verdict }) => ({ id, name, status: verdict.status }))
  return { ...rest, invariants: verdicts }
}

async function post(url: URL, path: string, headers: Readonly<Record<string, string>>, body: object) {
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
