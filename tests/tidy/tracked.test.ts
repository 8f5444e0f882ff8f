import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './sources.ts'

const git = (folder: string, ...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
const generated = (folder: string): string[] =>
  git(folder, 'ls-files', '--cached', '--ignored', '--exclude-standard').split('\n').filter(Boolean)

it('[H27] nothing that is generated is tracked', () => {
  expect(git(root, 'ls-files').split('\n').length).toBeGreaterThan(100)
  expect(generated(root)).toEqual([])
})

it('[H27 control] a tracked file that .gitignore names is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracked-'))
  try {
    git(folder, 'init', '--quiet')
    writeFileSync(join(folder, '.gitignore'), '*.tsbuildinfo\n')
    writeFileSync(join(folder, 'tsconfig.tsbuildinfo'), '{}')
    git(folder, 'add', '--force', '.')
    expect(generated(folder)).toEqual(['tsconfig.tsbuildinfo'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
