import { badField, requireInstant } from '../event/event-fields.ts'
import type { RoomSettings } from './room-settings.ts'

/** When the sale of a room opens; null in a room that is always open. */
export interface SaleStart {
  readonly salesStartAt: Date | null
  readonly presaleStartAt: Date | null
}

/** What a room with a draw has unless it says otherwise: many lots of one visitor would make the draw unfair. */
export const DRAW_DEFAULTS = { guestsPerAddress: 10, challenge: 'always' } as const satisfies Partial<RoomSettings>

/** The settings with `preQueueAt` in one form. Throws BAD_REQUEST when pre-queue or draw do not fit the sale. */
export function readStart<Settings extends Partial<RoomSettings>>(settings: Settings, sale: SaleStart): Settings {
  if (settings.draw !== undefined && settings.draw !== 'none') requireDrawable(sale)
  if (settings.preQueueAt == null) return settings
  const preQueueAt = requireInstant('preQueueAt', settings.preQueueAt)
  if (sale.salesStartAt === null) throw badField('preQueueAt', 'needs a sale that opens')
  if (preQueueAt >= sale.salesStartAt) throw badField('preQueueAt', 'must be before salesStartAt')
  return { ...settings, preQueueAt: preQueueAt.toISOString() }
}

function requireDrawable({ salesStartAt, presaleStartAt }: SaleStart): void {
  if (salesStartAt === null) throw badField('draw', 'needs a sale that opens')
  if (presaleStartAt !== null) throw badField('draw', 'cannot be together with presaleStartAt')
}
