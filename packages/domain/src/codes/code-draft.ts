import { EVENT_LIMITS } from '../event/event.ts'
import { badField, requireInstant, requireText } from '../event/event-fields.ts'
import { requirePercent } from '../event/event-prices.ts'
import type { Reduction } from '../prices/price-lines.ts'
import { CODE_LIMITS, type CodeTerms, codeKey } from './code.ts'

/** Codes as an organiser sends them. Their shape is already validated; this file checks how fields depend on each other. */
export interface CodesBody {
  code?: string
  count?: number
  percent?: number
  amountOff?: number
  price?: number
  access?: boolean
  seatTypeIds?: string[]
  usesMax?: number
  perBuyerMax?: number
  validFrom?: string
  validUntil?: string
}

export interface CodesDraft extends CodeTerms {
  /** One code with this text, or so many with texts that the server makes. */
  readonly wanted: { readonly code: string } | { readonly count: number }
}

/** Makes a complete draft of the sent codes, or throws BAD_REQUEST and names the wrong field. */
export function readCodesDraft(body: CodesBody): CodesDraft {
  const { access = false, usesMax = null, perBuyerMax = null, seatTypeIds } = body
  const draft: CodesDraft = {
    wanted: readWanted(body),
    reduction: readReduction(body),
    access,
    seatTypeIds: seatTypeIds === undefined ? null : [...new Set(seatTypeIds.map((id) => id.toLowerCase()))],
    usesMax,
    perBuyerMax,
    validFrom: body.validFrom === undefined ? null : requireInstant('validFrom', body.validFrom),
    validUntil: body.validUntil === undefined ? null : requireInstant('validUntil', body.validUntil),
  }
  if (draft.reduction === null && !access)
    throw badField('percent', 'is missing; send percent, amountOff, price or access')
  if (draft.validFrom !== null && draft.validUntil !== null && draft.validUntil <= draft.validFrom) {
    throw badField('validUntil', 'must be after validFrom')
  }
  return draft
}

function readWanted({ code, count }: CodesBody): CodesDraft['wanted'] {
  if ((code === undefined) === (count === undefined)) throw badField('code', 'must be sent, or else count')
  if (code === undefined) return { count: count ?? 1 }
  const text = requireText('code', code).trim()
  if (codeKey(text) === '') {
    throw badField(
      'code',
      `must have 1 to ${CODE_LIMITS.codeLength} letters, digits or signs besides blanks and hyphens`,
    )
  }
  return { code: text }
}

function readReduction({ percent, amountOff, price }: CodesBody): Reduction | null {
  const sent = Object.entries({ percent, amountOff, price }).filter(([, value]) => value !== undefined)
  if (sent.length > 1)
    throw badField(sent[1]?.[0] ?? 'price', 'must stand alone: send one of percent, amountOff, price')
  if (percent !== undefined) {
    if (percent === 0) throw badField('percent', `must be above 0 and at most ${EVENT_LIMITS.percent}`)
    return { percent: requirePercent('percent', percent) }
  }
  if (amountOff !== undefined) return { amountOff }
  return price === undefined ? null : { price }
}
