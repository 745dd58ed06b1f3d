import type { JobAsk } from '../../shared/job-ask.ts'
import type { Job, PayWay } from '../../shared/job.ts'
import type { Studio } from './at-studio.ts'
import { payJob } from './pay-job.ts'
import { estimateWords } from './words.ts'

export interface StartOptions {
  readonly pay: PayWay
  /** With `single`: agreed to beforehand. */
  readonly yes?: boolean | undefined
  readonly most?: string | undefined
}

/** Says what it may cost, begins it, and pays it where it is paid by itself. */
export async function startJob(studio: Studio, ask: JobAsk, { pay, yes, most }: StartOptions): Promise<Job> {
  const { door: { client }, interrupts: { asked }, progress, json } = studio
  progress.show('asking what it costs')
  const estimate = await client.studio.estimate({ ask }, { signal: asked })
  if (!json) progress.say(estimateWords(estimate))
  asked.throwIfAborted()
  progress.show(pay === 'single' ? 'asking for the price' : 'sending')
  // From the balance it leaves at once: its answer says which job that is, whoever wants to stop meanwhile.
  const job = await client.studio.start({ ask, pay, ...(most !== undefined && { most }) }, pay === 'single' ? { signal: asked } : {})
  return job.state === 'ready' && job.may.includes('pay') && pay === 'single' ? payJob(studio, job, { yes, most }) : job
}
