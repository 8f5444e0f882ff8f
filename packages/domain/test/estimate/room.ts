import { type Habits, lookAhead, type Pace, type RoomPace, type Stays } from '../../src/index.ts'

/** Every visitor stays exactly this long; `there` are those on the floor, by seconds since they came. */
export function always(seconds: number, there: Readonly<Record<number, number>> = {}): Stays {
  const thereByAge = Float64Array.from({ length: 900 }, (_, age) => there[age] ?? 0)
  return { mean: seconds, thereByAge, shareAfter: (after) => (after < seconds ? 1 : 0), keptAfter: () => 1 }
}

/** Visitors on the floor came at different times, evenly. */
export function evenly(seconds: number, floor: number): Stays {
  const ages = Array.from({ length: seconds }, (_, age) => [age, floor / seconds] as const)
  return always(seconds, Object.fromEntries(ages))
}

export const ROOM: RoomPace = {
  ...{ capacity: 100, floor: 100, ratePerSecond: 1_000, seats: null },
  ...{ closed: null, usualMax: 300 },
}

export const HABITS: Habits = {
  stays: always(10),
  leaving: { hazard: 0, seconds: 0 },
  demand: { claimed: 1, kept: 1, variance: 0.5, leavers: 1_000 },
}

export function paceOf(room: Partial<RoomPace> = {}, measured: Partial<Pace> = {}): Pace {
  const whole = { ...ROOM, ...room }
  const habits: Habits = { ...HABITS, ...measured }
  const outlook = lookAhead(whole, habits)
  return { ...habits, room: whole, absentShare: 0, served: 1_000, observedSeconds: 600, outlook, ...measured }
}
