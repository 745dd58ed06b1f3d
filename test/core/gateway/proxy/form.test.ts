import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForm, type FormRules, type ReadForm } from '../../../../src/core/gateway/proxy/form.ts'
import type { Spool } from '../../../../src/core/storage/spool.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

const BOUNDARY = 'a-boundary-of-the-caller'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const rules: FormRules = { files: ['file', 'image[]'], mostFiles: 3 }
const MIB = 1024 * 1024

interface Watched extends Spool {
  open(): ReturnType<Spool['open']>
  /** Files that are not discarded. */
  fileCount: number
  /** The most bytes that were given to it at once. */
  largest: number
}

function memorySpool(fails?: 'open' | 'write'): Watched {
  const spool: Watched = {
    fileCount: 0,
    largest: 0,
    open: () => {
      if (fails === 'open') return Promise.reject(new SottoError('store/unwritable'))
      const pieces: Uint8Array[] = []
      spool.fileCount += 1
      return Promise.resolve({
        write: (chunk) => {
          if (fails === 'write') return Promise.reject(new SottoError('store/unwritable'))
          spool.largest = Math.max(spool.largest, chunk.byteLength)
          pieces.push(Uint8Array.from(chunk))
          return Promise.resolve()
        },
        get size() {
          return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
        },
        read: () => each(pieces),
        discard: () => {
          spool.fileCount -= 1
          return Promise.resolve()
        },
      })
    },
  }
  return spool
}

async function* each(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece)
}

interface Part {
  readonly head: string
  readonly content: string | Uint8Array
}
const field = (name: string, content: string): Part => ({
  head: `content-disposition: form-data; name="${name}"`,
  content,
})
const file = (name: string, content: string | Uint8Array, fileName = 'a.wav', type = 'audio/wav'): Part => ({
  head: `content-disposition: form-data; name="${name}"; filename="${fileName}"\r\ncontent-type: ${type}`,
  content,
})
const written = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])

/** Cut where a network might cut it. */
function cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  return each(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    ),
  )
}

function read(bytes: Buffer, spool: Spool = memorySpool(), size = 1000): Promise<ReadForm> {
  return readForm(cut(bytes, size), TYPE, rules, spool)
}

async function contentOf({ files }: ReadForm): Promise<string[]> {
  return Promise.all(
    files.map(async ({ upload }) => Buffer.concat(await Array.fromAsync(upload.content)).toString('latin1')),
  )
}

async function refused(work: Promise<unknown>, code: string, spool?: Watched): Promise<SottoError> {
  const failure = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(failure).toBeInstanceOf(SottoError)
  expect((failure as SottoError).code).toBe(code)
  if (spool) expect(spool.fileCount).toBe(0)
  return failure as SottoError
}

describe('a form', () => {
  it.each([[1], [7], [100_000]])(
    'is parsed completely, with its parts in any order, in chunks of %i bytes',
    async (size) => {
      const spool = memorySpool()
      const form = await read(
        written(
          file('file', 'BYTES\r\n--almost', 'tune.wav'),
          field('model', 'a/model'),
          field('parts[]', '1'),
          field('parts[]', '2'),
          field('prompt', 'naïve ☺'),
        ),
        spool,
        size,
      )
      expect(form.fields).toEqual([
        ['model', 'a/model'],
        ['parts[]', '1'],
        ['parts[]', '2'],
        ['prompt', 'naïve ☺'],
      ])
      expect(form.files).toMatchObject([
        { field: 'file', upload: { name: 'tune.wav', type: 'audio/wav', size: 15 } },
      ])
      expect(await contentOf(form)).toEqual(['BYTES\r\n--almost'])
      expect(spool.fileCount).toBe(1)
      await form[Symbol.asyncDispose]()
      expect(spool.fileCount).toBe(0)
    },
  )

  it('is the same however it’s split, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.stringMatching(/^[ -~]{0,40}$/),
        fc.integer({ min: 1, max: 300 }),
        async (content, prompt, size) => {
          const form = await read(
            written(field('prompt', prompt), file('file', content)),
            memorySpool(),
            size,
          )
          expect(form.fields).toEqual([['prompt', prompt]])
          expect(await contentOf(form)).toEqual([Buffer.from(content).toString('latin1')])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('of arbitrary bytes is parsed or refused with a code, and leaves no file behind', async () => {
    const token = fc.constantFrom(
      `--${BOUNDARY}`,
      '\r\n',
      '--',
      'content-disposition: form-data; name="model"',
      '; filename="x"',
      'content-type: application/octet-stream',
      'content-transfer-encoding: base64',
      ':',
      '"',
      '\u0000',
      'private/x',
      'x'.repeat(9000),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (tokens, size) => {
          const spool = memorySpool()
          const form = await read(Buffer.from(`--${BOUNDARY}\r\n${tokens.join('')}`), spool, size).catch(
            (thrown: unknown) => thrown,
          )
          if (form instanceof SottoError) expect(form.code).toMatch(/^proxy\//)
          else await (form as ReadForm)[Symbol.asyncDispose]()
          expect(spool.fileCount).toBe(0)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a form is refused', () => {
  it.each([
    ['twice', 'model', 'model'],
    ['in two cases', 'model', 'Model'],
    ['as a list with an index', 'model[0]', 'model[0]'],
  ])('if it names a field %s', async (_how, one, other) => {
    const spool = memorySpool()
    await refused(
      read(written(field(one, 'a'), file('file', 'x'), field(other, 'private/x')), spool),
      'proxy/duplicate-member',
      spool,
    )
  })
  it('if it has a field with the name of a file, or a file twice', async () => {
    await refused(read(written(field('file', 'x'), file('file', 'x'))), 'proxy/duplicate-member')
    await refused(read(written(file('file', 'x'), file('file', 'y'))), 'proxy/duplicate-member')
  })
  it.each([['model'], ['other'], ['image']])('if it has an unexpected file: %s', async (name) => {
    const spool = memorySpool()
    expect(
      (
        await refused(
          read(written(file('file', 'x'), file(name, 'private/x')), spool),
          'proxy/invalid-request',
          spool,
        )
      ).details.param,
    ).toBe(name)
  })
  it.each([
    ['no name', { head: 'content-disposition: form-data', content: 'x' }],
    ['an empty name', field('', 'x')],
    ['a name with spaces', field(' model', 'x')],
    ['a name with a zero-width space', field('mo\u200bdel', 'x')],
    [
      'an encoding',
      {
        head: 'content-disposition: form-data; name="model"\r\ncontent-transfer-encoding: base64',
        content: 'cHJpdmF0ZS94',
      },
    ],
    ['a field of more than 1 MiB', field('prompt', 'x'.repeat(MIB + 1))],
  ])('if a part has %s', async (_what, part) => {
    await refused(read(written(part), memorySpool(), 100_000), 'proxy/malformed-form')
  })
  it.each([
    ['fields', Array.from({ length: 101 }, (_, at) => field(`f${String(at)}`, 'x'))],
    ['files', Array.from({ length: 4 }, () => file('image[]', 'x'))],
  ])('if it has too many %s', async (_what, parts) => {
    const spool = memorySpool()
    await refused(read(written(...parts), spool), 'proxy/malformed-form', spool)
  })
  it('if a file is larger than 25 MB', async () => {
    const spool = memorySpool()
    await refused(
      read(written(file('file', Buffer.alloc(25 * MIB + 1))), spool, MIB),
      'proxy/file-too-large',
      spool,
    )
    const form = await read(written(file('file', Buffer.alloc(25 * MIB))), spool, MIB)
    expect(form.files[0]?.upload.size).toBe(25 * MIB)
    // In pieces, never whole.
    expect(spool.largest).toBeLessThanOrEqual(MIB)
  })
  it.each(['proxy/body-too-large', 'proxy/busy'] as const)(
    'if its body is refused during the upload: %s',
    async (code) => {
      const spool = memorySpool()
      async function* limited(): AsyncGenerator<Uint8Array> {
        yield* cut(written(file('file', Buffer.alloc(100_000))).subarray(0, 50_000), 10_000)
        throw new SottoError(code)
      }
      await refused(readForm(limited(), TYPE, rules, spool), code, spool)
    },
  )
  it.each([
    ['inside a file', -40],
    ['before its last line', -6],
    ['inside a head', 60],
  ])('if it ends %s', async (_where, at) => {
    const spool = memorySpool()
    await refused(
      read(written(file('file', 'some bytes that are long enough'), field('a', 'b')).subarray(0, at), spool),
      'proxy/malformed-form',
      spool,
    )
  })
  it('if it isn’t multipart or has no boundary', async () => {
    await refused(read(Buffer.from('{"model":"x"}')), 'proxy/malformed-form')
    await refused(read(Buffer.alloc(0)), 'proxy/malformed-form')
    await refused(
      readForm(cut(written(field('a', 'b')), 10), 'multipart/form-data', rules, memorySpool()),
      'proxy/malformed-form',
    )
  })
  it.each(['open', 'write'] as const)('if its file can’t be saved: %s', async (fails) => {
    const spool = memorySpool(fails)
    await refused(
      read(written(file('file', Buffer.alloc(300_000)), field('model', 'x')), spool),
      'store/unwritable',
      spool,
    )
  })
  it('if its caller disconnects', async () => {
    const spool = memorySpool()
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* cut(written(file('file', Buffer.alloc(100_000))).subarray(0, 50_000), 10_000)
      throw new Error('aborted')
    }
    await refused(readForm(broken(), TYPE, rules, spool), 'request/canceled', spool)
  })
})
