import type { Job } from '../../shared/job.ts'
import { jobJson } from '../json-amounts.ts'
import { jsonLine } from '../json-output.ts'
import { printFailure } from '../with-client.ts'
import type { Studio } from './at-studio.ts'
import { exitOfState, jobExit } from './job-options.ts'
import { followJob, hasSettled } from './follow-job.ts'
import { savedOf, saveAll, type Saved, type Target } from './save-files.ts'
import { stopJob } from './stop-job.ts'
import { costWords, jobLine, stateWords } from './labels.ts'

/** The actions of a command on a finished job. */
export interface Outcome {
  /**
   * Prints the result on standard output if it isn't saved to a file. Without this, one line about the job is
   * printed.
   */
  readonly print?: (studio: Studio, job: Job) => Promise<void>
  /** The same, as members of the line of JSON. */
  readonly shown?: (studio: Studio, job: Job) => Promise<object>
  /** The files to save, if they are not the files of the job. */
  readonly saved?: (studio: Studio, job: Job) => Saved[]
}

/** Waits for a job and outputs its result. Returns the exit code. */
export async function finish(
  studio: Studio,
  begun: Job,
  {
    making,
    target,
    options,
  }: {
    readonly making: Outcome
    readonly target: Target | null
    readonly options: { readonly json: boolean }
  },
): Promise<number> {
  const { job, message } = await waitForJob(studio, begun)
  const { progress } = studio
  progress.end()
  if (job.state !== 'done')
    return notDone(studio, job, { message, files: await saveRows(studio, job, making, target) })
  const shown = target ? {} : await making.shown?.(studio, job)
  const files = making.saved?.(studio, job) ?? savedOf(studio, job, {})
  const paths = target ? await saveAll(studio, files, target, job.id.slice(0, 8)) : []
  if (options.json)
    process.stdout.write(`${jsonLine({ job: jobJson(job), ...(target && { files: paths }), ...shown })}\n`)
  else if (paths.length > 0) process.stdout.write(paths.map((path) => `${path}\n`).join(''))
  else if (!target && making.print) await making.print(studio, job)
  else if (!target) process.stdout.write(`${jobLine(job)}\n`)
  if (!options.json) {
    progress.msg(`Done. ${costWords(job)}.`)
    if (!target && !making.print)
      progress.msg(
        `The result is saved in Sotto, encrypted. To save it as a file, run: sotto jobs save ${job.id.slice(0, 8)}`,
      )
  }
  return jobExit.done
}

/** Waits until a job has settled. Ctrl-C stops it if possible; otherwise `says` explains what happens next. */
async function waitForJob(
  studio: Studio,
  begun: Job,
): Promise<{ readonly job: Job; readonly message?: string }> {
  const {
    connection: { client },
    interrupts: { asked },
    progress,
  } = studio
  const onChange = (job: Job): void => progress.show(stateWords(job), job.sentAt)
  if (studio.interrupts.asked.aborted) return stopJob(studio, begun.id, onChange)
  if (hasSettled(begun)) return { job: begun }
  onChange(begun)
  try {
    return { job: await followJob(client, begun.id, { enough: hasSettled, onChange, signal: asked }) }
  } catch (thrown) {
    if (!asked.aborted) throw thrown
    return stopJob(studio, begun.id, onChange)
  }
}

/** Saves the completed rows of a batch, even if it isn't done or some rows failed. */
async function saveRows(studio: Studio, job: Job, making: Outcome, target: Target | null): Promise<string[]> {
  if (!target || !job.rows || job.rows.done === 0) return []
  const paths = await saveAll(
    studio,
    making.saved?.(studio, job) ?? savedOf(studio, job, {}),
    target,
    job.id.slice(0, 8),
  )
  if (!studio.json) process.stdout.write(paths.map((path) => `${path}\n`).join(''))
  return paths
}

function notDone(
  { progress, interrupts, json }: Studio,
  job: Job,
  {
    message: message = `Status: ${stateWords(job)}.`,
    files,
  }: { readonly message?: string | undefined; readonly files: readonly string[] },
): number {
  if (json)
    process.stdout.write(
      `${jsonLine({ job: jobJson(job), ...(files.length > 0 && { files }) }, job.failure)}\n`,
    )
  else if (job.failure) printFailure(job.failure, false)
  else progress.msg(message)
  for (const hint of json ? [] : hintsOf(job)) progress.msg(hint)
  return interrupts.asked.aborted ? jobExit.interrupted : exitOfState(job.state)
}

function hintsOf({ id, may, state, parts, rows }: Job): string[] {
  const short = id.slice(0, 8)
  if (rows)
    return may.includes('resume')
      ? [
          `To send the remaining rows, run "sotto data --resume ${short}". To retry failed rows and pay for them again, add --rows failed.`,
        ]
      : []
  return [
    ...(may.includes('compare')
      ? [`To look it up in the service’s history, run: sotto jobs compare ${short}`]
      : []),
    ...(may.includes('resume') && state !== 'stopped'
      ? [
          `To resume it, add --resume ${short} to the command. ${parts ? 'Completed parts are saved, so you only pay for the others.' : 'Nothing is paid again.'}`,
        ]
      : []),
    ...(may.includes('again')
      ? [`To send the same request and pay again, add --again ${short} to the command.`]
      : []),
  ]
}
