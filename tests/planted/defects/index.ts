import type { Defect } from '../defect.ts'
import { ACCESS } from './access.ts'
import { CLIENT } from './client.ts'
import { GUARD } from './guard.ts'
import { MENDED } from './mended.ts'
import { MONEY } from './money.ts'
import { ORDER } from './order.ts'
import { PROOF } from './proof.ts'
import { REVIEWED } from './reviewed.ts'
import { SEATS } from './seats.ts'

/** Every planted defect, by what it would harm. */
export const DEFECTS: readonly Defect[] = [
  ...MONEY,
  ...SEATS,
  ...ORDER,
  ...ACCESS,
  ...GUARD,
  ...CLIENT,
  ...PROOF,
  ...REVIEWED,
  ...MENDED,
]
