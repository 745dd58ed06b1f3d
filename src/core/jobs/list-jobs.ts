import type { JobKind } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import { fold } from '../../shared/text-index/fold.ts'
import type { Store } from '../storage/index.ts'
import { modelOf, wordsOf } from './names.ts'

const PAGE = 200

/**
 * `text`: every word must occur in the title, note, prompt, model, kind or file names. `before`: the `next`
 * of the page before; an invalid one is ignored.
 */
export interface JobsQuestion {
  readonly kinds?: readonly JobKind[] | undefined
  readonly text?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** One page of jobs. */
export interface ListedJobs {
  readonly jobs: readonly JobRecord[]
  /** The cursor of the next page; absent at the end. */
  readonly next?: string
}

/** Lists the newest jobs first. Records are decrypted for the search, and not cached. */
export function listJobs(
  store: Store['jobs'],
  { kinds, text = '', before, limit }: JobsQuestion,
): ListedJobs {
  const terms = foldedWords(text)
  const found: JobRecord[] = []
  for (let from = placeOf(before); ;) {
    const page = store.list({
      ...(kinds && { kinds }),
      ...(from !== undefined && { before: from }),
      limit: terms.length > 0 ? PAGE : limit,
    })
    for (const { place, job } of page) {
      from = place
      if (!matches(job, terms)) continue
      found.push(job)
      if (found.length === limit) return { jobs: found, next: String(place) }
    }
    if (page.length < (terms.length > 0 ? PAGE : limit)) return { jobs: found }
  }
}

function placeOf(before: string | undefined): number | undefined {
  return before !== undefined && /^\d{1,15}$/.test(before) ? Number(before) : undefined
}

function matches({ ask, title = '', note = '', files }: JobRecord, terms: readonly string[]): boolean {
  if (terms.length === 0) return true
  const all = fold(
    [title, note, wordsOf(ask), modelOf(ask), ask.kind, ...files.map(({ name }) => name)].join('\n'),
  )
  return terms.every((word) => all.includes(word))
}

function foldedWords(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}
