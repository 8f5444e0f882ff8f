import type { ChangeReply, RoomAt, RoomChange } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { announcementLine } from '../wire/announcement-line.ts'
import { textIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'

/** Runs change.lua. */
export async function change(scripts: Scripts, at: RoomAt, wanted: RoomChange): Promise<ChangeReply> {
  const { operation, by, draw, announce, onlyWhile, ...given } = wanted
  const isGiven = Object.values(given).some((value) => value !== undefined)
  const reply = await scripts.run('change', at, [
    at.epoch,
    at.seenSeq,
    escapeText(operation),
    isGiven ? JSON.stringify({ by, ...given }) : '',
    draw === undefined ? '' : draw === null ? '-' : announcementLine({ kind: 'draw', ...draw }),
    onlyWhile ?? '',
    announce === undefined ? '' : announcementLine(announce),
  ])
  const [seq, refused] = textIn(reply).split(' ')
  return { seq: Number(seq), isRefused: refused !== undefined }
}
