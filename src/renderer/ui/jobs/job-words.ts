import { t } from '@lingui/core/macro'
import type { JobKind } from '../../../shared/job-ask.ts'
import type { Job, JobState } from '../../../shared/job.ts'

const names = {
  get image() {
    return t`Image`
  },
  get video() {
    return t`Video`
  },
  get speech() {
    return t`Speech`
  },
  get transcription() {
    return t`Transcription`
  },
  get data() {
    return t`Data`
  },
  get embedding() {
    return t`Embedding`
  },
  get batch() {
    return t`Batch`
  },
}

export const kindNames: Readonly<Record<JobKind, string>> = names

/** The state of a job as a name, and an explanation if the name doesn't suffice. */
export const stateWords: Readonly<Record<JobState, { readonly name: string; readonly means?: string }>> = {
  ready: {
    get name() {
      return t`Waiting for payment`
    },
    get means() {
      return t`The service quoted a price. It won’t start until you pay.`
    },
  },
  paying: {
    get name() {
      return t`Payment in progress`
    },
    get means() {
      return t`The wallet was asked to pay. This can’t be undone, and nothing is paid twice. You can leave this page.`
    },
  },
  sending: {
    get name() {
      return t`Sent to service`
    },
    get means() {
      return t`The request was sent and is being processed. Sotto won’t resend it automatically. You can leave this page.`
    },
  },
  working: {
    get name() {
      return t`In progress`
    },
    get means() {
      return t`The service is working on it. Sotto checks every few seconds, even if you leave this page, and again after a restart.`
    },
  },
  saving: {
    get name() {
      return t`Saving`
    },
    get means() {
      return t`It’s ready. Sotto is downloading it before its link expires.`
    },
  },
  paused: {
    get name() {
      return t`Paused`
    },
    get means() {
      return t`Nothing more is sent until you resume. Completed parts are saved.`
    },
  },
  done: {
    get name() {
      return t`Done`
    },
  },
  failed: {
    get name() {
      return t`Failed`
    },
  },
  stopped: {
    get name() {
      return t`Stopped`
    },
  },
  unknown: {
    get name() {
      return t`Unknown`
    },
    get means() {
      return t`The connection or Sotto stopped before the result arrived. It may have been generated and charged. Compare it with the service’s history before you send it again.`
    },
  },
  lost: {
    get name() {
      return t`Link expired`
    },
    get means() {
      return t`It was generated, but its link expired before Sotto could download it. You can try the download again at no cost.`
    },
  },
}

/** The prompt, text or lookup of a job. For a job with only a file, the file's name. */
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

/** The title, or the beginning of the job's prompt or text. */
export function titleOf(job: Job): string {
  const text = (job.title ?? wordsOf(job)).slice(0, 400).trim().replaceAll(/\s+/g, ' ')
  if (text === '') return kindNames[job.kind]
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE)}…` : text
}

/** The model or the lookup of the job; undefined if the service chose it. */
export function subjectOf({ ask }: Pick<Job, 'ask'>): string | undefined {
  return ask.kind === 'data' ? ask.path : 'model' in ask ? ask.model : undefined
}
