import { plural, t } from '@lingui/core/macro'
import type { Job, JobState } from '../../../../shared/job.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { stateWords } from '../../../ui/jobs/job-words.ts'

const own: Readonly<Partial<Record<JobState, { readonly name: string; readonly means?: string }>>> = {
  sending: { get name() { return t`Running` }, get means() { return t`Texts leave part by part. It goes on when you leave this page.` } },
  saving: { get name() { return t`Being saved` } },
  paused: { get name() { return t`Paused` }, get means() { return t`No further text leaves until you let it go on. What is done is kept, and is not sent again.` } },
  stopped: { get name() { return t`Stopped` }, get means() { return t`No further text is sent. What is done is kept.` } },
  unknown: { get name() { return t`Not known` }, get means() { return t`One part was on its way when the connection or Sotto ended, and may have been charged. What came before is kept; going on sends that part again.` } },
}

/** How far an embedding is. */
export function embeddingState({ state }: Pick<Job, 'state'>): { readonly name: string; readonly means?: string } {
  return own[state] ?? stateWords[state]
}

export function embeddingTitle({ title, ask, parts }: Job): string {
  if (title !== undefined) return title
  const model = ask.kind === 'embedding' ? ask.model : ''
  return plural(parts?.of ?? 0, { one: `One text by ${model}`, other: `# texts by ${model}` })
}

/** One sentence of how many are done. */
export function textsDone({ parts }: Pick<Job, 'parts'>): string {
  const { of, done } = parts ?? { of: 0, done: 0 }
  const finished = formatCount(done)
  return plural(of, { one: `${finished} of one text done`, other: `${finished} of # texts done` })
}
