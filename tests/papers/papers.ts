import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  readonly paper: string
  readonly language: string
  readonly text: string
}

/** What people read and may copy from. */
export function papers(): string[] {
  const under = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`)
  const packages = ['client', 'guard', 'cli'].map((name) => `packages/${name}/README.md`)
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...under('docs'), ...under('examples'), ...packages].toSorted()
}

export function blocksOf(paper: string): Block[] {
  const text = readFileSync(join(root, paper), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```/gms)].map(([, indent = '', language = '', block = '']) => ({
    paper,
    language,
    text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}
