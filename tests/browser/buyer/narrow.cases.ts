import { LANGUAGES } from '@seatwise/web'
import { it } from 'vitest'
import { expectFitsPhone } from './looks.ts'
import { enlarge, NARROW, walk } from './narrow-walk.ts'
import { expectAccessible, stage } from './stage.ts'

it.each(LANGUAGES)(
  '[W31] in %s nothing scrolls sideways at 320 px, with letters twice as large',
  async (language) => {
    const page = await stage.visitor(NARROW)
    await enlarge(page)
    await walk(page, language, (state) => expectFitsPhone(page, state))
  },
  90_000,
)

it('[W31] [W22] at 320 px and the usual letters nothing scrolls sideways, and axe finds nothing', async () => {
  const page = await stage.visitor(NARROW)
  await walk(page, 'en', async (state) => {
    await expectFitsPhone(page, state)
    await expectAccessible(page, state)
  })
}, 90_000)
