import type { z } from 'zod'
import { jobAskSchema, type JobAsk, type JobKind } from '../../shared/job-ask.ts'
import type { Job, PayWay } from '../../shared/job.ts'
import { failure } from '../with-client.ts'
import { CommandFailure } from '../client.ts'
import { atStudio, unusable, type Studio } from './at-studio.ts'
import { finish, type Outcome } from './finish-job.ts'
import { hasSettled } from './follow-job.ts'
import { jobNamed } from './job-named.ts'
import { payJob } from './pay-job.ts'
import { targetOf } from './save-files.ts'
import { estimateWords } from './labels.ts'

interface StartOptions {
  readonly pay: PayWay
  /** With `single`: agrees to the payment in advance. */
  readonly yes?: boolean | undefined
  readonly most?: string | undefined
}

/** Prints the estimate, starts the job, and pays for it if it is paid per request. */
async function startJob(studio: Studio, ask: JobAsk, { pay, yes, most }: StartOptions): Promise<Job> {
  const {
    connection: { client },
    interrupts: { asked },
    progress,
    json,
  } = studio
  progress.show('Calculating price…')
  const estimate = await client.studio.estimate({ ask }, { signal: asked })
  if (!json) progress.msg(estimateWords(estimate))
  asked.throwIfAborted()
  progress.show(pay === 'single' ? 'Loading price…' : 'Sending…')
  // A request paid from the balance is sent at once. It isn't aborted, because stopping the job needs the ID
  // in the response.
  const job = await client.studio.start(
    { ask, pay, ...(most !== undefined && { most }) },
    pay === 'single' ? { signal: asked } : {},
  )
  return job.state === 'ready' && job.may.includes('pay') && pay === 'single'
    ? payJob(studio, job, { yes, most })
    : job
}

/** Options of all commands that send a request to the service. */
export interface MakeOptions {
  readonly json: boolean
  /** Defaults to the balance, or with `again` to the earlier job's choice. */
  readonly pay?: PayWay
  /** With `single`: agrees to the payment in advance. */
  readonly yes?: boolean | undefined
  readonly force: boolean
  readonly out?: string
  /** Pico-USD. */
  readonly maxCost?: string
  readonly again?: string
  readonly resume?: string
}

export interface Making extends Outcome {
  /** Kinds of earlier jobs that the command can continue. */
  readonly kinds: readonly JobKind[]
  /** Builds the request, and uploads its files to the core. */
  readonly ask: (studio: Studio) => Promise<z.input<typeof jobAskSchema>>
  /** The expected number of files. */
  readonly count?: number
  /** Checks the arguments before anything else. Throws request/invalid. */
  readonly check?: () => void
  /** Continues a job that ended. By default the job resumes without further questions. */
  readonly resume?: (studio: Studio, job: Job) => Promise<Job>
}

/** Runs a job from its arguments to its result. Returns the exit code. */
export function makeJob(options: MakeOptions, making: Making): Promise<number> {
  return atStudio(options.json, async (studio) => {
    requireFitting(options)
    making.check?.()
    const target =
      options.out === undefined
        ? null
        : await targetOf(options.out, {
            force: options.force,
            ...(making.count !== undefined && { count: making.count }),
          })
    const begun = await begin(studio, options, making)
    return finish(studio, begun, { making, target, options })
  })
}

function requireFitting({ json, out, again, resume }: MakeOptions): void {
  if (json && out === '-')
    throw unusable(
      'Standard output can’t carry both the JSON and the result.',
      'Leave out --json, or name a file with --out.',
    )
  if (again !== undefined && resume !== undefined)
    throw unusable(
      '--again and --resume can’t be combined.',
      'Use --again to send a new request, or --resume to continue the earlier one.',
    )
}

async function begin(studio: Studio, options: MakeOptions, making: Making): Promise<Job> {
  const {
    connection: { client },
    interrupts,
  } = studio
  const { again, resume, maxCost: most } = options
  if (resume !== undefined)
    return resumed(studio, await jobNamed(client, resume, making.kinds), options, making)
  const before = again === undefined ? null : await jobNamed(client, again, making.kinds)
  // The core refuses this with its error code.
  if (before && !before.may.includes('again')) return client.studio.again({ jobId: before.id })
  if (before?.kind === 'batch') return batchAgain(studio, before, options)
  const ask = before ? askAgain(before) : parsed(await making.ask(studio))
  return startJob(studio, ask, { pay: options.pay ?? before?.pay ?? 'balance', yes: options.yes, most })
  function parsed(input: z.input<typeof jobAskSchema>): JobAsk {
    const result = jobAskSchema.safeParse(input)
    interrupts.asked.throwIfAborted()
    if (result.success) return result.data
    throw unusable(
      `The request is invalid: ${result.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ')}.`,
      'Correct the options and run the command again.',
    )
  }
}

/** The core has the rows. The earlier job's cap applies if the options name none. */
async function batchAgain(
  studio: Studio,
  { id }: Job,
  { pay, yes, maxCost: most }: MakeOptions,
): Promise<Job> {
  const job = await studio.connection.client.studio.again({
    jobId: id,
    ...(pay && { pay }),
    ...(most !== undefined && { most }),
  })
  return job.state === 'ready' && job.may.includes('pay') ? payJob(studio, job, { yes }) : job
}

/** Resumes a job from its current state. A running job is only waited for. */
async function resumed(
  studio: Studio,
  job: Job,
  { yes, maxCost: most }: MakeOptions,
  { resume }: Making,
): Promise<Job> {
  const { client } = studio.connection
  if (!hasSettled(job) || job.state === 'done') return job
  if (job.state === 'ready' && job.may.includes('pay')) return payJob(studio, job, { yes, most })
  if (resume) return resume(studio, job)
  // The remaining parts never cost more than the whole job.
  if (most !== undefined && job.parts && job.parts.done < job.parts.of) {
    if (!job.estimate) throw new CommandFailure(failure('studio/price-unknown'))
    if (BigInt(job.estimate.most) > BigInt(most)) throw new CommandFailure(failure('studio/above-cap'))
  }
  return client.studio.resume({ jobId: job.id })
}

/** The request of a job, with its own files attached again. */
function askAgain({ id, ask }: Pick<Job, 'id' | 'ask'>): JobAsk {
  switch (ask.kind) {
    case 'speech':
    case 'data':
      return ask
    case 'transcription':
      return { ...ask, file: ownFile(id, ask.file) }
    case 'embedding':
      // The core converted the texts to JSON Lines, whatever their first form was.
      return { ...ask, source: { form: 'jsonl', file: ownFile(id, ask.source.file) } }
    case 'batch':
      throw unusable('A batch can’t be sent again this way.', 'Use "sotto data --again <job>".')
    case 'image':
    case 'video': {
      const { image, ...rest } = ask
      return image ? { ...rest, image: ownFile(id, image) } : rest
    }
  }
}

type StoredSource = { file: number } | { url: string }

function ownFile(jobId: string, source: StoredSource): { jobId: string; index: number } | { url: string } {
  return 'file' in source ? { jobId, index: source.file } : source
}
