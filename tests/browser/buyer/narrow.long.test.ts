import { LANGUAGES } from '@seatwise/web'
import { it } from 'vitest'
import { enlarge, NARROW, walk } from './narrow-walk.ts'
import { expectAccessible, stage } from './stage.ts'

it.each(LANGUAGES)(
  '[W22] in %s axe finds nothing at 320 px, light and dark, with letters twice as large either',
  async (language) => {
    for (const isLarge of [false, true]) {
      const page = await stage.visitor(NARROW)
      if (isLarge) await enlarge(page)
      await walk(page, language, (state) => expectAccessible(page, `${state}${isLarge ? ', large' : ''}`))
    }
  },
  240_000,
)
