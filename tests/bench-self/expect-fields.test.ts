import { decodePart, expectFields, expectRecord, parseRecord, shape } from '@seatwise/testbench'
import { expect, test } from 'vitest'

const SEAT = shape.fields({ id: shape.text, row: shape.nullable(shape.text), x: shape.optional(shape.number) })
const MAP = { version: shape.number, seats: shape.listOf(SEAT), names: shape.mapOf(shape.text) }
const BODY = { version: 3, seats: [{ id: 'a', row: null }], names: { en: 'Stalls' }, more: true }

test('[T25] a body of the wanted shape comes back whole', () => {
  expect(expectFields(BODY, MAP)).toBe(BODY)
  expect(
    expectFields({ on: false, any: null, all: {} }, { on: shape.boolean, any: shape.anything, all: shape.record }).on,
  ).toBe(false)
  expect(parseRecord('')).toEqual({})
  expect(decodePart(Buffer.from('{"kid":"first"}').toString('base64url'))).toEqual({ kid: 'first' })
})

test.each<[string, unknown]>([
  ['body should be an object, and is null', null],
  ['body should be an object, and is []', []],
  ['body.version should be a number, and is undefined', { ...BODY, version: undefined }],
  ['body.seats should be a list, and is {}', { ...BODY, seats: {} }],
  ['body.seats[1].id should be a string, and is 4', { ...BODY, seats: [...BODY.seats, { id: 4 }] }],
  ['body.seats[0].row should be a string, and is undefined', { ...BODY, seats: [{ id: 'a' }] }],
  ['body.seats[0].x should be a number, and is null', { ...BODY, seats: [{ id: 'a', row: 'A', x: null }] }],
  ['body.names.en should be a string, and is false', { ...BODY, names: { en: false } }],
])('[T25] %s', (problem, body) => {
  expect(() => expectFields(body, MAP)).toThrow(problem)
})

test('[T25] what is no object is no record', () => {
  expect(() => expectRecord('text')).toThrow('body should be an object, and is "text"')
  expect(() => parseRecord('[]')).toThrow('body should be an object, and is []')
})
