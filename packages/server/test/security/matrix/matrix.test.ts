import { ACT_NAMES, MEMBER_ROLES, roleMay } from '@seatwise/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsOf } from '../../support/openapi.ts'
import { type Caller, type MatrixWorld, openMatrixWorld } from './matrix-world.ts'
import { type MatrixRoute, readMatrix } from './read-matrix.ts'

const matrix = readMatrix()
let world: MatrixWorld
beforeAll(async () => {
  world = await openMatrixWorld()
}, 60_000)
afterAll(() => world.close())

describe('the matrix of roles and acts', () => {
  it('[Q2] the product knows the acts and roles of the specification, and no others', () => {
    expect(ACT_NAMES.toSorted()).toEqual([...matrix.acts.keys()].toSorted())
    for (const act of ACT_NAMES) {
      expect([act, MEMBER_ROLES.filter((role) => roleMay(role, act))]).toEqual([act, matrix.acts.get(act)])
    }
  })

  it('[Q7] every route of the OpenAPI document and every page of the console is in the matrix', async () => {
    const described = (await operationsOf(world.app)).map(({ method, url }) => `${method} ${url}`)
    const pages = world.app.accessRules
      .filter(({ method, url }) => url.startsWith('/console') && method !== 'HEAD' && method !== 'OPTIONS')
      .map(({ method, url }) => `${method} ${url}`)
    expect(described.length).toBeGreaterThan(140)
    const listed = matrix.routes.map(({ method, url }) => `${method} ${url}`)
    expect(listed.toSorted()).toEqual([...new Set([...described, ...pages])].toSorted())
  })

  it('[Q7] every other route that asks for an act or an admin is in the matrix', () => {
    const listed = new Set(matrix.routes.map(({ method, url }) => `${method} ${url}`))
    const missing = world.app.accessRules
      .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
      .filter(({ access }) => (Array.isArray(access) ? access.join() === 'admin' : typeof access === 'object'))
      .map(({ method, url }) => `${method} ${url}`)
      .filter((route) => !listed.has(route))
    expect(missing).toEqual([])
  })

  it('[Q34] the routes that ask for a fresh sign-in are those of the specification', () => {
    const fresh = world.app.accessRules
      .filter(({ url, method, isFresh }) => isFresh && url.startsWith('/api/') && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`)
    expect(fresh.toSorted()).toEqual(matrix.fresh.toSorted())
  })

  it('[Q3] a draft is 404 to everybody else, and 403 to a member who may not do it', async () => {
    const wrong: string[] = []
    const routes = matrix.routes.filter(({ who, on }) => matrix.acts.has(who) && on === 'event')
    expect(routes.length).toBeGreaterThan(30)
    for (const route of routes) {
      for (const caller of world.callers.filter((one) => one.token !== null && one.role !== 'admin')) {
        if (mayAct(route, caller)) continue
        const { status } = await world.ask(route, caller, { about: 'draft' })
        const expected = caller.side === 'own' ? 403 : 404
        if (status !== expected) wrong.push(`${route.method} ${route.url} ${caller.name}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  // The last route deletes the callers' accounts.
  const asked = matrix.routes.filter(({ url }) => !LASTING.has(url))
  it.each(asked.map((route) => [`${route.method} ${route.url}`, route] as const))(
    '[Q7] %s answers every caller as the matrix says',
    async (_name, route) => {
      const wrong: string[] = []
      // Those who are refused come first: what they ask for is still there.
      for (const caller of world.callers.toSorted((one, other) => rankOf(route, one) - rankOf(route, other))) {
        // No body means everything in a refund: only those who will be refused send none.
        const isBare = route.isOwnToo && !mayAct(route, caller)
        const { status, where } = await world.ask(route, caller, { isBare })
        const expected = expectedOf(route, caller)
        if (!expected.fits(status)) wrong.push(`${caller.name}: ${status} instead of ${expected.says} (${where})`)
      }
      expect(wrong).toEqual([])
    },
  )
})

interface Expected {
  readonly says: string
  fits(status: number): boolean
}

/** Answers that say nothing about who may call; a page of ours may also lead somewhere else. */
const letIn: Expected = { says: 'let in', fits: (status) => status !== 401 && status !== 403 && status < 500 }
const exactly = (expected: number): Expected => ({ says: String(expected), fits: (status) => status === expected })
/** A push connection does not end by itself. */
const LASTING = new Set(['/realtime', '/realtime/sse'])

function expectedOf(route: MatrixRoute, caller: Caller): Expected {
  const { who, url } = route
  const isAnonymous = caller.token === null
  const isKey = caller.kind === 'key'
  const isPage = url.startsWith('/console')
  switch (who) {
    case 'public':
    case 'reader':
      return letIn
    case 'visitor':
      return isKey ? exactly(403) : letIn
    // The sale of the test goes on.
    case 'after-sale':
      return caller.side === 'own' || caller.role === 'admin' ? letIn : exactly(403)
    case 'ticket':
      return exactly(401)
    case 'local-network':
      return isAnonymous || caller.role === 'admin' || !isKey ? letIn : exactly(403)
    case 'signed-in':
      return isAnonymous ? exactly(401) : isKey ? exactly(403) : letIn
    case 'account':
      return isAnonymous ? exactly(isPage ? 303 : 401) : isKey || caller.role === 'guest' ? exactly(403) : letIn
    case 'admin':
      return isAnonymous ? exactly(isPage ? 303 : 401) : caller.role === 'admin' ? letIn : exactly(403)
    default:
      return isAnonymous ? exactly(isPage ? 303 : 401) : expectedOfAct(route, caller)
  }
}

function expectedOfAct(route: MatrixRoute, caller: Caller): Expected {
  if (mayAct(route, caller)) return letIn
  // The handler finds what is the caller's own: nothing here is.
  if (route.isOwnToo && caller.kind !== 'key') return route.on === 'some' ? letIn : exactly(404)
  if (route.on === 'some') return exactly(403)
  const isKnown = caller.side === 'own' || route.on === 'event' || route.on === 'room'
  return exactly(isKnown ? 403 : 404)
}

function mayAct({ who, on }: MatrixRoute, { role, side }: Caller): boolean {
  if (role === 'admin') return true
  const roles = matrix.acts.get(who)
  if (roles === undefined) throw new Error(`The matrix has no act ${who}`)
  // What is on `some` has no subject: the other organization counts for its own members.
  return (side === 'own' || on === 'some') && roles.includes(role)
}

/** Refused callers come first. */
function rankOf(route: MatrixRoute, caller: Caller): number {
  return matrix.acts.has(route.who) && mayAct(route, caller) ? 1 : 0
}
