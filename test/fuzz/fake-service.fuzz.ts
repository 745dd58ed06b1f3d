import { expect, it } from 'vitest'
import { createFakeService } from '../core/gateway/service/fake-service/index.ts'
import { walkAccount } from '../core/gateway/service/fake-service/walk-account.ts'
import { walkInference } from '../core/gateway/service/fake-service/walk-inference.ts'
import { parserRuns } from './hostile-bytes.ts'

/** The first 20 seeds are part of every test run; these are others. */
const FIRST_SEED = 1000
const seeds = Math.min(parserRuns, 500)

it.each(['A', 'B'] as const)(
  'the client reads a service of Revision %s as it means it, whatever the open shapes',
  async (revision) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      const fake = createFakeService({ seed, revision })
      try {
        await walkAccount(fake)
        await walkInference(fake)
      } catch (cause) {
        throw new Error(`seed ${String(seed)}, Revision ${revision}`, { cause })
      }
    }
    expect(seeds).toBeGreaterThan(0)
  },
)
