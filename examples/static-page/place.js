// index.html?event=ID waits in the line of that event and reserves seats. No build step, no framework.
import { joinLine, LineError } from '@seatwise/client'

const eventId = new URLSearchParams(location.search).get('event')
const [state, goIn, buy] = ['state', 'in', 'buy'].map((id) => document.getElementById(id))

try {
  const place = await joinLine({ eventId })
  place.on(show)
  show(place.state)
  goIn.onclick = () => place.claim()
  buy.onclick = () => reserve(place)
} catch (error) {
  if (!(error instanceof LineError)) throw error
  state.textContent = `You cannot join: ${error.message}`
}

function show(now) {
  goIn.hidden = now.status !== 'admitted'
  buy.hidden = now.status !== 'active'
  if (now.status === 'waiting') state.textContent = `You are number ${now.position} in line`
  if (now.status === 'admitted') state.textContent = 'It is your turn'
  if (now.status === 'active') state.textContent = 'You are in'
}

async function reserve(place) {
  const { seatTypes } = await (await fetch(`/api/events/${eventId}`)).json()
  const reservation = await place.reserve({ seatTypeId: seatTypes[0].id, quantity: 2 })
  const seats = reservation.items.map(({ row, number }) => `${row}${number}`).join(' and ')
  buy.hidden = true
  state.textContent = `${seats} are yours for a few minutes`
}
