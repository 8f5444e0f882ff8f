import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { type Answer, get, patch, post, shortEvent, type WireEvent } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'

const COPYRIGHT = 'A secret of the photographer'
/** As a phone writes it: lying on its side, with a tag that says so, and with more tags that are nobody's business. */
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } })
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Copyright: COPYRIGHT } })

forEachLedger('facts and the picture of an event', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let organizer: Visitor
  let other: Visitor
  let buyer: Visitor
  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
    organizer = await registerWithRole(app, ledger, 'organizer')
    other = await registerWithRole(app, ledger, 'organizer')
    buyer = await registerVisitor(app)
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
  })

  const create = async (more: object = {}): Promise<WireEvent> => {
    const answer = await post(app, organizer.authorization, shortEvent(more))
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<WireEvent>()
  }
  const put = (id: string, payload: Buffer, type = 'image/jpeg', by: Visitor = organizer): Promise<Answer> => {
    const headers = { authorization: by.authorization, 'content-type': type }
    return app.inject({ method: 'PUT', url: `/api/events/${id}/image`, headers, payload })
  }
  const remove = (id: string, by: Visitor = organizer): Promise<Answer> =>
    app.inject({ method: 'DELETE', url: `/api/events/${id}/image`, headers: { authorization: by.authorization } })
  const imageOf = async (id: string) => (await get(app, `/api/events/${id}`)).json<{ image: unknown }>().image

  it('[E41] an event may say when its doors open and from which age; what makes no sense is refused', async () => {
    expect(await create()).toMatchObject({ doorsAt: null, ageMin: null })
    const startsAt = '2099-03-01T19:00:00.000Z'
    const doorsAt = '2099-03-01T18:00:00.000Z'
    const { id } = await create({ startsAt, doorsAt, ageMin: 16 })
    expect((await get(app, `/api/events/${id}`)).json()).toMatchObject({ doorsAt, ageMin: 16 })
    for (const wrong of [{ ageMin: -1 }, { ageMin: 121 }, { ageMin: 1.5 }, { doorsAt: '2099-03-01T19:00:00.001Z' }]) {
      const field = Object.keys(wrong)[0]
      const made = await post(app, organizer.authorization, shortEvent({ startsAt, ...wrong }))
      expect(expectError(made, 400, 'BAD_REQUEST').message).toContain(field)
      const edited = await patch(app, organizer.authorization, id, wrong)
      expect(expectError(edited, 400, 'BAD_REQUEST').message).toContain(field)
    }
    expect((await get(app, `/api/events/${id}`)).json()).toMatchObject({ doorsAt, ageMin: 16 })
    const edited = await patch(app, organizer.authorization, id, { doorsAt: null, ageMin: 0 })
    expect(edited.json()).toMatchObject({ doorsAt: null, ageMin: 0 })
  })

  it('[E42] a picture is served turned the right way up, small, and with nothing but its pixels', async () => {
    const { id } = await create()
    expect(await imageOf(id)).toBeNull()
    const answer = await put(id, await photo(2_400, 1_200).jpeg().toBuffer())
    expect(answer.statusCode, answer.body).toBe(200)
    const { image } = answer.json<{ image: { url: string; width: number; height: number } }>()
    expect(image).toMatchObject({ width: 800, height: 1_600 })
    expect(await imageOf(id)).toEqual(image)

    const served = await get(app, image.url)
    expect(served).toMatchObject({ statusCode: 200 })
    expect(served.headers).toMatchObject({ 'content-type': 'image/webp' })
    expect(served.headers['cache-control']).toContain('immutable')
    const facts = await sharp(served.rawPayload).metadata()
    expect(facts).toMatchObject({ format: 'webp', width: 800, height: 1_600 })
    expect([facts.exif, facts.icc, facts.xmp]).toEqual([undefined, undefined, undefined])
    expect(served.rawPayload.includes(COPYRIGHT)).toBe(false)
  })

  it('[E42] PNG and WebP are taken, too; another picture has another address, and none is left after it was taken away', async () => {
    const { id } = await create()
    const urls = new Set<string>()
    for (const [index, type] of (['png', 'webp'] as const).entries()) {
      const answer = await put(
        id,
        await photo(10 + index, 10)
          .toFormat(type)
          .toBuffer(),
        `image/${type}`,
      )
      expect(answer.statusCode, answer.body).toBe(200)
      urls.add(answer.json<{ image: { url: string } }>().image.url)
    }
    expect(urls.size).toBe(2)
    expect((await remove(id)).statusCode).toBe(204)
    expect((await remove(id)).statusCode).toBe(204)
    expect(await imageOf(id)).toBeNull()
    expectError(await get(app, `/images/${'0'.repeat(64)}.webp`), 404, 'NOT_FOUND')
  })

  it('[E42] what is no picture, too large, of another type or of a stranger is refused, and the picture stays', async () => {
    const { id } = await create()
    await put(id, await photo(20, 10).png().toBuffer(), 'image/png')
    const before = await imageOf(id)
    const picture = await photo(20, 20).jpeg().toBuffer()
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    )
    expectError(await put(id, drawing), 400, 'BAD_REQUEST')
    expectError(await put(id, picture.subarray(0, picture.length / 2)), 400, 'BAD_REQUEST')
    expectError(await put(id, Buffer.alloc(0)), 400, 'BAD_REQUEST')
    const flat = { width: 8_000, height: 8_000, channels: 3, background: 'black' } as const
    expectError(await put(id, await sharp({ create: flat }).png().toBuffer(), 'image/png'), 400, 'BAD_REQUEST')
    expectError(await put(id, Buffer.concat([picture, Buffer.alloc(5 * 1_048_576)])), 413, 'BODY_TOO_LARGE')
    expectError(await put(id, picture, 'image/gif'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await put(id, Buffer.from('{}'), 'application/json'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await put(id, picture, 'image/jpeg', buyer), 403, 'FORBIDDEN')
    expectError(await put(id, picture, 'image/jpeg', other), 403, 'FORBIDDEN')
    expectError(await remove(id, other), 403, 'FORBIDDEN')
    expect(await imageOf(id)).toEqual(before)
  })

  it('[E116] a picture says what it shows and what of it stays in view; both can be changed without sending it again', async () => {
    const { id } = (await post(app, organizer.authorization, shortEvent())).json<WireEvent>()
    const headers = { authorization: organizer.authorization }
    const url = `/api/events/${id}/image`
    const change = (payload: object) => app.inject({ method: 'PATCH', url, headers, payload })
    expectError(await change({ alt: 'Nothing yet' }), 404, 'NOT_FOUND')
    const payload = await photo(20, 10).png().toBuffer()
    const typed = { ...headers, 'content-type': 'image/png' }
    const query = new URLSearchParams({ alt: 'A <stage>', focusX: '10' })
    await app.inject({ method: 'PUT', url: `${url}?${query}`, headers: typed, payload })
    expect(await imageOf(id)).toMatchObject({ alt: 'A <stage>', focus: { x: 10, y: 50 } })
    expect((await change({ focus: { x: 90, y: 20 } })).statusCode).toBe(200)
    expect(await imageOf(id)).toMatchObject({ alt: 'A <stage>', focus: { x: 90, y: 20 } })
    expect((await get(app, `/events/${id}`)).body).toContain('look-x9 look-y2')
    expect((await get(app, `/events/${id}`)).body).toContain('alt="A &lt;stage&gt;"')
    for (const wrong of [{ focus: { x: 101, y: 0 } }, { alt: 'x'.repeat(301) }, { alt: 'a\u0000b' }, {}]) {
      expectError(await change(wrong), 400, 'BAD_REQUEST')
    }
    const foreign = {
      method: 'PATCH',
      url,
      headers: { authorization: other.authorization },
      payload: { alt: 'Mine' },
    } as const
    expectError(await app.inject(foreign), 403, 'FORBIDDEN')
  })
})
