import { readFileSync } from 'node:fs'

/** Who may call a route, as `spec/roles.md` says it. */
export interface MatrixRoute {
  readonly method: string
  readonly url: string
  /** An act, or one of the words below the table of acts. */
  readonly who: string
  readonly on: string
  /** The route also serves buyers, who get what is theirs. */
  readonly isOwnToo: boolean
}

export interface Matrix {
  /** The roles of each act. */
  readonly acts: ReadonlyMap<string, readonly string[]>
  readonly routes: readonly MatrixRoute[]
  /** The routes that ask for a fresh sign-in. */
  readonly fresh: readonly string[]
}

/** Reads the two tables of the specification; knows nothing of the product's code. */
export function readMatrix(): Matrix {
  const lines = readFileSync(new URL('../../../../../spec/roles.md', import.meta.url), 'utf8').split('\n')
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1).map(trim))
  const header = rows.find(([first]) => first === 'act') ?? []
  const roles = header.slice(2)
  const acts = rows
    .filter((row) => row.length === header.length && row[0] !== 'act' && row[0] !== '---')
    .map(([act = '', , ...marks]) => [act, roles.filter((_, index) => marks[index] === 'y')] as const)
  const routes = rows
    .filter((row) => row.length === 3 && row[0] !== 'route' && row[0] !== '---')
    .map(([route = '', who = '', on = '']): MatrixRoute => {
      const [method = '', url = ''] = route.split(' ')
      return { method, url, who, on: on.split(',')[0] ?? '', isOwnToo: on.includes('own') }
    })
  const fresh = rows.flatMap((row) => (row.length === 1 && /^[A-Z]+ \//.test(row[0] ?? '') ? row : []))
  return { acts: new Map(acts), routes, fresh }
}

const trim = (cell: string): string => cell.trim()
