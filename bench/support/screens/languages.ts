import { crowd, GUESTS, hallTypes, joinMany, LINE, makeSale } from './sales.ts'
import type { Shooting } from './shooting.ts'

const EVENTS = {
  ko: { name: '겨울 나그네', location: '예술의전당, 서울', types: ['1층석', '2층석', '스탠딩'] },
  vi: { name: 'Đêm nhạc mùa đông', location: 'Nhà hát Lớn, Hà Nội', types: ['Tầng một', 'Tầng hai', 'Vé đứng'] },
} as const

/** A few pages in the other languages. Korean needs letters that not every machine has. */
export async function shootLanguages(shooting: Shooting): Promise<void> {
  for (const [language, { name, location, types }] of Object.entries(EVENTS)) {
    const visitor = await shooting.other({ locale: language })
    const line = await makeSale(shooting.stage, { name, location, totalSeats: 90, room: LINE })
    await joinMany(shooting.stage, line, crowd(21))
    await visitor.visit(`waiting-${language}`, `/events/${line}/wait`, '.line .initial')
    const room = { ...GUESTS, capacity: 100 }
    const hall = await makeSale(shooting.stage, { name, location, seatTypes: hallTypes(types), room })
    await visitor.visit(`event-${language}`, `/events/${hall}`, '.prices')
    await visitor.page.goto(`/events/${hall}/wait`)
    await visitor.state('turn')
    await visitor.page.locator('form button.main').click()
    await visitor.page.getByRole('application').waitFor()
    await visitor.page.locator('.best .main').click()
    await visitor.page.locator('.chip').first().waitFor()
    await visitor.show(`seats-${language}`)
    await visitor.close()
  }
}
