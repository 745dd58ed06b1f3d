import type { JobRecord } from '../../shared/job-record.ts'
import { withoutTrailing } from '../../shared/without-trailing.ts'
import { endingOf } from './sniff-media.ts'

const LONGEST = 40

/**
 * The file name for a result: the first words of the prompt, its number, and the extension of its type. It
 * has only plain characters.
 */
export function nameOf(
  { ask, title }: Pick<JobRecord, 'ask' | 'title'>,
  index: number,
  type: string,
): string {
  const stem = withoutTrailing(
    '-',
    (title ?? wordsOf(ask))
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .slice(0, LONGEST)
      .replace(/^-/, ''),
  ).toLowerCase()
  return `${stem === '' ? ask.kind : stem}-${index}.${endingOf(type)}`
}

/** The model or data endpoint of a job; empty if the service chooses. */
export function modelOf(ask: JobRecord['ask']): string {
  return ask.kind === 'data' || ask.kind === 'batch' ? ask.path : (ask.model ?? '')
}

/** The text of the owner that describes a job. */
export function wordsOf(ask: JobRecord['ask']): string {
  if (ask.kind === 'speech') return ask.text.slice(0, 1000)
  if (ask.kind === 'data') return JSON.stringify(ask.input).slice(0, 1000)
  if (ask.kind === 'batch') return ask.path.replace(/^\/(?:api|x)\//, '')
  if (ask.kind === 'embedding') return ''
  // The prompt of a transcription guides the model, and doesn't describe the recording.
  return ask.kind === 'transcription' ? '' : (ask.prompt ?? '')
}
