import type { Ledger } from '@seatwise/ledger'
import { expectFields, shape } from '@seatwise/testbench'
import { expect } from 'vitest'
import { HTTP_LIMITS, type HttpLimits } from '../../src/http/http-limits.ts'
import type { App } from '../../src/http/http-server.ts'
import { createKernel } from '../../src/main/kernel.ts'
import type { Services } from '../../src/main/services.ts'
import { openTestServices } from './accounts.ts'

export interface KernelOptions {
  readonly env?: Record<string, string>
  readonly limits?: Partial<HttpLimits>
  readonly services?: Partial<Services>
  /** Routes that only this test has. */
  readonly routes?: (app: App) => void
}

/** The server as every request meets it, with routes of the test's own. */
export async function openKernel(ledger: Ledger, options: KernelOptions = {}): Promise<App> {
  const services = await openTestServices(ledger, { env: { SEATWISE_RATE_LIMITS: 'off', ...options.env } })
  const app = createKernel({ ...services, ...options.services }, { ...HTTP_LIMITS, ...options.limits })
  options.routes?.(app)
  await app.ready()
  return app
}

export interface ErrorBody {
  statusCode: number
  code: string
  message: string
  [field: string]: unknown
}

const ERROR_BODY = { statusCode: shape.number, code: shape.text, message: shape.text }

/** Checks that an answer has the form of every error, and returns it. */
export function expectError(answer: { statusCode: number; body: string }, status: number, code: string): ErrorBody {
  const body: ErrorBody = expectFields(JSON.parse(answer.body), ERROR_BODY)
  expect(body).toMatchObject({ statusCode: status, code })
  expect(answer.statusCode).toBe(status)
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['statusCode', 'error', 'code', 'message', 'timestamp', 'path']),
  )
  expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(body.path).toMatch(/^\//)
  return body
}
