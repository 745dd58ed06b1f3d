import type { JobRecord } from '../../shared/job-record.ts'
import { withoutTrailing } from '../../shared/without-trailing.ts'
import { endingOf } from './sniff-media.ts'

const LONGEST = 40

/** What a made file would be saved as: its first words, its number, the ending of its type. Plain characters alone. */
export function nameOf(
  { ask, title }: Pick<JobRecord, 'ask' | 'title'>,
  index: number,
  type: string,
): string {
  const words = withoutTrailing(
    '-',
    (title ?? wordsOf(ask))
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .slice(0, LONGEST)
      .replace(/^-/, ''),
  ).toLowerCase()
  return `${words === '' ? ask.kind : words}-${index}.${endingOf(type)}`
}

/** What it is asked of; empty where the service chooses. */
export function modelOf(ask: JobRecord['ask']): string {
  return ask.kind === 'data' || ask.kind === 'batch' ? ask.path : (ask.model ?? '')
}

/** What a job is about, in its owner's words. */
export function wordsOf(ask: JobRecord['ask']): string {
  if (ask.kind === 'speech') return ask.text.slice(0, 1000)
  if (ask.kind === 'data') return JSON.stringify(ask.input).slice(0, 1000)
  if (ask.kind === 'batch') return ask.path.replace(/^\/(?:api|x)\//, '')
  if (ask.kind === 'embedding') return ''
  // What guides a transcription is not what it is about.
  return ask.kind === 'transcription' ? '' : (ask.prompt ?? '')
}
