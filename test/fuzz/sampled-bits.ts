import { randomInt } from 'node:crypto'
import { z } from 'zod'

const chosen = z
  .object({
    SOTTO_FUZZ_BIT_STEP: z.coerce.number().int().min(1).default(1),
    SOTTO_FUZZ_SEED: z.coerce.number().int().min(0).optional(),
  })
  .parse(process.env)

/** One bit in so many is flipped: 1 is every bit. An odd step meets every place within a byte. */
export const step = chosen.SOTTO_FUZZ_BIT_STEP
const seed = chosen.SOTTO_FUZZ_SEED ?? randomInt(step)
/** Where a run begins: another each time, so that runs add up to the whole. */
export const from = seed % step

/** Says which bits were flipped, and how to flip the same again. */
export const sample =
  step === 1
    ? 'every bit'
    : `one bit in ${step}, from bit ${from} (SOTTO_FUZZ_BIT_STEP=${step} SOTTO_FUZZ_SEED=${seed})`
