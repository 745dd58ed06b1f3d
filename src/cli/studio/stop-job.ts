import type { Job } from '../../shared/job.ts'
import type { Studio } from './at-studio.ts'
import { followJob, hasSettled } from './follow-job.ts'

/** After Ctrl-C: stops what may be stopped, and says what becomes of what may not. */
export async function stopJob({ door: { client, own }, interrupts, progress }: Studio, jobId: string, onChange: (job: Job) => void): Promise<{ readonly job: Job; readonly says: string }> {
  let job = await client.studio.get({ jobId })
  if (job.may.includes('pause')) job = await client.studio.pause({ jobId })
  else if (job.may.includes('stop')) job = await client.studio.stop({ jobId })
  // Where another Sotto has it, it goes on there; what the service has, and what only has to be fetched, goes on at the next start.
  else if (!own || job.state !== 'sending') return { job, says: fateOf(job, own) }
  else progress.say('It was sent, and cannot be called back: its answer is waited for. Ctrl-C again leaves it, and then nobody knows what became of it.')
  if (!hasSettled(job)) {
    if (job.parts) progress.say('Nothing further is sent; what is under way is waited for. Ctrl-C again leaves it.')
    try {
      job = await followJob(client, jobId, { enough: (now) => hasSettled(now) || now.state === 'working', onChange, signal: interrupts.insisted })
    } catch (thrown) {
      if (!interrupts.insisted.aborted) throw thrown
      job = await client.studio.get({ jobId })
    }
  }
  return { job, says: fateOf(job, own) }
}

function fateOf({ id, state, parts, sentAt }: Job, own: boolean): string {
  const short = id.slice(0, 8)
  const kept = parts ? ` ${String(parts.done)} of ${String(parts.of)} are done and kept; "--resume ${short}" has the others done.` : ''
  switch (state) {
    case 'stopped':
      return sentAt === undefined ? 'Stopped: nothing was paid.' : `Stopped.${kept}`
    case 'paused':
      return `Paused.${kept}`
    case 'ready':
      return 'Stopped: nothing was paid.'
    case 'paying':
      return `Left: its payment is under way and cannot be called back. It is paid once at the most, and what it bought is kept: "sotto jobs wait ${short}".`
    case 'sending':
      return own ? `Left: it had been sent. The next start says that its end is unknown: "sotto jobs compare ${short}" looks for it in the service’s history.`
        : `Left: it was sent, cannot be called back, and goes on in the Sotto that runs: "sotto jobs wait ${short}".`
    case 'working':
    case 'saving':
      return `Left: the service has it, and it is charged. It goes on in ${own ? 'the next Sotto that starts' : 'the Sotto that runs'}: "sotto jobs wait ${short}".`
    case 'done':
    case 'failed':
    case 'unknown':
    case 'lost':
      return 'It had ended before it could be stopped.'
  }
}
