import { generatedPage, type Page } from '../papers.ts'
import type { Operation, Routes, Schema } from './ask-server.ts'

/** The description that a server gives of itself, for people. */
export function routesPage(routes: Routes): Page {
  const operations = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))].toSorted()
  const parts = tags.map((tag) => {
    const own = operations.filter(({ operation }) => tagOf(operation) === tag)
    return `## ${tag}\n\n${own.map(({ path, method, operation }) => entryOf(`${method} ${path}`, operation)).join('\n')}`
  })
  const lead =
    'What a server says of itself at `/openapi.json`, without the schemas of its answers; `/docs` on any server has those and a form to try each call.'
  return generatedPage('api', `# API\n\n${lead} Every error is in [Errors](../errors.md).\n\n${parts.join('\n')}`)
}

const tagOf = ({ tags }: Operation): string => tags?.[0] ?? 'other'

function entryOf(name: string, operation: Operation): string {
  const text = operation.description ?? operation.summary ?? ''
  const parameters = (operation.parameters ?? []).map(
    (parameter) => `\`${parameter.name}\` (${parameter.in}${parameter.required ? ', required' : ''})`,
  )
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const fields = Object.entries(body?.properties ?? {}).map(([field, schema]) => fieldOf(field, schema, body))
  const lines = [
    `### ${name}`,
    textOnly(text),
    ...(parameters.length === 0 ? [] : [`*Takes* ${parameters.join(', ')}`]),
    ...(fields.length === 0 ? [] : [`*Body* ${fields.join(', ')}`]),
  ]
  return `${lines.join('\n\n')}\n`
}

function fieldOf(name: string, { type }: Schema, body: Schema | undefined): string {
  const kind = [type ?? []].flat().join(' or ')
  const notes = [...(kind === '' ? [] : [kind]), ...(body?.required?.includes(name) ? ['required'] : [])]
  return `\`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** Descriptions are plain text: what looks like a mark of Markdown or HTML in one is meant as it stands. */
const textOnly = (text: string): string => text.replace(/[<[\]*_]/g, (mark) => `\\${mark}`)
