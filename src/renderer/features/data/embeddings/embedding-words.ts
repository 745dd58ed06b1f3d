import { plural, t } from '@lingui/core/macro'
import type { Job, JobState } from '../../../../shared/job.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { stateWords } from '../../../ui/jobs/job-words.ts'

const embeddingStates: Readonly<
  Partial<Record<JobState, { readonly name: string; readonly means?: string }>>
> = {
  sending: {
    get name() {
      return t`Running`
    },
    get means() {
      return t`Texts are sent in parts. This continues if you leave the page.`
    },
  },
  saving: {
    get name() {
      return t`Saving`
    },
  },
  paused: {
    get name() {
      return t`Paused`
    },
    get means() {
      return t`Nothing more is sent until you resume. Finished texts are saved and won’t be sent again.`
    },
  },
  stopped: {
    get name() {
      return t`Stopped`
    },
    get means() {
      return t`Nothing more is sent. Finished texts are saved.`
    },
  },
  unknown: {
    get name() {
      return t`Unknown`
    },
    get means() {
      return t`The connection or Sotto stopped while a part was being sent, so that part may have been charged. Earlier parts are saved. “Send remaining parts” sends that part again.`
    },
  },
}

/** The state of an embedding. */
export function embeddingState({ state }: Pick<Job, 'state'>): {
  readonly name: string
  readonly means?: string
} {
  return embeddingStates[state] ?? stateWords[state]
}

export function embeddingTitle({ title, ask, parts }: Job): string {
  if (title !== undefined) return title
  const model = ask.kind === 'embedding' ? ask.model : ''
  return plural(parts?.of ?? 0, { one: `# text by ${model}`, other: `# texts by ${model}` })
}

/** Summarizes the progress in a sentence. */
export function textsDone({ parts }: Pick<Job, 'parts'>): string {
  const { of, done } = parts ?? { of: 0, done: 0 }
  const finished = formatCount(done)
  return plural(of, { one: `${finished} of # text done`, other: `${finished} of # texts done` })
}
