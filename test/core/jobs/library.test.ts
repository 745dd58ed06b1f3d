import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import type { Job, PayWay } from '../../../src/shared/job.ts'
import {
  at,
  BRUSH,
  bytesOf,
  codeOf,
  make,
  startStudioWorld,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'

const ask = { kind: 'image', model: BRUSH, prompt: 'an otter', n: 2 }

describe.each(['balance', 'single'] as const)('the library, %s', (pay: PayWay) => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld('B', pay, {
      vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  const sealed = (): number => readdirSync(join(world.folder, 'profiles', 'sandbox', 'delivered')).length
  const ids = async (): Promise<string[]> =>
    ((await world.call('studio/list', {})) as { jobs: Job[] }).jobs.map(({ id }) => id)

  it('saves no file twice, reports its usage, and deletes for good if the removal isn’t undone', async () => {
    const job = await make(world, ask)
    // The answer and two images: what the payer delivered is named by both, and there once.
    expect(sealed()).toBe(3)
    const usage = (await world.call('studio/usage')) as {
      kind: string
      jobs: number
      files: number
      bytes: number
    }[]
    expect(usage.find(({ kind }) => kind === 'image')).toEqual({
      kind: 'image',
      jobs: 1,
      files: 3,
      bytes: job.files.reduce((sum, { bytes }) => sum + bytes, 0),
    })

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      expect(await world.call('studio/remove', { jobIds: [job.id, 'none'] })).toEqual({
        removed: [job.id],
        undoMs: 30_000,
      })
      expect(await ids()).toEqual([])
      expect(codeOf(await world.call('studio/get', { jobId: job.id }))).toBe('studio/unknown')
      expect(await world.call('studio/restore', { jobIds: [job.id] })).toMatchObject([{ id: job.id }])
      expect(await ids()).toEqual([job.id])
      await world.call('studio/remove', { jobIds: [job.id] })
      await vi.advanceTimersByTimeAsync(30_000)
    } finally {
      vi.useRealTimers()
    }
    await expect.poll(sealed).toBe(0)
    expect(await world.call('studio/restore', { jobIds: [job.id] })).toEqual([])
    expect(await ids()).toEqual([])
  })

  it('is exported as a folder, with the request, the cost and the receipt', async () => {
    const job = await make(world, ask)
    const { path, name } = (await world.call('studio/export', { jobIds: [job.id] })) as {
      path: string
      name: string
    }
    expect(name).toMatch(/^sotto-library-\d{4}-\d{2}-\d{2}\.zip$/)
    const response = await at(world, path)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString()) as {
      jobs: { folder: string; ask: object; receipt: object; files: { file: string }[] }[]
    }
    expect(manifest.jobs).toMatchObject([
      {
        id: job.id,
        ask,
        receipt: { model: BRUSH, privacy: 'forwarded' },
        ...(pay === 'balance' ? { cost: '23000000000' } : { paidMsat: job.paidMsat }),
      },
    ])
    const { folder, files: listed } = manifest.jobs[0]!
    expect(folder).toMatch(/^\d{4}-\d{2}-\d{2}-an-otter-/)
    expect(Object.keys(files)).toEqual(['manifest.json', ...listed.map(({ file }) => `${folder}/${file}`)])
    expect(Buffer.from(files[`${folder}/1-an-otter-1.png`]!).equals(await bytesOf(world, job.id, 1))).toBe(
      true,
    )
    expect(codeOf(await world.call('studio/export', { jobIds: ['none'] }))).toBe('studio/unknown')
  })

  if (pay === 'balance')
    it('is exported with the results of batches and embeddings', async () => {
      const batch = await make(world, {
        kind: 'batch',
        method: 'POST',
        path: '/api/people/people-search',
        file: await uploaded(world, 'otters.csv', Buffer.from('who\nAda Otter\nBea Beaver\n')),
        columns: { q_keywords: { column: 0 } },
      })
      const embedding = await make(world, {
        kind: 'embedding',
        model: 'sandbox/eco-embedding-small',
        source: { form: 'lines', file: await uploaded(world, 'texts.txt', Buffer.from('an otter\na lamp')) },
      })
      const { path } = (await world.call('studio/export', { jobIds: [batch.id, embedding.id] })) as {
        path: string
      }
      const files = unzipSync(new Uint8Array(await (await at(world, path)).arrayBuffer()))
      const { jobs } = JSON.parse(Buffer.from(files['manifest.json']!).toString()) as {
        jobs: { folder: string; results: { file: string }[] }[]
      }
      const fetched = (from: string) => at(world, from)
      const read = (place: number, ending: string) => {
        const { folder, results } = jobs[place]!
        return Buffer.from(
          files[`${folder}/${results.find(({ file }) => file.endsWith(ending))!.file}`]!,
        ).toString()
      }
      for (const [place, id, ending] of [
        [0, batch.id, 'csv'],
        [0, batch.id, 'json'],
        [1, embedding.id, 'csv'],
      ] as const) {
        const same = (await world.call('studio/results', { jobId: id, format: ending })) as { path: string }
        expect(read(place, ending)).toBe(await (await fetched(same.path)).text())
        expect(read(place, ending)).toContain(place === 0 ? 'Ada Otter' : 'an otter')
      }
      expect(jobs.map(({ results }) => results.length)).toEqual([2, 1])
    }, 60_000)
})
