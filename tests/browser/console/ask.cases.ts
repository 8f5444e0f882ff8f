import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench, HOSTILE } from './operator.ts'

const TERMS = 'https://example.com/terms'

interface Asking {
  checkout: { names: boolean; marketing: boolean; terms: object | null; questions: { id: string; label: string }[] }
}

async function save(editor: Page): Promise<void> {
  const saved = editor.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await editor.click('form.editor > p.actions button.main')
  expect((await saved).status()).toBe(200)
  await editor.waitForSelector('form.editor > div .notice.good')
}

it('[W128] [W129] [W130] an organiser asks, a buyer answers without a script, and the sale shows the answers', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const editor = await bench.at(`/console/events/${id}/edit`)
  await editor.check('input[name=checkout-names]')
  await editor.check('input[name=checkout-marketing]')
  await editor.fill('input[name=termsUrl]', TERMS)
  await editor.click('button[name=addQuestion]')
  await editor.fill('input[name=questionLabel]', HOSTILE)
  await editor.selectOption('select[name=question-kind]', 'choice')
  await editor.selectOption('select[name=question-per]', 'ticket')
  await editor.fill('textarea[name=questionChoices]', `Soup\n\n${HOSTILE}\n`)
  await editor.check('input[name=questionRequired]')
  expect(await axeFindings(editor, '.checkout-editor')).toEqual([])
  await save(editor)
  const { checkout } = await bench.call<Asking>('GET', `/api/events/${id}`)
  expect(checkout).toMatchObject({
    ...{ names: true, marketing: true, terms: { label: null, url: TERMS } },
    questions: [{ kind: 'choice', label: HOSTILE, choices: ['Soup', HOSTILE], per: 'ticket', required: true }],
  })
  // Saved again without a change, the question is the same one.
  await editor.fill('input[name=questionLabel]', 'Meal')
  await save(editor)
  const edited = await bench.call<Asking>('GET', `/api/events/${id}`)
  expect(edited.checkout.questions).toMatchObject([{ id: checkout.questions[0]?.id, label: 'Meal' }])

  const { id: reservationId, person } = await bench.reserve(id, 'Cleo')
  const buyer = await bench.known(person)
  await buyer.goto(`/checkout/${reservationId}`)
  expect(await buyer.isChecked('input[name=marketing]')).toBe(false)
  await buyer.fill('input[name^="name."]', '   ')
  await buyer.selectOption('select[name^="q."]', HOSTILE)
  await buyer.check('input[name=terms]')
  await buyer.click('form[action$="/pay"] button.main')
  await buyer.waitForSelector('input[name^="name."][aria-invalid=true]')
  expect(await buyer.inputValue('select[name^="q."]')).toBe(HOSTILE)
  expect(await buyer.isChecked('input[name=terms]')).toBe(true)
  expect(await buyer.textContent('.problem')).toBe('Please fill this in.')
  expect(await axeFindings(buyer)).toEqual([])

  const plain = await bench.known(person, { javaScriptEnabled: false })
  await plain.goto(`/checkout/${reservationId}`)
  await plain.fill('input[name^="name."]', HOSTILE)
  await plain.selectOption('select[name^="q."]', 'Soup')
  await plain.check('input[name=terms]')
  await plain.click('form[action$="/pay"] button.main')
  await plain.getByRole('link', { name: 'E-ticket 1' }).click()
  await plain.getByText(HOSTILE).first().waitFor()

  await editor.goto(`/console/events/${id}`)
  await editor.click('#tab-reservations')
  await editor.click('tbody summary')
  const told = (await editor.textContent('tbody .answers')) ?? ''
  expect(told).toContain(HOSTILE)
  expect(told).toContain('Soup')
  expect(told).toContain(TERMS)
  expect(told).not.toContain('Consents to marketing')
}, 60_000)
