import type { Defect } from '../defect.ts'
import { ACCESS } from './access.ts'
import { AFTER_SALE } from './after-sale.ts'
import { CLIENT } from './client.ts'
import { DOOR } from './door.ts'
import { FAIR_START } from './fair-start.ts'
import { GUARD } from './guard.ts'
import { MENDED } from './mended.ts'
import { MONEY } from './money.ts'
import { ORDER } from './order.ts'
import { ORGANIZATIONS } from './organizations.ts'
import { PAGES_OF_PROVIDERS } from './pages-of-providers.ts'
import { PROOF } from './proof.ts'
import { REVIEWED } from './reviewed.ts'
import { RUSH } from './rush.ts'
import { SEATS } from './seats.ts'
import { SURVIVAL } from './survival.ts'

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
  ...SURVIVAL,
  ...PAGES_OF_PROVIDERS,
  ...RUSH,
  ...ORGANIZATIONS,
  ...DOOR,
  ...AFTER_SALE,
  ...FAIR_START,
]
