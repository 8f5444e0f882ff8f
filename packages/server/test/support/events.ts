import type { EventBody } from '@seatwise/domain'
import type { App } from '../../src/http/http-server.ts'

export type Answer = Awaited<ReturnType<App['inject']>>

/** Far from any test's clock. */
const WINDOW = { salesStartAt: '2099-01-01T10:00:00.000Z', salesEndAt: '2099-02-01T10:00:00.000Z' } as const

export const shortEvent = (more: object = {}): EventBody => ({
  name: 'Aurora Live',
  totalSeats: 10,
  ...WINDOW,
  ...more,
})

export interface WireEvent {
  id: string
  name: string
  remainingSeats: number
  totalSeats: number
  seatTypes: { id: string; remaining: number }[]
  [field: string]: unknown
}

export interface WirePage {
  items: WireEvent[]
  nextCursor: string | null
}

export const post = (app: App, authorization: string, payload: object): Promise<Answer> =>
  app.inject({ method: 'POST', url: '/api/events', headers: { authorization }, payload })

export const patch = (app: App, authorization: string, id: string, payload: object): Promise<Answer> =>
  app.inject({ method: 'PATCH', url: `/api/events/${id}`, headers: { authorization }, payload })

export const get = (app: App, url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.inject({ method: 'GET', url, headers })
