import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { CASES, renderChart, renderedFile, sourceLine, valuesFile } from './chart/render-chart.ts'

it.each(CASES)('[Y37] %s: rendered anew it is what the tests read', (name) => {
  expect(`${sourceLine(name)}\n${renderChart(valuesFile(name))}`).toBe(readFileSync(renderedFile(name), 'utf8'))
})

it.each(['publicUrl', 'trustProxy', 'existingSecret'])('[Y37] without %s nothing is rendered', async (field) => {
  const folder = await temporaryFolder()
  try {
    const file = join(folder, 'values.yaml')
    const lines = readFileSync(valuesFile('plain'), 'utf8').split('\n')
    writeFileSync(file, lines.filter((line) => !line.startsWith(field)).join('\n'))
    expect(() => renderChart(file)).toThrow(field)
  } finally {
    await removeFolder(folder)
  }
})
