import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multipartBody, type UploadFile } from '../../../../src/core/gateway/service/http/multipart.ts'
import type { RequestBody } from '../../../../src/core/gateway/service/http/perform.ts'
import { createOutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { account, bytesOf, codeOf, passed, upload } from './scripted.ts'

/** The largest audio file that the service accepts (specification, Limits). */
const MAX_AUDIO_BYTES = 25_000_000
const BOUNDARY = 'sotto-0123456789abcdef'

async function written(body: RequestBody): Promise<Buffer> {
  if (typeof body.content === 'string') throw new Error('it is iterated')
  return bytesOf(body.content)
}
/** Reads the form with a parser that isn't Sotto's. */
async function readBack(body: RequestBody, bytes: Uint8Array): Promise<FormData> {
  // oxlint-disable-next-line typescript/no-deprecated -- a small form, in a test
  return new Response(Buffer.from(bytes), { headers: { 'content-type': body.contentType } }).formData()
}

describe('multipartBody', () => {
  it('writes RFC 7578, byte for byte', async () => {
    const body = multipartBody({
      fields: [
        ['model', 'm'],
        ['prompt', 'é\r\nx'],
      ],
      files: [{ field: 'file', upload: upload('a.mp3', 'BYTES') }],
      boundary: BOUNDARY,
    })
    expect(body.contentType).toBe(`multipart/form-data; boundary=${BOUNDARY}`)
    const bytes = await written(body)
    expect(bytes.toString('utf8')).toBe(
      [
        `--${BOUNDARY}`,
        'content-disposition: form-data; name="model"',
        '',
        'm',
        `--${BOUNDARY}`,
        'content-disposition: form-data; name="prompt"',
        '',
        'é\r\nx',
        `--${BOUNDARY}`,
        'content-disposition: form-data; name="file"; filename="a.mp3"',
        'content-type: audio/mpeg',
        '',
        'BYTES',
        `--${BOUNDARY}--`,
        '',
      ].join('\r\n'),
    )
    expect(body.length).toBe(bytes.length)
  })

  it('writes each file as its own part', async () => {
    const body = multipartBody({
      fields: [
        ['n', '1'],
        ['parts[]', 'a'],
        ['parts[]', 'b'],
      ],
      files: [
        { field: 'image[]', upload: upload('a.png', 'A', 'image/png') },
        { field: 'image[]', upload: upload('b.png', 'BB', 'image/png') },
      ],
    })
    const bytes = await written(body)
    expect(bytes.length).toBe(body.length)
    const form = await readBack(body, bytes)
    expect([...form.keys()]).toEqual(['n', 'parts[]', 'parts[]', 'image[]', 'image[]'])
    expect(await Promise.all(form.getAll('image[]').map((file) => (file as File).text()))).toEqual([
      'A',
      'BB',
    ])
  })

  it.each(['a"b', 'a\r\nb', 'a b', 'a[b', '', 'x'.repeat(80), 'é'])(
    'refuses a field name that could end its quotes: %j',
    (name) => {
      expect(() => multipartBody({ fields: [[name, 'x']], files: [] })).toThrow(
        expect.objectContaining({ code: 'request/invalid' }),
      )
      expect(() =>
        multipartBody({ fields: [], files: [{ field: name, upload: upload('a.png', 'x', 'image/png') }] }),
      ).toThrow(expect.objectContaining({ code: 'request/invalid' }))
    },
  )

  it('writes any values and bytes so that they parse back unchanged', async () => {
    const text = fc.string({ maxLength: 60 }).map((value) => value.toWellFormed())
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ minLength: 1, maxLength: 40 }),
        async (prompt, content, name) => {
          const body = multipartBody({
            fields: [['prompt', prompt]],
            files: [
              {
                field: 'file',
                upload: { name, type: 'audio/wav', size: content.length, content: once(content) },
              },
            ],
          })
          const bytes = await written(body)
          expect(bytes.length).toBe(body.length)
          const form = await readBack(body, bytes)
          expect([...form.keys()]).toEqual(['prompt', 'file'])
          expect(form.get('prompt')).toBe(prompt)
          expect(Buffer.from(await (form.get('file') as File).arrayBuffer())).toEqual(Buffer.from(content))
        },
      ),
    )
  })

  it.each([
    'a".mp3',
    'a"\r\nx-evil: 1\r\n\r\n.mp3',
    'a\r\n.mp3',
    '..\\..\\evil.mp3',
    '/etc/passwd.mp3',
    'a\u0000b.mp3',
    'a\u2028b.mp3',
    '\ud800.mp3',
    'ü"; name="model.mp3',
    'x'.repeat(5000),
  ])('escapes a file name so that it ends neither its quotes nor its line: %j', async (name) => {
    const body = multipartBody({
      fields: [],
      files: [{ field: 'file', upload: upload(name, 'x') }],
      boundary: BOUNDARY,
    })
    const lines = (await written(body)).toString('utf8').split('\r\n')
    expect(lines).toHaveLength(7)
    expect(lines[1]).toMatch(/^content-disposition: form-data; name="file"; filename="[^"\r\n/\\]{1,600}"$/)
  })

  it.each(['audio/mpeg\r\nx: y', 'audio', '', 'audio/mpeg; a=b', 'audio/ mpeg'])(
    'refuses an invalid media type: %j',
    (type) => {
      expect(() =>
        multipartBody({ fields: [], files: [{ field: 'file', upload: upload('a.mp3', 'x', type) }] }),
      ).toThrow(expect.objectContaining({ code: 'request/invalid' }))
    },
  )
  it('refuses a value that contains the boundary, and generates a new boundary each time', () => {
    const files = [{ field: 'file', upload: upload('a.mp3', 'x') }]
    expect(() =>
      multipartBody({ fields: [['prompt', `x--${BOUNDARY}`]], files, boundary: BOUNDARY }),
    ).toThrow(expect.objectContaining({ code: 'request/invalid' }))
    for (const boundary of ['short', 'with space 0123456789', 'x'.repeat(71), 'quote"0123456789abcdef'])
      expect(() => multipartBody({ fields: [], files, boundary })).toThrow(
        expect.objectContaining({ code: 'proxy/internal' }),
      )
    expect(multipartBody({ fields: [], files }).contentType).not.toBe(
      multipartBody({ fields: [], files }).contentType,
    )
  })

  it('passes chunks on without copying them', async () => {
    const chunks = [Buffer.alloc(10, 'a'), Buffer.alloc(10, 'b')]
    const body = multipartBody({
      fields: [],
      files: [
        { field: 'file', upload: { name: 'a.mp3', type: 'audio/mpeg', size: 20, content: all(chunks) } },
      ],
    })
    const out = typeof body.content === 'string' ? [] : await Array.fromAsync(body.content)
    expect(out.slice(1, -2).map((chunk, at) => chunk === chunks[at])).toEqual([true, true])
  })

  it.each([
    ['grew', 9],
    ['shrank', 11],
  ])('refuses a file that %s while it was sent', async (_name, size) => {
    expect(
      await codeOf(
        written(
          multipartBody({
            fields: [],
            files: [{ field: 'file', upload: upload('a.mp3', '0123456789', 'audio/mpeg', size) }],
          }),
        ),
      ),
    ).toBe('request/invalid')
  })
})

describe('a transcription file', () => {
  it('of 25 MB is streamed in constant memory, and reports its progress', async () => {
    const hash = createHash('sha256')
    let pieces = 0
    let received = 0
    let announced: string | undefined
    const server = createServer((request, response) => {
      announced = request.headers['content-length']
      request
        .on('data', (chunk: Buffer) => {
          received += chunk.length
          hash.update(chunk)
        })
        .on('end', () => response.setHeader('content-type', 'application/json').end('{"text":"heard"}'))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const network = createOutboundFetch({})
    try {
      const piece = Buffer.alloc(50_000, 'x')
      const progress: number[] = []
      const file: UploadFile = {
        name: 'long.wav',
        type: 'audio/wav',
        size: MAX_AUDIO_BYTES,
        content: lazily(piece, MAX_AUDIO_BYTES / piece.length, () => {
          pieces++
          // Bytes that were read but not yet sent: a few buffers, never the file.
          expect(pieces * piece.length - received).toBeLessThan(MAX_AUDIO_BYTES / 2)
        }),
      }
      const access = {
        ...account,
        baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      }
      const body = multipartBody({
        fields: [],
        files: [{ field: 'file', upload: file }],
        onProgress: (sent) => void progress.push(sent),
      })
      expect(
        await passed({ fetch: network.fetch, access: () => access }, 'audio/transcriptions', {
          method: 'POST',
          body,
        }),
      ).toEqual(['application/json', 16, '{"text":"heard"}'])
      expect(String(received)).toBe(announced)
      expect(pieces).toBe(500)
      expect([progress.length, progress[0], progress.at(-1)]).toEqual([500, 50_000, MAX_AUDIO_BYTES])
    } finally {
      await network.close()
      server.closeAllConnections()
      server.close()
    }
  })
  it('is refused if its size changes while it is sent, also over the network', async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end()))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const network = createOutboundFetch({})
    const access = {
      ...account,
      baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    }
    expect(
      await codeOf(
        passed({ fetch: network.fetch, access: () => access }, 'audio/transcriptions', {
          method: 'POST',
          body: multipartBody({
            fields: [],
            files: [{ field: 'file', upload: upload('a.mp3', 'x'.repeat(100), 'audio/mpeg', 99) }],
          }),
        }),
      ),
    ).toBe('request/invalid')
    await network.close()
    server.closeAllConnections()
    server.close()
  })
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
async function* all(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}
async function* lazily(piece: Uint8Array, times: number, note: () => void): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < times; n++) {
    note()
    yield await Promise.resolve(piece)
  }
}
