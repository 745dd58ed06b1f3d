import type { Job } from '../../shared/job.ts'
import type { Studio } from './at-studio.ts'
import { followJob, hasSettled } from './follow-job.ts'

/** After Ctrl-C: stops the job if possible, otherwise explains what happens to it. */
export async function stopJob(
  { connection: { client, ownsDataFolder }, interrupts, progress }: Studio,
  jobId: string,
  onChange: (job: Job) => void,
): Promise<{ readonly job: Job; readonly message: string }> {
  using insisted = interrupts.next()
  let job = await client.studio.get({ jobId })
  if (job.may.includes('pause')) job = await client.studio.pause({ jobId })
  else if (job.may.includes('stop')) job = await client.studio.stop({ jobId })
  // Another process continues its own job. A job that the service has, or that only needs its result saved, continues at the next start.
  else if (!ownsDataFolder || job.state !== 'sending') return { job, message: fateOf(job, ownsDataFolder) }
  else
    progress.msg(
      'The request was already sent and can’t be canceled. Waiting for its result… Press Ctrl-C again to leave; the outcome is then unknown.',
    )
  if (!hasSettled(job)) {
    if (job.parts)
      progress.msg('No more parts are sent. Waiting for the current part… Press Ctrl-C again to leave.')
    try {
      job = await followJob(client, jobId, {
        enough: (now) => hasSettled(now) || now.state === 'working',
        onChange,
        signal: insisted.signal,
      })
    } catch (thrown) {
      if (!insisted.signal.aborted) throw thrown
      job = await client.studio.get({ jobId })
    }
  }
  return { job, message: fateOf(job, ownsDataFolder) }
}

function fateOf({ id, state, parts, sentAt }: Job, ownsDataFolder: boolean): string {
  const short = id.slice(0, 8)
  const savedParts = parts
    ? ` ${String(parts.done)} of ${String(parts.of)} parts are done and saved. To continue, add --resume ${short} to the command.`
    : ''
  switch (state) {
    case 'stopped':
      return sentAt === undefined ? 'Stopped. Nothing was paid.' : `Stopped.${savedParts}`
    case 'paused':
      return `Paused.${savedParts}`
    case 'ready':
      return 'Stopped. Nothing was paid.'
    case 'paying':
      return `The payment is in progress and can’t be canceled. It is paid at most once, and its result will be saved. To wait for it, run: sotto jobs wait ${short}`
    case 'sending':
      return ownsDataFolder
        ? `The request was already sent, so its outcome is unknown. To look it up in the service’s history, run: sotto jobs compare ${short}`
        : `The request was already sent and can’t be canceled. It continues in the running Sotto. To wait for it, run: sotto jobs wait ${short}`
    case 'working':
    case 'saving':
      return `The service is working on the request and charges it. It continues ${ownsDataFolder ? 'when Sotto starts again' : 'in the running Sotto'}. To wait for it, run: sotto jobs wait ${short}`
    case 'done':
    case 'failed':
    case 'unknown':
    case 'lost':
      return 'The job ended before it could be stopped.'
  }
}
