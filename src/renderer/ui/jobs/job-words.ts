import { t } from '@lingui/core/macro'
import type { JobKind } from '../../../shared/job-ask.ts'
import type { Job, JobState } from '../../../shared/job.ts'

/** Nothing more comes of it by itself. */
export function hasEnded(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped' || state === 'paused' || state === 'unknown' || state === 'lost'
}

const names = {
  get image() { return t`Image` },
  get video() { return t`Video` },
  get speech() { return t`Speech` },
  get transcription() { return t`Transcription` },
  get data() { return t`Data` },
  get embedding() { return t`Embedding` },
  get batch() { return t`Batch` },
}

export const kindNames: Readonly<Record<JobKind, string>> = names

/** How far a job is, as a name and, where there is more to know, what it means. */
export const stateWords: Readonly<Record<JobState, { readonly name: string; readonly means?: string }>> = {
  ready: { get name() { return t`Waits for payment` }, get means() { return t`The service has named its price, and makes nothing before it is paid.` } },
  paying: { get name() { return t`Being paid` }, get means() { return t`The wallet was asked to pay. It cannot be taken back, and nothing is paid twice; you can leave this page.` } },
  sending: { get name() { return t`At the service` }, get means() { return t`It was sent, and is being made. Nothing is sent a second time by itself; you can leave this page.` } },
  working: { get name() { return t`Being made` }, get means() { return t`The service took it and is at work. Sotto asks every few seconds; it goes on when you leave, and after a restart.` } },
  saving: { get name() { return t`Being saved` }, get means() { return t`It is made, and is being fetched before its address ends.` } },
  paused: { get name() { return t`Paused` }, get means() { return t`Nothing further is sent until you let it go on. What is done is kept.` } },
  done: { get name() { return t`Done` } },
  failed: { get name() { return t`Failed` } },
  stopped: { get name() { return t`Stopped` } },
  unknown: { get name() { return t`Not known` }, get means() { return t`It was on its way when the connection or Sotto ended. It may have been made and charged: compare it with the service’s history before you ask again.` } },
  lost: { get name() { return t`Lost` }, get means() { return t`It was made, and its address ended before it could be fetched. You can have Sotto try once more; that costs nothing.` } },
}

/** The words that it was asked with; of what is made from a file alone, that file's name. */
export function wordsOf({ ask, files }: Pick<Job, 'ask' | 'files'>): string {
  if ('prompt' in ask && ask.kind !== 'transcription') return ask.prompt ?? givenName(files)
  if (ask.kind === 'speech') return ask.text
  if (ask.kind === 'data') return `${ask.method} ${ask.path}`
  return givenName(files)
}

function givenName(files: Job['files']): string {
  return files.find(({ role }) => role === 'given')?.name ?? ''
}

const LONGEST_TITLE = 120

/** Its title, or the beginning of its words. */
export function titleOf(job: Job): string {
  const words = (job.title ?? wordsOf(job)).slice(0, 400).trim().replaceAll(/\s+/g, ' ')
  if (words === '') return kindNames[job.kind]
  return words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE)}…` : words
}

/** The model or the lookup that it was asked of; undefined where the service chose. */
export function subjectOf({ ask }: Pick<Job, 'ask'>): string | undefined {
  return ask.kind === 'data' ? ask.path : 'model' in ask ? ask.model : undefined
}
