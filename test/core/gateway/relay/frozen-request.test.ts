import { describe, expect, it } from 'vitest'
import { freeze, isPayable } from '../../../../src/core/gateway/relay/frozen-request.ts'
import type { PlaintextListings } from '../../../../src/core/gateway/relay/plaintext-listings.ts'
import { SkippedEntries, type PayableAsk } from '../../../../src/core/gateway/relay/index.ts'
import { createPlaintextListings } from '../../../../src/core/gateway/relay/plaintext-listings.ts'
import { scripted } from '../service/scripted.ts'

const MODELS = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: { data: [{ id: 'maker/picture', type: 'image', pricing: { base_price: 0.02 } }] },
}
const ENDPOINTS = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: [{ path: '/v1/data/api/maps/place-details/full', method: 'GET', price: 0.01 }],
}
const listings = (
  ...answers: Parameters<typeof scripted>[0]
): { listings: PlaintextListings; sent: unknown[] } => {
  const { service, sent } = scripted(answers)
  return { listings: createPlaintextListings(service, new SkippedEntries(), () => 0), sent }
}
const access = { baseUrl: 'https://api.service.example', revision: 'B' } as const
const picture = (body: object): PayableAsk => ({
  endpoint: 'images/generations',
  body: { model: 'maker/picture', ...body },
})
const edit = (
  content: string,
  name = 'a.png',
  fields: [string, string][] = [['model', 'maker/picture']],
): PayableAsk => ({
  endpoint: 'images/edits',
  form: {
    fields,
    files: [
      {
        field: 'image',
        upload: { name, type: 'image/png', size: Buffer.byteLength(content), content: pieces(content) },
      },
    ],
  },
})
async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}

describe('a frozen request', () => {
  it('is serialized again as JSON, with its price', async () => {
    const { request, plan, subject } = await freeze(
      picture({ prompt: 'é' }),
      listings(MODELS).listings,
      access,
    )
    expect({ ...request, body: Buffer.from(request.body).toString() }).toEqual({
      endpoint: 'images/generations',
      method: 'POST',
      path: '/v1/images/generations',
      contentType: 'application/json',
      body: '{"model":"maker/picture","prompt":"é"}',
    })
    expect([plan.estimate, subject]).toEqual([
      { least: 20_000_000_000n, most: 20_000_000_000n },
      'maker/picture',
    ])
  })

  it('for GET has its encoded query in its path, and no body', async () => {
    const { request } = await freeze(
      {
        endpoint: 'data',
        method: 'GET',
        path: '/api/maps/place-details/full',
        input: { placeId: 'a b&c=d/../#é' },
      },
      listings(ENDPOINTS).listings,
      access,
    )
    expect(request).toEqual({
      endpoint: 'data',
      method: 'GET',
      path: '/v1/data/api/maps/place-details/full?placeId=a+b%26c%3Dd%2F..%2F%23%C3%A9',
      body: new Uint8Array(0),
    })
  })

  it('for a form has the same bytes for the same form, and other bytes for any other form', async () => {
    const bytes = async (ask: PayableAsk): Promise<string> => {
      const { request } = await freeze(ask, listings(MODELS).listings, access)
      return `${request.contentType ?? ''}\n${Buffer.from(request.body).toString()}`
    }
    const one = await bytes(edit('otter'))
    expect(await bytes(edit('otter'))).toBe(one)
    for (const other of [
      edit('Otter'),
      edit('otter', 'b.png'),
      edit('otter', 'a.png', [
        ['model', 'maker/picture'],
        ['n', '1'],
      ]),
    ])
      expect(await bytes(other)).not.toBe(one)
    // The content of a file can't end a part, because the boundary depends on all content of the form.
    const boundary = /boundary=(\S+)/.exec(one)![1]!
    const hostile = await bytes(
      edit(
        `\r\n--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nprivate/x\r\n--${boundary}--`,
      ),
    )
    expect(hostile.split('\n')[0]).not.toContain(boundary)
  })

  it.each<[string, PayableAsk]>([
    ['a private model', { endpoint: 'images/generations', body: { model: 'private/x' } }],
    ['one in disguise', { endpoint: 'videos', body: { model: 'PRIVATE%2Fx' } }],
    ['one beside another', picture({ fallback_models: ['private/x'] })],
    ['one in a form', edit('x', 'a.png', [['model', 'private/x']])],
    [
      'one in another field of a form',
      edit('x', 'a.png', [
        ['model', 'maker/picture'],
        ['other_model', 'private/x'],
      ]),
    ],
    [
      'one in a query',
      {
        endpoint: 'data',
        method: 'GET',
        path: '/api/maps/place-details/full',
        input: { model: 'private/x' },
      },
    ],
  ])('is never created from %s, and nothing is sent for it', async (_what, ask) => {
    const { listings: ownListings, sent } = listings(MODELS)
    await expect(freeze(ask, ownListings, access)).rejects.toMatchObject({ code: 'privacy/path' })
    expect(sent).toEqual([])
  })

  it('is created only from listed models and endpoints that the revision has', async () => {
    await expect(
      freeze(
        { endpoint: 'images/generations', body: { model: 'maker/other' } },
        listings(MODELS, MODELS).listings,
        access,
      ),
    ).rejects.toMatchObject({ code: 'model/unknown' })
    await expect(
      freeze(
        { endpoint: 'data', method: 'GET', path: '/api/none', input: {} },
        listings(ENDPOINTS, ENDPOINTS).listings,
        access,
      ),
    ).rejects.toMatchObject({ code: 'proxy/path-unknown' })
    await expect(
      freeze(edit('x'), listings(MODELS).listings, { ...access, revision: 'A' }),
    ).rejects.toMatchObject({ code: 'service/not-offered' })
  })

  it('is possible only for endpoints that the service sells per request', () => {
    expect(isPayable(picture({}))).toBe(true)
    expect(isPayable({ endpoint: 'embeddings', body: {} })).toBe(false)
    expect(isPayable({ endpoint: 'audio/speech', body: {} })).toBe(false)
  })
})
