import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { VectorPage } from '../../src/shared/job-rows.ts'
import type { Job } from '../../src/shared/job.ts'
import type { Model } from '../../src/shared/model.ts'
import { usd } from './mock-data.ts'
import type { MockStudio } from './mock-studio.ts'

export const embeddingModels: readonly Model[] = [
  {
    id: 'sandbox/eco-embedding-small',
    name: 'Eco small',
    type: 'embedding',
    private: false,
    inputPerMillion: usd(0.022),
  },
  { id: 'sandbox/eco-embedding-large', name: 'Eco large', type: 'embedding', private: false },
]

/** Embeddings of the mock core: the vectors of each, with their labels. A test changes them. */
export interface MockEmbeddings {
  vectors: Map<string, { labels: string[]; vectors: number[][] }>
  /** Texts of the next embedding. */
  texts: string[]
}

export const someTexts = [
  'an otter swims',
  'a beaver swims',
  'the river is wide',
  'two lamps on a desk',
  'a desk of oak',
  'a lamp that is lit',
]

export function mockEmbeddings(): MockEmbeddings {
  return { vectors: new Map(), texts: [...someTexts] }
}

/** Texts of two distant kinds, about water and about rooms for example. */
export function vectorOf(text: string, at: number): number[] {
  const water = /otter|beaver|river/.test(text)
  return [water ? 1 : 0.1, water ? 0.1 : 1, ((at * 37) % 11) / 40, ((at * 53) % 7) / 40]
}

interface Around {
  readonly state: { studio: MockStudio; embeddings: MockEmbeddings }
  readonly refuse: (code: ErrorCode) => never
  readonly link: (jobId: string, index: number) => { path: string; expiresAt: number }
}

const RESULTS = 20_000

/** The embedding procedures of the mock core. */
export function createMockEmbeddings({ state: { studio, embeddings }, refuse, link }: Around) {
  const find = (id: string): Job => studio.jobs.find((each) => each.id === id) ?? refuse('studio/unknown')
  const is = (job: Job): boolean => job.ask.kind === 'embedding'

  return {
    /**
     * A started embedding has its texts and vectors at once, but its job reports them only when it is done.
     */
    begun(job: Job): Job {
      if (!is(job)) return job
      const { texts } = embeddings
      embeddings.vectors.set(job.id, { labels: texts, vectors: texts.map(vectorOf) })
      const done = studio.becomes === 'done'
      return studio.put({
        ...find(job.id),
        parts: { of: texts.length, done: done ? texts.length : 0 },
        ...(done && { vectors: { count: texts.length, dimensions: 4 } }),
      })
    },
    pause: (jobId: string): Job | undefined =>
      is(find(jobId)) && find(jobId).may.includes('pause')
        ? studio.put({ ...find(jobId), state: 'paused' })
        : undefined,
    vectors({ jobId, from, limit }: { jobId: string; from: number; limit: number }): VectorPage {
      find(jobId)
      const { labels, vectors } = embeddings.vectors.get(jobId) ?? refuse('studio/unknown')
      const page = Float32Array.from(vectors.slice(from, from + limit).flat())
      return {
        total: labels.length,
        dimensions: vectors[0]?.length ?? 0,
        labels: labels.slice(from, from + limit),
        vectors: Buffer.from(page.buffer).toString('base64'),
      }
    },
    results(jobId: string, format: string) {
      if (!is(find(jobId))) return undefined
      const bytes = Buffer.from(`${format} of ${String(embeddings.vectors.get(jobId)?.labels.length ?? 0)}\n`)
      const name = `embedding.${format}`
      studio.files.set(`${jobId}/${String(RESULTS)}`, {
        file: { index: RESULTS, role: 'made', name, type: 'application/octet-stream', bytes: bytes.length },
        bytes,
      })
      return { ...link(jobId, RESULTS), name }
    },
  }
}
