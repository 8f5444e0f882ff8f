import { crowd, GUESTS, joinMany, LINE, leaveAs, lookAs, makeSale } from './sales.ts'
import type { Studio } from './studio.ts'

/** The waiting page: far from the head, paused, and at the visitor's turn. */
export async function drawWaiting(studio: Studio): Promise<void> {
  await drawFar(studio)
  await drawPaused(studio)
  await drawTurn(studio)
}

async function drawFar(studio: Studio): Promise<void> {
  const { stage } = studio
  const winter = { name: 'Winterreise', location: 'Wigmore Hall, London' }
  const id = await makeSale(stage, { ...winter, totalSeats: 90, room: { ...LINE, ratePerMinute: 600 } })
  // One visitor has been inside and left, as in most lines.
  const [quick] = await joinMany(stage, id, ['Ada'])
  if (quick === undefined) throw new Error('No visitor joined')
  while ((await lookAs(stage, id, quick)) !== 'admitted');
  await leaveAs(stage, id, quick)
  await joinMany(stage, id, crowd(22))
  await stage.operate('PATCH', `/api/events/${id}/room`, { ratePerMinute: 2 })
  // The public document is up to a second old.
  while ((await stage.operate('GET', `/api/events/${id}/queue/now`)).ratePerMinute !== 2);
  const desk = await studio.open('desk')
  await desk.visit('waiting', `/events/${id}/wait`, '.line .initial')
  await desk.close()
  const phone = await studio.open('phone', { locale: 'vi' })
  await phone.visit('waiting-vi', `/events/${id}/wait`, '.line .initial')
  await phone.close()
}

async function drawPaused(studio: Studio): Promise<void> {
  const { stage } = studio
  const ballet = { name: 'Giselle', location: 'Seoul Arts Center', totalSeats: 400 }
  const id = await makeSale(stage, { ...ballet, room: { ...GUESTS, paused: true } })
  await joinMany(stage, id, crowd(3))
  const message = 'The lights need ten minutes. We resume at 20:10.'
  await stage.operate('PATCH', `/api/events/${id}/room`, { message })
  const text = 'Doors open at 19:00. Cloakroom on the left.'
  await stage.operate('PUT', `/api/events/${id}/brand`, { colour: '#1f6f5c', logo: null, text })
  const phone = await studio.open('phone')
  await phone.visit('paused', `/events/${id}/wait`, '.message')
  await phone.close()
}

async function drawTurn(studio: Studio): Promise<void> {
  const { stage } = studio
  const room = { ...LINE, ratePerMinute: 600, sessionSeconds: 8, claimSeconds: 60 }
  const id = await makeSale(stage, { name: 'Jazz at ten', location: 'Copenhagen', totalSeats: 40, room })
  const phone = await studio.open('phone')
  await phone.page.goto(`/events/${id}/wait`)
  await phone.state('turn')
  await phone.page.locator('.ring svg').waitFor()
  await phone.draw('turn')
  await phone.close()
}
