import type { Job } from '../../shared/job.ts'
import { jsonLine } from '../json-line.ts'
import { printFailure } from '../print-failure.ts'
import type { Studio } from './at-studio.ts'
import { exitOfState, jobExit } from './exit-codes.ts'
import { followJob, hasSettled } from './follow-job.ts'
import { savedOf } from './results.ts'
import { saveAll, type Saved, type Target } from './save-files.ts'
import { stopJob } from './stop-job.ts'
import { costWords, jobLine, stateWords } from './words.ts'

/** What becomes of it at the end. */
export interface Outcome {
  /** Prints what was made on standard output, where no file takes it; else a line about the job is printed. */
  readonly print?: (studio: Studio, job: Job) => Promise<void>
  /** The same, as it stands in the line of JSON. */
  readonly shown?: (studio: Studio, job: Job) => Promise<object>
  /** What is saved, where it is not the files of the job. */
  readonly saved?: (studio: Studio, job: Job) => Saved[]
}

/** Waits for what has begun, and hands out what came of it. Returns the exit code. */
export async function finish(studio: Studio, begun: Job, { making, target, options }: { readonly making: Outcome; readonly target: Target | null; readonly options: { readonly json: boolean } }): Promise<number> {
  const { job, says } = await waitForJob(studio, begun)
  const { progress } = studio
  progress.end()
  if (job.state !== 'done') return notDone(studio, job, { says, files: await saveRows(studio, job, making, target) })
  const shown = target ? {} : await making.shown?.(studio, job)
  const files = making.saved?.(studio, job) ?? savedOf(studio, job, {})
  const paths = target ? await saveAll(studio.door, files, target, job.id.slice(0, 8)) : []
  if (options.json) process.stdout.write(`${jsonLine({ job, ...(target && { files: paths }), ...shown })}\n`)
  else if (paths.length > 0) process.stdout.write(paths.map((path) => `${path}\n`).join(''))
  else if (!target && making.print) await making.print(studio, job)
  else if (!target) process.stdout.write(`${jobLine(job)}\n`)
  if (!options.json) {
    progress.say(`Done: ${costWords(job)}.`)
    if (!target && !making.print) progress.say(`It is kept sealed in Sotto. "sotto jobs save ${job.id.slice(0, 8)}" saves it as a file.`)
  }
  return jobExit.done
}

/** Waits until it goes no further by itself. Ctrl-C stops what may be stopped, and it is said what becomes of the rest. */
async function waitForJob(studio: Studio, begun: Job): Promise<{ readonly job: Job; readonly says?: string }> {
  const { door: { client }, interrupts: { asked }, progress } = studio
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

/** What a batch has come to is there before it is done, and although some of its rows failed. */
async function saveRows(studio: Studio, job: Job, making: Outcome, target: Target | null): Promise<string[]> {
  if (!target || !job.rows || job.rows.done === 0) return []
  const paths = await saveAll(studio.door, making.saved?.(studio, job) ?? savedOf(studio, job, {}), target, job.id.slice(0, 8))
  if (!studio.json) process.stdout.write(paths.map((path) => `${path}\n`).join(''))
  return paths
}

function notDone({ progress, interrupts, json }: Studio, job: Job, { says = `It is ${stateWords(job)}.`, files }: { readonly says?: string | undefined; readonly files: readonly string[] }): number {
  if (json) process.stdout.write(`${jsonLine({ ...(job.failure && { error: job.failure }), job, ...(files.length > 0 && { files }) })}\n`)
  else if (job.failure) printFailure(job.failure, false)
  else progress.say(says)
  for (const hint of json ? [] : hintsOf(job)) progress.say(hint)
  return interrupts.asked.aborted ? jobExit.stopped : exitOfState(job.state)
}

function hintsOf({ id, may, state, parts, rows }: Job): string[] {
  const short = id.slice(0, 8)
  if (rows) return may.includes('resume') ? [`"sotto data --resume ${short}" sends the rows that were not sent; with --rows failed also those that failed, which are paid anew.`] : []
  return [
    ...(may.includes('compare') ? [`"sotto jobs compare ${short}" looks for it in the service’s history.`] : []),
    ...(may.includes('resume') && state !== 'stopped' ? [`"--resume ${short}" goes on with it${parts ? ': the parts that are done are kept, and only the others cost' : ', and nothing is paid again'}.`] : []),
    ...(may.includes('again') ? [`"--again ${short}" asks for the same anew, and pays anew.`] : []),
  ]
}
