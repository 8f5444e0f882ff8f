import { type Act, SeatwiseError } from '@seatwise/domain'
import { listOrganizations, type Organization } from '@seatwise/ledger'
import {
  type Language,
  type OrganizationFrame,
  type OrganizationProblem,
  type OrganizationSection,
  type Said,
  WORDS,
} from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { actorOf, mayDo, organizationsFor } from '../../http/index.ts'
import { ownPath } from '../../site/index.ts'

/** Who may open which page. */
const ACT_OF: Readonly<Record<OrganizationSection, Act>> = {
  team: 'members',
  keys: 'keys',
  webhooks: 'webhooks',
  settings: 'statistics',
}
const SECTIONS = Object.keys(ACT_OF) as OrganizationSection[]
/** An admin of a large house finds the others at `/console/organizations`. */
const SWITCHED_MAX = 100

export type OrganizationRequest = FastifyRequest<{ Params: { id: string } }>

/** The organization of a page, and what stands around the page's own content. */
export async function readFrame(
  { ledger }: Pick<BoxOfficeServices, 'ledger'>,
  request: OrganizationRequest,
): Promise<{ readonly frame: OrganizationFrame; readonly organization: Organization }> {
  const actor = actorOf(request)
  const id = idOf(request)
  const all = await listOrganizations(ledger.db, organizationsFor(actor, 'statistics'))
  const organization = all.find((one) => one.id === id)
  if (organization === undefined) throw new SeatwiseError('NOT_FOUND')
  const others = all.filter((one) => one.id !== id).slice(0, SWITCHED_MAX)
  const frame = {
    ...{ id, name: organization.name, role: actor.teams?.get(id) ?? null },
    sections: SECTIONS.filter((section) => mayDo(actor, ACT_OF[section], id)),
    all: [organization, ...others].toSorted((one, other) => one.name.localeCompare(other.name)),
  }
  return { frame, organization }
}

export const idOf = ({ params }: OrganizationRequest): string => params.id.toLowerCase()

/** What went wrong, for the pages that say it; any other error is thrown on. */
export function problemOf(error: unknown): OrganizationProblem {
  const problem = error instanceof SeatwiseError ? PROBLEMS[error.code] : undefined
  if (problem === undefined) throw error
  return problem
}

/** The same as the notice of a page. */
export const sayProblem = (language: Language, error: unknown): NonNullable<Said> => ({
  kind: 'problem',
  sentence: WORDS[language].organization.problems[problemOf(error)],
})

const PROBLEMS: Readonly<Record<string, OrganizationProblem>> = {
  BAD_REQUEST: 'invalid',
  LAST_OWNER: 'lastOwner',
  TEAM_LIMIT: 'tooMany',
  TOO_MANY_REQUESTS: 'tooOften',
  NOT_FOUND: 'gone',
}

/** Leads to the page that asks for a fresh sign-in, and then to where the form is, filled in as it was. */
export function askToConfirm(
  reply: FastifyReply,
  path: string,
  fields: Readonly<Record<string, string>>,
): FastifyReply {
  const next = ownPath(`${path}?${new URLSearchParams(fields)}`)
  return reply.redirect(`/sign-in/again?${new URLSearchParams({ next })}`, 303)
}
