import type { Waiting } from '@seatwise/client'
import type { WaitFacts } from '../../views/wait-view.ts'

/** A countdown by a clock that is further off than this misleads. */
const CLOCK_MS_MAX = 30_000

/** Before the line opens there is time to put right what would cost the turn later. */
export function DeviceCheck({
  words,
  place,
  isSoundOn,
}: {
  words: WaitFacts['words']
  place: Waiting
  isSoundOn: boolean
}) {
  const { reach, room } = place
  // The room's document is at most a few seconds old while the server is reached.
  const isClockRight = room === null || Math.abs(Date.parse(room.at) - Date.now()) < CLOCK_MS_MAX || reach !== 'ok'
  const checks = [
    {
      name: 'connection',
      isGood: reach === 'ok',
      good: words.checkOnline,
      bad: words[reach === 'ok' ? 'offline' : reach],
    },
    { name: 'cookies', isGood: navigator.cookieEnabled, good: words.checkKept, bad: words.checkCookies },
    { name: 'clock', isGood: isClockRight, good: words.checkClock, bad: words.checkClockWrong },
    { name: 'sound', isGood: isSoundOn, good: words.checkSound, bad: words.checkSoundOff },
  ]
  return (
    <section class="device-check" aria-labelledby="device-check">
      <h2 id="device-check" class="label">
        {words.checkTitle}
      </h2>
      <ul class="quiet small">
        {checks.map(({ name, isGood, good, bad }) => (
          <li key={name} data-check={name} data-good={isGood}>
            {isGood ? '✓ ' : '! '}
            {isGood ? good : bad}
          </li>
        ))}
      </ul>
    </section>
  )
}
