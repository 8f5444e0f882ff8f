import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from '../src/html.ts'
import { markdown, plainText } from '../src/views/markdown.ts'

const written = (text: string): string => html`${markdown(text)}`.text

describe('markdown', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
    ['**loud** and *soft*', '<p><strong>loud</strong> and <em>soft</em></p>'],
    ['**loud *and* soft**', '<p><strong>loud <em>and</em> soft</strong></p>'],
    ['*open **both', '<p>*open **both</p>'],
    ['2 \\* 3', '<p>2 * 3</p>'],
    ['# Cast\n- Ada\n- Linh', '<h2>Cast</h2><ul class="bullets"><li>Ada</li><li>Linh</li></ul>'],
    ['1. first\n2) second', '<ol class="numbers"><li>first</li><li>second</li></ol>'],
    ['> quoted\n> twice', '<blockquote>quoted<br>twice</blockquote>'],
    [
      'See [the cast](https://cast.example/a?b=1&c=2).',
      '<p>See <a href="https://cast.example/a?b=1&amp;c=2" rel="noopener nofollow">the cast</a>.</p>',
    ],
    [
      'https://cast.example/. Now',
      '<p><a href="https://cast.example/" rel="noopener nofollow">https://cast.example/</a>. Now</p>',
    ],
  ])('[W221] %j', (text, shown) => expect(written(text)).toBe(shown))

  it.each([
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>)',
    '[x](https://me:secret@a.example)',
    '![x](https://a.example/x.png)',
    '[x](https://a.example/"onclick="alert(1))',
    '<img src=x onerror=alert(1)>',
    '**<b onclick=alert(1)>**',
  ])('[W221] [W23] %j makes nothing that runs or loads', (text) => {
    expect(written(text)).not.toMatch(/<(?!\/?(?:p|strong|a)[ >])|href="(?!https)|="[^"]*"[^ >]|secret@a\.example"/)
  })

  it('[W221] whatever is written, only the tags of the list are made, and each is closed', () => {
    const marks = fc.string({ unit: 'grapheme', maxLength: 60 })
    const odd = fc.string({ unit: oneOfMarks(), maxLength: 60 })
    for (const texts of [marks, odd]) {
      fc.assert(
        fc.property(texts, (text) => {
          const tags = [...written(text).matchAll(/<(\/?)([a-z0-9]*)([^>]*)>/g)]
          const open: string[] = []
          for (const [, end, name = '', rest = ''] of tags) {
            expect(TAGS).toContain(name)
            expect(rest).toMatch(
              /^$|^ class="(?:bullets|numbers)"$|^ href="(?:https?:|mailto:)[^"]*" rel="noopener nofollow"$/,
            )
            if (end === '/') expect(open.pop()).toBe(name)
            else if (name !== 'br') open.push(name)
          }
          expect(open).toEqual([])
        }),
        { numRuns: 400, verbose: 1 },
      )
    }
  })

  it('[W221] the longest text that an event may have takes no time, however it is marked', () => {
    for (const unit of ['*a', '**', '[', '[a](', '# a\n', '> \n', 'https://', '\\', '- a\n\n']) {
      const startedAt = performance.now()
      written(unit.repeat(20_000 / unit.length))
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    }
  })

  it('[W221] its words alone have no marks', () => {
    expect(plainText('# Cast\n\n**Ada** and [Linh](https://a.example)\n- *one*')).toBe('Cast\n\nAda and Linh\none')
  })
})

const TAGS = ['p', 'br', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 'a']

function oneOfMarks() {
  return fc.constantFrom(
    '*',
    '**',
    '[',
    ']',
    '(',
    ')',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '> ',
    '1. ',
    '<',
    '"',
    'a',
    ' ',
    '\\',
    LINK,
  )
}
const LINK = '[a](https://a.example/"<)'
