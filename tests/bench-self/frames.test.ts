import { expect, test } from 'vitest'
import type { FrameReader } from '../support/src/fault-proxy/frames.ts'
import { postgresConversation } from '../support/src/fault-proxy/postgres-frames.ts'
import { redisConversation } from '../support/src/fault-proxy/redis-frames.ts'

/** Feeds the bytes in pieces of every size, and expects the same frames each time. */
function framesOf(open: () => FrameReader, bytes: Buffer): { text: string; ends: boolean; length: number }[] {
  const inPieces = (size: number) => {
    const read = open()
    const frames = []
    for (let start = 0; start < bytes.length; start += size) frames.push(...read(bytes.subarray(start, start + size)))
    return frames.map(({ text, ends, bytes: { length } }) => ({ text, ends, length }))
  }
  const whole = inPieces(bytes.length)
  for (let size = 1; size < bytes.length; size += 1) expect(inPieces(size)).toEqual(whole)
  return whole
}

test('[T13] Redis commands are cut at their ends, however the bytes arrive', () => {
  const bytes = Buffer.from('*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$4\r\na\r\nb\r\nPING\r\n*1\r\n$4\r\nPING\r\n')
  expect(framesOf(() => redisConversation().requests, bytes).map(({ text }) => text)).toEqual([
    'SET key a\r\nb',
    'PING',
    'PING',
  ])
})

test('[T13] Redis replies of every kind are one frame each, and a push answers nothing', () => {
  const kinds = [
    '+OK',
    '-ERR no',
    ':1',
    '$-1',
    '$2\r\nhi',
    '*-1',
    '*2\r\n:1\r\n*1\r\n+a',
    '_',
    '#t',
    ',1.5',
    '(12',
    '=5\r\ntxt:x',
  ]
  const aggregates = [
    '%1\r\n+a\r\n:1',
    '~2\r\n:1\r\n:2',
    '|1\r\n+ttl\r\n:3\r\n+OK',
    '!3\r\nbad',
    '>2\r\n+message\r\n+x',
  ]
  const bytes = Buffer.from([...kinds, ...aggregates].map((reply) => `${reply}\r\n`).join(''))
  const frames = framesOf(() => redisConversation().replies, bytes)
  expect(frames.map(({ ends }) => ends)).toEqual([...kinds, ...aggregates].map((reply) => !reply.startsWith('>')))
})

test('[T13] a PostgreSQL request ends with Query or Sync, and its reply with ReadyForQuery after the start-up', () => {
  const startUp = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])
  const requests = Buffer.concat([
    startUp,
    message('Q', 'select 1\0'),
    message('P', 'name\0select $1\0\0\0'),
    message('B', '\0name\0\0\0\0\0\0\0'),
    message('E', '\0\0\0\0\0'),
    message('S', ''),
    message('X', ''),
  ])
  const requestFrames = framesOf(() => postgresConversation().requests, requests)
  expect(requestFrames.filter(({ ends }) => ends).map(({ text }) => text)).toEqual(['select 1', 'select $1'])

  const replies = Buffer.concat([
    message('R', '\0\0\0\0'),
    message('Z', 'I'),
    message('C', 'SELECT 1\0'),
    message('Z', 'I'),
  ])
  const replyFrames = framesOf(() => postgresConversation().replies, replies)
  expect(replyFrames.map(({ ends }) => ends)).toEqual([false, false, false, true])
})

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}
