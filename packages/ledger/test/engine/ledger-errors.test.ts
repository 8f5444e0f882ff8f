import { expect, it } from 'vitest'
import { isLedgerAway, LedgerUnreachable } from '../../src/index.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

it.each([
  new LedgerUnreachable('gone'),
  withCode('ECONNRESET'),
  withCode('ECONNREFUSED'),
  withCode('08006'),
  withCode('57P01'),
  withCode('57014'),
  withCode('53100'),
  withCode('53300'),
  withCode('25006'),
  withCode('40P01'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new Error('PostgreSQL was silent for 11000 ms.'),
  new Error('claims were not decided', { cause: withCode('EPIPE') }),
])('[D31] %s is a matter of the moment', (error) => {
  expect(isLedgerAway(error)).toBe(true)
})

it.each([
  withCode('23505'),
  withCode('22P02'),
  withCode('42601'),
  withCode('ENOENT'),
  new Error('Cannot read properties of undefined'),
  'a string',
  undefined,
])('[D31 control] %s is not', (error) => {
  expect(isLedgerAway(error)).toBe(false)
})

it('[D31] a cycle of error causes ends the search', () => {
  const error = new Error('x')
  error.cause = error
  expect(isLedgerAway(error)).toBe(false)
})
