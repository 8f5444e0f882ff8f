import { SeatwiseError } from '@seatwise/domain'
import { accountDeletedPage, type DeletionProblem, deleteAccountPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_ROLES, type App, actorOf } from '../http/index.ts'
import { dropSession, readUser } from '../identity/index.ts'
import type { RoomServices } from '../rooms/index.ts'
import { ButtonForm, type PageKit } from '../site/index.ts'
import { deleteAccount } from './delete-account.ts'

const config = { access: ACCOUNT_ROLES, fresh: true } as const

/** Deleting one's own account by plain forms: asked for a fresh sign-in first, then once more. */
export function privacyPages(app: App, services: RoomServices, kit: PageKit): void {
  app.get('/account/delete', { config, schema: { hide: true } }, async (request, reply) =>
    ask(services, kit, request, reply, null),
  )
  app.post('/account/delete', { config, schema: { hide: true, body: ButtonForm } }, async (request, reply) => {
    const actor = actorOf(request)
    try {
      await deleteAccount(services, actor.id)
    } catch (error) {
      const problem = error instanceof SeatwiseError ? PROBLEMS[error.code] : undefined
      if (problem === undefined) throw error
      return await ask(services, kit, request, reply, problem)
    }
    dropSession(services.config, request, reply)
    // The page is of a visitor who has no account now.
    request.actor = null
    return kit.send(request, reply, accountDeletedPage(kit.languageOf(request)))
  })
}

const PROBLEMS: Readonly<Record<string, DeletionProblem>> = {
  PAYMENT_UNDER_WAY: 'deletePaying',
  LAST_ADMIN: 'deleteLastAdmin',
  LAST_OWNER: 'deleteLastOwner',
}

async function ask(
  services: RoomServices,
  kit: PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: DeletionProblem | null,
): Promise<FastifyReply> {
  const { email } = await readUser(services, actorOf(request))
  const page = deleteAccountPage(kit.languageOf(request), { email, problem })
  return kit.send(request, reply, page, problem === null ? 200 : 409)
}
