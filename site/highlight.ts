import { escapeHtml } from './escape-html.ts'

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`
const NUMBER = String.raw`\b\d[\d_.]*\b`
const C_WORDS =
  'import|from|export|const|let|await|async|function|return|for|of|if|else|new|type|interface|default|throw|try|catch|true|false|null|undefined'
const SH_WORDS = 'curl|npm|npx|node|seatwise|git|openssl|export|until|do|done|sleep|if|then|fi|cd|docker|kubectl|psql'
const SQL_WORDS =
  'select|from|where|insert|into|update|set|create|table|publication|order|by|limit|and|or|for|with|values|as|on'

/** What of a language is told apart: comments, strings, words and numbers are enough to read a dozen lines. */
const GRAMMARS: Readonly<Record<string, readonly [kind: string, pattern: string][]>> = {
  ts: [
    ['comment', String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`],
    ['string', `${STRING}|\`[^\`]*\``],
    ['word', `\\b(?:${C_WORDS})\\b`],
    ['number', NUMBER],
  ],
  sh: [
    ['comment', String.raw`(?<=^|\s)#[^\n]*`],
    ['string', STRING],
    ['word', `\\b(?:${SH_WORDS})\\b`],
    ['number', String.raw`\$\w+`],
  ],
  sql: [
    ['comment', String.raw`--[^\n]*`],
    ['string', STRING],
    ['word', `\\b(?:${SQL_WORDS})\\b`],
    ['number', NUMBER],
  ],
  json: [
    ['word', String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)`],
    ['string', STRING],
    ['number', `${NUMBER}|\\b(?:true|false|null)\\b`],
  ],
  nginx: [
    ['comment', String.raw`#[^\n]*`],
    ['string', STRING],
    ['word', String.raw`^\s*[a-z_]+`],
    ['number', String.raw`\$\w+`],
  ],
}
const SAME: Readonly<Record<string, string>> = {
  js: 'ts',
  jsx: 'ts',
  tsx: 'ts',
  console: 'sh',
  yaml: 'nginx',
  toml: 'nginx',
}

export function highlight(text: string, language: string): string {
  const grammar = GRAMMARS[SAME[language] ?? language]
  if (grammar === undefined) return escapeHtml(text)
  const kinds = grammar.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|')
  let html = ''
  let end = 0
  for (const match of text.matchAll(new RegExp(kinds, language === 'sql' ? 'gim' : 'gm'))) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['']
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(end))
}
