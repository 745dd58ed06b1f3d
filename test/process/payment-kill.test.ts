import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killPoints } from './buyer.ts'
import { brokenPromises, buyer, killAtRandom, outcome } from './killed-buyers.ts'

/** The test starts dozens of processes, one after another, on any machine. */
const TIMEOUT_MS = 600_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-payment-kill-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a buyer that is killed', () => {
  it('nowhere has paid once, and has all of it', async () => {
    expect((await buyer({ folder })).messages).toEqual(['started', 'bought'])
    const end = await outcome(folder)
    expect(end).toMatchObject({
      paid: [expect.any(String)],
      report: { payments: [{ state: 'delivered', whole: true }], day: '15000', held: '0' },
    })
    expect(brokenPromises(end)).toEqual([])
  })

  it(
    'at every step, with the next one racing another for its place, never pays twice and loses nothing',
    async () => {
      for (const killAt of killPoints) {
        const [first, second] = await Promise.all([buyer({ folder, killAt }), buyer({ folder, killAt })])
        // One of the two gets the folder; the other is refused, or gets the folder afterwards.
        expect([killAt, [first, second].some(({ signal }) => signal === 'SIGKILL')]).toEqual([killAt, true])
      }
      const end = await outcome(folder)
      expect(brokenPromises(end)).toEqual([])
      const states = new Set(end.report.payments.map(({ state }) => state))
      expect(states.has('delivered') && states.has('expired')).toBe(true)
      // A purchase whose process was killed before it asked the wallet isn't paid, and the report shows this.
      expect(end.report.payments.length).toBeGreaterThan(end.paid.length)
    },
    TIMEOUT_MS,
  )

  it(
    'at random, twenty times, with purchases, videos and top-ups and a wallet that answers late, twice or wrongly: all two hundred are in `npm run fuzz`',
    async () => {
      expect(await killAtRandom(folder, 20, 6, true)).toBeGreaterThanOrEqual(20)
      const end = await outcome(folder)
      expect(brokenPromises(end)).toEqual([])
      // Some processes were killed before they asked the wallet, and some after.
      expect(end.paid.length).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})
