import type { JobRecord } from '../../shared/job-record.ts'
import { endingOf } from './sniff-media.ts'

const LONGEST = 40

/** What a made file would be saved as: its first words, its number, the ending of its type. Plain characters alone. */
export function nameOf({ ask, title }: Pick<JobRecord, 'ask' | 'title'>, index: number, type: string): string {
  const words = (title ?? wordsOf(ask)).normalize('NFKD').replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, LONGEST).replaceAll(/^-+|-+$/g, '').toLowerCase()
  return `${words === '' ? ask.kind : words}-${index}.${endingOf(type)}`
}

/** What a job is about, in its owner's words. */
export function wordsOf(ask: JobRecord['ask']): string {
  return ask.prompt ?? ''
}
