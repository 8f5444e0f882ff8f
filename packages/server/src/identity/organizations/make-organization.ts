import { SeatwiseError } from '@seatwise/domain'
import { countOwned, createOrganization } from '@seatwise/ledger'
import { type Actor, isAdmin } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

/** Of one account that is no admin. */
const OWNED_MAX = 10

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity'>

/** Whether the actor may make organizations at all. */
export const mayMakeOrganizations = ({ config }: Pick<Needs, 'config'>, actor: Actor): boolean =>
  isAdmin(actor) || config.signup === 'open'

/** Makes an organization that the actor owns. */
export async function makeOrganization(
  needs: Needs,
  actor: Actor,
  name: string,
): Promise<{ id: string; name: string }> {
  const { ledger, identity } = needs
  if (!mayMakeOrganizations(needs, actor)) throw new SeatwiseError('FORBIDDEN')
  if (!isAdmin(actor) && (await countOwned(ledger.db, actor.id)) >= OWNED_MAX) {
    throw new SeatwiseError('TEAM_LIMIT')
  }
  const made = await createOrganization(ledger.db, { name: name.trim(), ownerId: actor.id, by: actor.id })
  await identity.teams.refresh()
  return made
}
