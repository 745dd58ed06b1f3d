import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { brokenPromises, killAtRandom, outcome } from '../process/killed-buyers.ts'

const KILLS = 200

/**
 * The message of a failed run contains its seed. The same seed gives the same delays, but not always the same
 * timing.
 */
it.each([false, true])(
  'two hundred buyers that are killed at random, many racing another, never pay twice and lose nothing; varied: %s',
  async (varied) => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-payment-kill-'))
    const seed = Number(process.env['SOTTO_FUZZ_SEED'] ?? Date.now() % 1_000_000)
    try {
      expect(await killAtRandom(folder, KILLS, seed, varied)).toBeGreaterThanOrEqual(KILLS)
      const end = await outcome(folder)
      expect({ seed, broken: brokenPromises(end) }).toEqual({ seed, broken: [] })
      expect(end.paid.length).toBeGreaterThan(KILLS / 10)
      expect(new Set(end.report.payments.map(({ state }) => state))).toContain('expired')
      if (varied)
        expect(
          new Set(end.report.payments.filter(({ state }) => state === 'delivered').map(({ kind }) => kind)),
        ).toEqual(new Set(['image', 'video', 'topup']))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  3_600_000,
)
