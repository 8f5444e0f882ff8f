import { afterAll, beforeAll, describe } from 'vitest'
import { admissionRules } from './admission-rules.ts'
import { adoptionRules } from './adoption-rules.ts'
import { correctionRules } from './correction-rules.ts'
import { doorRules } from './door-rules.ts'
import { fairStartRules } from './fair-start-rules.ts'
import { floorRules } from './floor-rules.ts'
import { gateRules } from './gate-rules.ts'
import { groupRules } from './group-rules.ts'
import type { LineHarness, OpenHarness } from './harness.ts'
import { logRules } from './log-rules.ts'
import { lossRules } from './loss-rules.ts'
import { positionRules } from './position-rules.ts'
import { presenceRules } from './presence-rules.ts'
import { priorityRules } from './priority-rules.ts'
import { stepRules } from './step-rules.ts'
import { sweepRules } from './sweep-rules.ts'
import { type OpenRoom, openTestRoom } from './test-room.ts'
import { ticketRules } from './ticket-rules.ts'
import { visitRules } from './visit-rules.ts'

/** Every rule of spec/line.md and spec/admission.md that both implementations keep. */
export function lineContract(name: string, openHarness: OpenHarness): void {
  describe(`line contract: ${name}`, () => {
    let harness: LineHarness | undefined
    beforeAll(async () => {
      harness = await openHarness()
    })
    afterAll(async () => {
      await harness?.close()
    })
    const openRoom: OpenRoom = async (options) => {
      if (harness === undefined) throw new Error('The line was not opened')
      return await openTestRoom(harness, options)
    }
    describe('tickets', () => ticketRules(openRoom))
    describe('adoption', () => adoptionRules(openRoom))
    describe('groups', () => groupRules(openRoom))
    describe('priority', () => priorityRules(openRoom))
    describe('presence', () => presenceRules(openRoom))
    describe('sweep', () => sweepRules(openRoom))
    describe('log', () => logRules(openRoom))
    describe('loss', () => lossRules(openRoom))
    describe('corrections', () => correctionRules(openRoom))
    describe('positions', () => positionRules(openRoom))
    describe('steps', () => stepRules(openRoom))
    describe('admission', () => admissionRules(openRoom))
    describe('floor', () => floorRules(openRoom))
    describe('gate', () => gateRules(openRoom))
    describe('sales at the door', () => doorRules(openRoom))
    describe('fair start', () => fairStartRules(openRoom))
    describe('visits', () => visitRules(openRoom))
  })
}
