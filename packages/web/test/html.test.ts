import { describe, expect, it } from 'vitest'
import { dataBlock, html, trustedHtml } from '../src/html.ts'

const EVIL = `</script><script>alert("1")</script>'`

describe('html', () => {
  it('[W1] escapes what is filled in, in text and in attributes', () => {
    expect(html`<p title="${EVIL}">${EVIL}</p>`.text).not.toMatch(/<script|"1"|'/)
    expect(html`<p>${'a & b'}</p>`.text).toBe('<p>a &amp; b</p>')
  })

  it('[W1] leaves markup of our own alone, also in lists, and nothing of what is not there', () => {
    const items = ['<', '>'].map((text) => html`<li>${text}</li>`)
    expect(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text).toBe('<ul><li>&lt;</li><li>&gt;</li>0</ul>')
    expect(html`${trustedHtml('<svg></svg>')}`.text).toBe('<svg></svg>')
  })

  it('[W1] data in a page ends no element', () => {
    const block = dataBlock('page-data', { name: EVIL }).text
    expect(block.match(/<\/script>/g)).toHaveLength(1)
    const json = /<script[^>]*>(.*)<\/script>/s.exec(block)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual({ name: EVIL })
  })
})
