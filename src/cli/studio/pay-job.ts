import { createInterface } from 'node:readline/promises'
import { formatSats, formatUsd } from '../../shared/format-money.ts'
import type { Job } from '../../shared/job.ts'
import type { Purchase } from '../../shared/purchase.ts'
import { msg } from '../../shared/localized-text.ts'
import { failure } from '../with-client.ts'
import { confirmHere } from '../confirm-here.ts'
import { CommandFailure } from '../client.ts'
import type { Studio } from './at-studio.ts'
import { terminalSafe } from '../format.ts'

/** Asks a yes/no question in the terminal. False if there is no terminal, or if the signal is aborted. */
export async function agreedHere(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || signal.aborted) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test(
      (await terminal.question(`${terminalSafe(question)} [y/N] `, { signal })).trim(),
    )
  } catch (failure) {
    // Ctrl-C at the question or the end of input means no.
    if (failure instanceof Error && failure.name === 'AbortError') return false
    throw failure
  } finally {
    terminal.close()
  }
}

interface PayOptions {
  /** Skips only this command's question. The wallet’s limits still need confirmation. */
  readonly yes?: boolean | undefined
  /** Pico-USD. */
  readonly most?: string | undefined
}

/**
 * Asks for agreement, and pays a job that waits for payment. Returns the job in its new state, or as stopped.
 *
 * Throws studio/above-cap, studio/price-unknown and payment/refused, after which the job is stopped. Throws
 * payment/…, wallet/… and confirm/…, after which the job still waits for payment.
 */
export async function payJob(studio: Studio, job: Job, { yes = false, most }: PayOptions): Promise<Job> {
  const {
    connection: { client },
    interrupts,
  } = studio
  const { purchase } = job
  if (job.kind === 'batch') {
    const all = job.estimate ? `. Estimated at most ${formatUsd(job.estimate.most)}` : ''
    await agreed(
      studio,
      job,
      `Each row is paid separately over Lightning, within the wallet’s limits${all}.`,
      yes,
    )
    return paid(studio, job)
  }
  if (!purchase) throw new CommandFailure(failure('studio/invalid-state'))
  const abandon = async (why: CommandFailure): Promise<never> => {
    await client.studio.stop({ jobId: job.id })
    throw why
  }
  if (most !== undefined && purchase.worth === undefined)
    await abandon(
      new CommandFailure(
        failure(
          'studio/price-unknown',
          msg('The price is {amount}, and its value in US dollars is unknown. Nothing was paid.', {
            amount: { msat: purchase.amountMsat },
          }),
        ),
      ),
    )
  if (most !== undefined && BigInt(purchase.worth ?? 0) > BigInt(most))
    await abandon(
      new CommandFailure(
        failure(
          'studio/above-cap',
          msg('The price is {price}. Nothing was paid.', { price: priceWords(purchase) }),
        ),
      ),
    )
  await agreed(
    studio,
    job,
    `The price is ${priceWords(purchase)}, paid to ${purchase.host}. Lightning payments are final.`,
    yes,
  )
  return interrupts.asked.aborted ? client.studio.stop({ jobId: job.id }) : paid(studio, job)
}

/** Throws payment/refused and stops the job unless the person agrees. */
async function agreed(
  { connection: { client }, interrupts, progress }: Studio,
  { id }: Job,
  message: string,
  yes: boolean,
): Promise<void> {
  progress.end()
  progress.msg(message)
  if (yes || (await agreedHere('Pay?', interrupts.asked)) || interrupts.asked.aborted) return
  await client.studio.stop({ jobId: id })
  throw new CommandFailure(
    failure(
      'payment/refused',
      process.stdin.isTTY
        ? undefined
        : msg('There is no terminal to ask in. To agree in advance, use --yes.'),
    ),
  )
}

async function paid(
  { connection: { client }, interrupts: { asked }, progress }: Studio,
  { id }: Job,
): Promise<Job> {
  progress.show('Paying over Lightning…')
  try {
    return await confirmHere(client, (signal) => client.studio.pay({ jobId: id }, { signal }), {
      outer: asked,
      onQuestion: () => progress.end(),
    })
  } catch (thrown) {
    if (!asked.aborted) throw thrown
    // The interrupt canceled a payment that hadn't started. The job is still `ready` then, so it is stopped.
    const now = await client.studio.get({ jobId: id })
    return now.state === 'ready' ? client.studio.stop({ jobId: id }) : now
  }
}

function priceWords({ amountMsat, worth, listed }: Purchase): string {
  const parts = [
    ...(worth === undefined ? [] : [`about ${formatUsd(worth)}`]),
    ...(listed === undefined ? [] : [`list price at most ${formatUsd(listed)}`]),
  ]
  return `${formatSats(amountMsat)}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`
}
