import { randomInt } from 'node:crypto'
import { z } from 'zod'

const chosen = z
  .object({
    SOTTO_FUZZ_BIT_STEP: z.coerce.number().int().min(1).default(1),
    SOTTO_FUZZ_SEED: z.coerce.number().int().min(0).optional(),
  })
  .parse(process.env)

/** Every how many bits one is flipped: 1 flips every bit. An odd step reaches every bit position within a byte. */
export const step = chosen.SOTTO_FUZZ_BIT_STEP
const seed = chosen.SOTTO_FUZZ_SEED ?? randomInt(step)
/** The first bit of a run. It is random, so that several runs together cover all bits. */
export const from = seed % step

/** Reports which bits were flipped, and how to flip the same bits again. */
export const sample =
  step === 1
    ? 'every bit'
    : `one bit in ${step}, from bit ${from} (SOTTO_FUZZ_BIT_STEP=${step} SOTTO_FUZZ_SEED=${seed})`
