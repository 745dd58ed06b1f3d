import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSpool } from '../../../src/core/storage/spool.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { createJobs, type StudioService } from '../../../src/core/jobs/index.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { KEY } from '../storage/examples.ts'

const payer = {
  get: () => null,
  decline: () => {
    throw new Error('nothing is paid')
  },
  pay: () => Promise.reject(new Error('nothing is paid')),
  retry: () => Promise.reject(new Error('nothing is paid')),
  settled: () => Promise.reject(new Error('nothing is paid')),
  changes: async function* () {
    yield* await Promise.resolve([])
  },
}

async function* bytes(content: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(content))
}

it('a batch that its owner has go on before the start has looked at it goes on, and is done', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-batch-'))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const store = createStore({ folder: null, key: KEY, now: Date.now })
  const spool = createSpool(join(folder, 'spool'))
  let asked = 0
  const answering = (open: StudioService['open']): ReturnType<typeof createJobs> =>
    createJobs({
      store,
      spool,
      payer,
      removeMetadata: (image) => image,
      now: Date.now,
      service: {
        revision: 'B',
        accountId: () => 'account',
        open,
        quote: () => Promise.reject(new Error('not here')),
        estimate: () => Promise.resolve('unknown'),
        look: () => Promise.reject(new Error('not here')),
        fetchOwn: () => Promise.reject(new Error('not here')),
        history: () => Promise.resolve({ records: [], pages: 1 }),
      },
    })

  const first = answering(() => Promise.reject(new SottoError('service/insufficient-balance')))
  const content = Buffer.from('who\nan otter\na beaver\n')
  const { uploadId, path } = first.uploads.begin('given', content.length, content.length)
  await first.uploads.receive(path.slice('/upload/'.length), bytes(content.toString()))
  const { id } = await first.start({
    ask: {
      kind: 'batch',
      method: 'POST',
      path: '/api/people/people-search',
      file: { uploadId },
      columns: { who: { column: 0, as: 'text' } },
      header: true,
      concurrency: 1,
    },
    pay: 'balance',
    caller: { kind: 'window' },
    signal: new AbortController().signal,
  })
  await expect
    .poll(() => first.jobs.of(id))
    .toMatchObject({ state: 'paused', failure: { code: 'service/insufficient-balance' } })
  await first[Symbol.asyncDispose]()

  const second = closing.use(
    answering(() => {
      asked += 1
      return Promise.resolve({
        privacy: 'forwarded',
        receiptId: 'r',
        timing: { addedMs: 0, proofMs: 0, sealMs: 0, upstreamMs: 0 },
        receipt: () => undefined,
        status: 200,
        contentType: 'application/json',
        body: bytes('{}'),
      })
    }),
  )
  second.resumeAll()
  expect(second.resume(id).state).toBe('sending')
  await expect.poll(() => second.jobs.of(id)).toMatchObject({ state: 'done', rows: { done: 2 } })
  expect(asked).toBe(2)
})
