import { afterEach, expect, it, vi } from 'vitest'
import type { ContractClient } from '../../../src/cli/client.ts'
import type { Studio } from '../../../src/cli/studio/at-studio.ts'
import { payJob } from '../../../src/cli/studio/pay-job.ts'
import { ProgressLine } from '../../../src/cli/studio/follow-job.ts'
import type { Job } from '../../../src/shared/job.ts'
import type { Purchase } from '../../../src/shared/purchase.ts'
import { fakeTerminal } from '../fake-terminal.ts'

const purchase: Purchase = {
  id: 'p',
  at: 0,
  caller: { kind: 'cli' },
  host: 'service.example',
  endpoint: 'images/generations',
  subject: 'm',
  state: 'quoted',
  amountMsat: '101000',
  paymentHash: '0'.repeat(64),
  expiresAt: 0,
  asks: ['first-host'],
  payable: false,
  attempts: 0,
  files: [],
}
const job: Job = {
  id: '0123456789',
  at: 0,
  changedAt: 0,
  kind: 'image',
  state: 'ready',
  pay: 'single',
  caller: { kind: 'cli' },
  ask: { kind: 'image', model: 'm', prompt: 'p' },
  files: [],
  may: ['pay', 'stop'],
  purchase,
}

const terminal = fakeTerminal()
afterEach(() => void vi.useRealTimers())

it('draws nothing over a question while it is thought about', async () => {
  const { promise, resolve } = Promise.withResolvers<Job>()
  let asks = true
  const client = {
    studio: { pay: () => promise },
    confirmations: {
      pending: () => Promise.resolve(asks ? { id: 'one', says: [{ english: 'Pay 101 sats?' }] } : null),
      answer: () => {
        asks = false
        resolve({ ...job, state: 'paying', may: [] })
        return Promise.resolve({ accepted: true })
      },
    },
  } as unknown as ContractClient
  let drawn = ''
  const progress = new ProgressLine({
    isTTY: true,
    columns: 80,
    write: (text: string | Uint8Array) => (drawn += String(text)) !== '',
  })
  const never = new AbortController().signal
  const studio: Studio = {
    connection: {
      client,
      fetch: () => Promise.reject(new Error('nothing is fetched')),
      ownsDataFolder: false,
    },
    interrupts: {
      asked: never,
      next: () => ({ signal: never, [Symbol.dispose]: () => undefined }),
      [Symbol.dispose]: () => undefined,
    },
    progress,
    json: false,
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  progress.show('Loading price…')
  const paid = payJob(studio, job, {})

  await expect.poll(terminal.shown).toContain('Pay? [y/N]')
  expect(drawn).toContain('The price is 101 sats')
  let before = drawn
  vi.advanceTimersByTime(10_000)
  expect(drawn).toBe(before)
  terminal.type('y\n')
  await expect.poll(terminal.shown).toContain('Code from the terminal that runs Sotto')
  expect(drawn.slice(before.length)).toContain('Paying over Lightning…')
  before = drawn
  vi.advanceTimersByTime(10_000)
  expect(drawn).toBe(before)
  terminal.type('123456\n')
  expect((await paid).state).toBe('paying')
})
