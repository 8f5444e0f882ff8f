import { openMemoryLine } from '@seatwise/line'
import { type MillionsPoint, measureMillions, measureOften } from './measure-millions.ts'

/** A short line and a long one, in this process. Memory is the most it ever had, garbage included. */
export async function measureEmbedded(sizes: { few: number; rooms: number; many: number }): Promise<MillionsPoint[]> {
  const { few, rooms, many } = sizes

  const line = openMemoryLine({ clock: Date.now })
  const meter = {
    microseconds: async () => {
      const { user, system } = process.cpuUsage()
      return user + system
    },
    bytes: async () => process.resourceUsage().maxRSS * 1_024,
  }
  // Compiled, and met before.
  await measureOften(line, meter, few, 3)
  return [await measureOften(line, meter, few, rooms), await measureMillions(line, meter, many)]
}
