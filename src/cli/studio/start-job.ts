import type { JobAsk } from '../../shared/job-ask.ts'
import type { Job, PayWay } from '../../shared/job.ts'
import type { Studio } from './at-studio.ts'
import { payJob } from './pay-job.ts'
import { estimateWords } from './words.ts'

interface StartOptions {
  readonly pay: PayWay
  /** With `single`: agreed to beforehand. */
  readonly yes?: boolean | undefined
  readonly most?: string | undefined
}

/** Prints the estimate, starts the job, and pays for it if it is paid per request. */
export async function startJob(studio: Studio, ask: JobAsk, { pay, yes, most }: StartOptions): Promise<Job> {
  const {
    door: { client },
    interrupts: { asked },
    progress,
    json,
  } = studio
  progress.show('Calculating price…')
  const estimate = await client.studio.estimate({ ask }, { signal: asked })
  if (!json) progress.say(estimateWords(estimate))
  asked.throwIfAborted()
  progress.show(pay === 'single' ? 'Loading price…' : 'Sending…')
  // A request paid from the balance is sent at once. Not aborted: the response has the ID that is needed to stop the job.
  const job = await client.studio.start(
    { ask, pay, ...(most !== undefined && { most }) },
    pay === 'single' ? { signal: asked } : {},
  )
  return job.state === 'ready' && job.may.includes('pay') && pay === 'single'
    ? payJob(studio, job, { yes, most })
    : job
}
