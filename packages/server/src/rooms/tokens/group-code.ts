import { createHmac } from 'node:crypto'
import { deriveKeys } from '../../identity/index.ts'
import { readSymbols, SYMBOLS, symbolOf } from './code-symbols.ts'

/** 40 bits: wrong codes are limited (R140), and a right one only lets its guesser stand behind. */
const MAC_SYMBOLS = 8
const CODE_LENGTH_MAX = 16

/**
 * Codes by which visitors stand together. A code names the number of the visitor who shares it under a MAC, so no server
 * stores any, and it leads to the group for as long as that visitor waits in it.
 */
export interface GroupCodes {
  of(room: string, number: number): string
  /** The number of the visitor whose code was typed; null for any other text. */
  read(room: string, typed: string): number | null
}

export function createGroupCodes(secrets: readonly Buffer[]): GroupCodes {
  const [current, ...older] = deriveKeys(secrets, 'group-code')
  function write(key: typeof current.key, room: string, number: number): string {
    const mac = createHmac('sha256', key).update(`${room} ${number}`).digest()
    const symbols = Array.from(mac.subarray(0, MAC_SYMBOLS), symbolOf).join('')
    return symbols + inSymbols(number)
  }
  return {
    of: (room, number) => write(current.key, room, number),
    read(room, typed) {
      const code = readSymbols(typed)
      if (code === null || code.length <= MAC_SYMBOLS || code.length > CODE_LENGTH_MAX) return null
      const number = fromSymbols(code.slice(MAC_SYMBOLS))
      const isOurs = [current, ...older].some(({ key }) => write(key, room, number) === code)
      return isOurs ? number : null
    },
  }
}

function inSymbols(number: number): string {
  const rest = Math.floor(number / SYMBOLS.length)
  return (rest === 0 ? '' : inSymbols(rest)) + symbolOf(number % SYMBOLS.length)
}

function fromSymbols(text: string): number {
  return [...text].reduce((sum, symbol) => sum * SYMBOLS.length + SYMBOLS.indexOf(symbol), 0)
}
