import { fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuyerOrder, BuyerReport, BuyerMessage } from './buyer.ts'

const PROGRAM = join(import.meta.dirname, 'buyer-process.ts')

export interface Ended {
  readonly signal: string | null
  readonly messages: readonly BuyerMessage[]
}

/** Runs a buyer until it kills itself, has bought, or is killed `ms` after `steps` of its steps. */
export function buyer(
  order: BuyerOrder,
  kill?: { readonly steps: number; readonly ms: number },
): Promise<Ended> {
  const child = fork(PROGRAM, [JSON.stringify(order)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(order.folder, 'compiled') },
  })
  const messages: BuyerMessage[] = []
  let steps = 0
  child.on('message', (message) => {
    if (message === 'stepped') steps++
    else messages.push(message as BuyerMessage)
    if (kill && (message === 'bought' || steps === kill.steps))
      setTimeout(() => child.kill('SIGKILL'), kill.ms)
    if (message === 'bought' && !kill) child.disconnect()
    if (typeof message === 'object') child.disconnect()
  })
  return new Promise((resolve) => {
    child.on('exit', (_code, signal) => resolve({ signal, messages }))
  })
}

/** The requests to the wallet, the wallet's payments, and the report of a last buyer that finishes everything. */
export async function outcome(folder: string): Promise<{
  readonly asked: readonly string[]
  readonly paid: readonly string[]
  readonly report: BuyerReport
}> {
  const { messages } = await buyer({ folder, finish: true })
  const report = messages.find((message) => typeof message === 'object')
  if (!report) throw new Error('it reported nothing')
  const lines = (name: string): string[] =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : []
  return { asked: lines('relay.log'), paid: lines('wallet.log'), report }
}

/**
 * Violations of the promise. A purchase is paid at most once, and an unpaid one is reported as unpaid. A paid
 * one is delivered or stays deliverable. The total is correct.
 */
export function brokenPromises({ asked, paid, report }: Awaited<ReturnType<typeof outcome>>): string[] {
  const broken: string[] = []
  if (new Set(asked).size !== asked.length || new Set(paid).size !== paid.length)
    broken.push('the wallet was asked twice for one purchase')
  for (const { id, state, paymentHash, whole } of report.payments) {
    if (!paid.includes(paymentHash) && state !== 'expired') broken.push(`${id} was not paid, and is ${state}`)
    if (paid.includes(paymentHash) && state !== 'delivered' && state !== 'undelivered')
      broken.push(`${id} was paid, and is ${state}`)
    if (state === 'delivered' && !whole) broken.push(`${id} is delivered, and not whole`)
  }
  for (const hash of paid)
    if (!report.payments.some(({ paymentHash }) => paymentHash === hash))
      broken.push(`${hash} was paid, and is in no record`)
  if (report.day !== (BigInt(paid.length) * 15_000n).toString() || report.held !== '0')
    broken.push(`${report.day} and ${report.held} msat are said of ${String(paid.length)} payments`)
  return broken
}

/** Numbers from 0 up to 1, the same ones of the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** About as many as a purchase has. */
const MOST_STEPS = 24

/** Kills buyers at random, one after another over one folder, every fourth of them racing another for it. How many were killed. */
export async function killAtRandom(
  folder: string,
  times: number,
  seed: number,
  varied = false,
): Promise<number> {
  const random = seeded(seed)
  let killed = 0
  for (let round = 0; killed < times && round < 2 * times; round++) {
    const kills = Array.from({ length: round % 4 === 0 ? 2 : 1 }, () => ({
      steps: Math.floor(random() * MOST_STEPS),
      ms: random() * 4,
    }))
    killed += (await Promise.all(kills.map((kill) => buyer({ folder, varied }, kill)))).filter(
      ({ signal }) => signal === 'SIGKILL',
    ).length
  }
  return killed
}
