import { inflateSync } from 'node:zlib'
import { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { measure } from '../../src/sandbox/media/source.ts'
import { paint } from '../../src/sandbox/image/picture.ts'
import { encodeJpeg, encodePng, encodeWebp } from '../../src/sandbox/image/render.ts'
import { openAiClient } from './openai-client.ts'
import { paidRequest } from './paid-request.ts'
import { bearer, dollar, startService, type Service } from './service-client.ts'

interface Answer {
  readonly status: number
  readonly field?: string
  readonly cost: number
  readonly created: number
  readonly model: string
  readonly data: { readonly url: string; readonly content_type: string }[]
}

let [b, a]: Service[] = []
let service: Service
beforeAll(async () => {
  ;[b, a] = await Promise.all([startService(), startService({ revision: 'A' })])
})
beforeEach(() => {
  service = b!
  service.control.setBalance(service.account.creditId, 10n * dollar)
})
afterAll(async () => {
  for (const each of [a, b]) await each?.[Symbol.asyncDispose]()
})

const model = 'sandbox/affresco-image'
async function ask(body: object, by = service): Promise<Answer> {
  const answer = await by.call('POST', '/v1/images/generations', { body, headers: bearer(by.account.apiKey) })
  return { ...(answer.body as unknown as Answer), status: answer.status }
}
async function fetched(url: string): Promise<{ bytes: Buffer; type: string | null }> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  return { bytes: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') }
}

describe('image files', () => {
  const picture = paint({ seed: 's', width: 300, height: 170, transparent: false })

  test.each([
    ['png', encodePng],
    ['jpeg', encodeJpeg],
    ['webp', encodeWebp],
  ] as const)('%s contains its size', (_, encode) => {
    expect(measure(encode(picture))).toEqual({ width: 300, height: 170 })
  })

  test('PNG has data for each line, with the stated number of bits', () => {
    const bytes = encodePng(picture)
    const at = bytes.indexOf('IDAT')
    expect(inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))).length).toBe(170 * 39)
  })

  test('JPEG has no marker within the scan, and has an end', () => {
    const bytes = encodeJpeg(picture)
    const scan = bytes.subarray(bytes.indexOf(Buffer.of(0xff, 0xda)) + 14, -2)
    for (let at = scan.indexOf(0xff); at >= 0; at = scan.indexOf(0xff, at + 1)) expect(scan[at + 1]).toBe(0)
    expect(bytes.subarray(-2)).toEqual(Buffer.of(0xff, 0xd9))
  })

  test('WebP has consistent lengths', () => {
    const bytes = encodeWebp(picture)
    expect([bytes.readUInt32LE(4), bytes.readUInt32LE(16) + (bytes.readUInt32LE(16) % 2)]).toEqual([
      bytes.length - 8,
      bytes.length - 20,
    ])
  })
})

test('an image has the fields of the specification, and a signed URL for 24 hours', async () => {
  const answer = await ask({ model, prompt: 'a lighthouse' })
  expect(answer).toEqual({
    status: 200,
    created: Math.floor(service.clock.now / 1000),
    model,
    cost: 0.0805,
    data: [
      {
        url: expect.stringMatching(/\/v1\/media\/gen_[A-Za-z0-9]+\/0\?sig=.+&exp=\d+$/) as string,
        content_type: 'image/png',
      },
    ],
  })
  const { url } = answer.data[0]!
  const { bytes, type } = await fetched(url)
  expect([type, measure(bytes)]).toEqual(['image/png', { width: 1024, height: 1024 }])
  expect((await fetch(url, { headers: { range: 'bytes=1-3' } })).status).toBe(206)
  expect((await fetch(url.replace(/sig=./, 'sig=!'))).status).toBe(403)
  expect((await fetch(url.replace(/\?.*/, ''))).status).toBe(403)
  const { now } = service.clock
  service.clock.now += 24 * 3_600_000
  expect((await fetch(url)).status).toBe(403)
  service.clock.now = now
})

test('the same prompt and seed give the same image, and others give another', async () => {
  const image = async (body: object) =>
    (await fetched((await ask({ model, quality: 'low', ...body })).data[0]!.url)).bytes.toString('base64')
  const first = await image({ prompt: 'a lighthouse', seed: 7 })
  expect(await image({ prompt: 'a lighthouse', seed: 7 })).toBe(first)
  expect(await image({ prompt: 'a lighthouse', seed: 8 })).not.toBe(first)
  expect(await image({ prompt: 'a windmill', seed: 7 })).not.toBe(first)
  expect(await image({ prompt: 'a lighthouse', seed: 7, negative_prompt: 'rain' })).not.toBe(first)
  expect(await image({ prompt: 'a lighthouse', seed: 7, image_url: 'https://example.org/a.png' })).not.toBe(
    first,
  )
})

test.each([
  [{ size: '16:9' }, { width: 1024, height: 576 }, 'image/png'],
  [{ aspect_ratio: '9:16', output_format: 'webp' }, { width: 576, height: 1024 }, 'image/webp'],
  [{ size: '1536x1024', output_format: 'jpeg' }, { width: 1536, height: 1024 }, 'image/jpeg'],
  [{ resolution: '2K', size: '1:1', output_format: 'webp' }, { width: 2048, height: 2048 }, 'image/webp'],
])('%j gives %j', async (asked, size, type) => {
  const [image] = (await ask({ model, prompt: 'x', ...asked })).data
  const { bytes, type: answered } = await fetched(image!.url)
  expect([measure(bytes), answered, image!.content_type]).toEqual([size, type, type])
})

test('the cost depends on count, quality and resolution, and is recorded', async () => {
  const costs = []
  for (const asked of [
    {},
    { n: 3 },
    { num_images: 2 },
    { quality: 'high' },
    { quality: 'low', resolution: '4K', n: 2 },
  ]) {
    const { cost, data } = await ask({ model, prompt: 'x', ...asked })
    costs.push([cost, data.length])
    expect(service.control.records().at(-1)).toMatchObject({
      model,
      type: 'image_generation',
      picoUsd: BigInt(Math.round(cost * 1e12)),
    })
  }
  expect(costs).toEqual([
    [0.0805, 1],
    [0.2415, 3],
    [0.161, 2],
    [0.20125, 1],
    [0.12075, 2],
  ])
  expect(service.control.unbalanced()).toEqual([])
})

test('an upscaler doubles the size, and a background is removed, both without a prompt', async () => {
  const [source] = (await ask({ model, prompt: 'a lighthouse', quality: 'low' })).data
  const large = await fetched(
    (await ask({ model: 'sandbox/lente-upscale', image_url: source!.url })).data[0]!.url,
  )
  expect(measure(large.bytes)).toEqual({ width: 1024, height: 1024 })
  const cut = await fetched(
    (
      await ask({
        model: 'sandbox/ritaglio-background',
        image_url: `data:image/png;base64,${(await fetched(source!.url)).bytes.toString('base64')}`,
      })
    ).data[0]!.url,
  )
  expect([measure(cut.bytes), cut.bytes.includes('tRNS')]).toEqual([{ width: 512, height: 512 }, true])
})

test.each([
  ['model', { prompt: 'x' }, 400],
  ['model', { model: 'no/such', prompt: 'x' }, 404],
  ['prompt', { model }, 400],
  ['prompt', { model, prompt: ' ' }, 400],
  ['prompt', { model, prompt: 'x'.repeat(4001) }, 400],
  ['n', { model, prompt: 'x', n: 0 }, 400],
  ['n', { model, prompt: 'x', n: 5 }, 400],
  ['n', { model, prompt: 'x', n: 1.5 }, 400],
  ['quality', { model, prompt: 'x', quality: 'ultra' }, 400],
  ['quality', { model: 'sandbox/bozzetto-image', prompt: 'x', quality: 'low' }, 400],
  ['size', { model, prompt: 'x', size: '5:1' }, 400],
  ['aspect_ratio', { model, prompt: 'x', aspect_ratio: '5:1' }, 400],
  ['resolution', { model, prompt: 'x', resolution: '8K' }, 400],
  ['output_format', { model, prompt: 'x', output_format: 'gif' }, 400],
  ['output_format', { model: 'sandbox/bozzetto-image', prompt: 'x', output_format: 'webp' }, 400],
  ['image_url', { model: 'sandbox/lente-upscale' }, 400],
  ['image_url', { model: 'sandbox/restauro-edit', prompt: 'x' }, 400],
  [
    'image_url',
    { model: 'sandbox/bozzetto-image', prompt: 'x', image_url: 'https://example.org/a.png' },
    400,
  ],
  ['image_url', { model, prompt: 'x', image_url: 'file:///etc/passwd' }, 400],
  ['image_url', { model, prompt: 'x', image_url: 'data:image/png;base64,AAAA' }, 400],
])(
  'a request with an invalid %s (%j) is refused with status %i, and nothing is debited',
  async (field, body, status) => {
    const before = service.control.records().length
    expect(await ask(body)).toMatchObject({ status, field })
    expect(service.control.records()).toHaveLength(before)
  },
)

test('Revision A allows one to ten images, without aliases, extra parameters or edits', async () => {
  service = a!
  expect((await ask({ model, prompt: 'x', quality: 'low', n: 10 })).data).toHaveLength(10)
  for (const [field, asked] of [
    ['n', { n: 11 }],
    ['num_images', { num_images: 2 }],
    ['aspect_ratio', { aspect_ratio: '1:1' }],
    ['resolution', { resolution: '1K' }],
    ['negative_prompt', { negative_prompt: 'y' }],
    ['output_format', { output_format: 'png' }],
  ] as const) {
    expect(await ask({ model, prompt: 'x', ...asked })).toMatchObject({ status: 400, field })
  }
  expect(await ask({ model: 'sandbox/lente-upscale', image_url: 'https://example.org/a.png' })).toMatchObject(
    { status: 400, field: 'prompt' },
  )
  expect((await a!.call('POST', '/v1/images/edits', { body: {} })).body).toBe('OOPS! - 404 Not Found')
})

test('OpenAI’s client generates and edits an image', async () => {
  const client = openAiClient(service)
  const result = await client.images.generate({
    model,
    prompt: 'a harbour',
    n: 1,
    size: '1024x1024',
    quality: 'low',
  })
  const { bytes } = await fetched(result.data![0]!.url!)
  const changed = await client.images.edit({
    model,
    prompt: 'at night',
    image: await toFile(bytes, 'harbour.png', { type: 'image/png' }),
    quality: 'low',
    n: 2,
  })
  expect(changed.data).toHaveLength(2)
  expect(service.control.records().at(-1)).toMatchObject({
    type: 'image_edit',
    picoUsd: 2n * 20_125_000_000n,
  })
  expect((await fetched(changed.data![0]!.url!)).bytes).not.toEqual(bytes)
})

test('an edit needs a form, an image and a prompt', async () => {
  const send = async (body: FormData | string) => {
    const answer = await fetch(`${service.sandbox.baseUrl}/v1/images/edits`, {
      method: 'POST',
      headers: bearer(service.account.apiKey),
      body,
    })
    return [answer.status, ((await answer.json()) as { field?: string }).field]
  }
  const form = (fields: Record<string, string | Blob>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    return data
  }
  const image = new Blob([encodePng(paint({ seed: '', width: 8, height: 8, transparent: false }))], {
    type: 'image/png',
  })
  expect(await send(form({ model, prompt: 'x', image }))).toEqual([200, undefined])
  expect(await send(form({ model, prompt: 'x' }))).toEqual([400, 'image'])
  expect(await send(form({ model, prompt: 'x', image: 'text' }))).toEqual([400, 'image'])
  expect(await send(form({ model, prompt: 'x', image: new Blob(['no image']) }))).toEqual([400, 'image'])
  expect(await send(form({ model, image }))).toEqual([400, 'prompt'])
  expect((await send('{}'))[0]).toBe(415)
})

test('generations and edits can be paid per request, without an account', async () => {
  const json = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'paid', quality: 'low' }),
  }
  const { challenged, answer } = await paidRequest(
    service,
    `${service.sandbox.baseUrl}/v1/images/generations`,
    json,
  )
  expect([
    challenged.headers.get('www-authenticate')?.includes('Sandbox Image: Sandbox Affresco Image'),
    answer.status,
  ]).toEqual([true, 200])
  const form =
    '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n' +
    model +
    '\r\n--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
  const body = Buffer.concat([
    Buffer.from(form),
    encodePng(paint({ seed: '', width: 8, height: 8, transparent: false })),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const edit = await paidRequest(service, `${service.sandbox.baseUrl}/v1/images/edits`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body,
  })
  expect(edit.answer.status).toBe(200)
  expect((await fetched(((await edit.answer.json()) as Answer).data[0]!.url)).type).toBe('image/png')
})

test('an empty balance gives status 402 without a challenge, because there is a key', async () => {
  service.control.setBalance(service.account.creditId, 0n)
  expect((await ask({ model, prompt: 'x' })).status).toBe(402)
})
