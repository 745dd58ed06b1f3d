import { z } from 'zod'
import { hexOf } from '../v3/schema.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import type { ImageAcceptance } from './types.ts'

const MAX_IMAGES = 16
const pcr0Schema = hexOf(48)

const savedSchema = z.discriminatedUnion('rule', [
  z.strictObject({
    rule: z.literal('published'),
    record: z.string().max(MAX_RECORD_BYTES).nullable(),
    newestSeen: z.iso.date().exactOptional(),
  }),
  z.strictObject({ rule: z.literal('approved'), images: z.array(pcr0Schema).max(MAX_IMAGES) }),
  z.strictObject({
    rule: z.literal('proven'),
    images: z.array(z.strictObject({ pcr0: pcr0Schema, commit: z.string().max(100) })).max(MAX_IMAGES),
  }),
])

/** Which images a verdict accepted, as a proof file has it: the record as text. */
export function writeAcceptance(acceptance: ImageAcceptance): z.infer<typeof savedSchema> {
  switch (acceptance.rule) {
    case 'published':
      return { ...acceptance, record: acceptance.record && Buffer.from(acceptance.record).toString('utf8') }
    case 'approved':
      return { rule: 'approved', images: [...acceptance.images] }
    case 'proven':
      return { rule: 'proven', images: acceptance.images.map((image) => ({ ...image })) }
  }
}

/** Reads the output of `writeAcceptance` from an untrusted file. Returns null for any other form. */
export function readAcceptance(saved: unknown): ImageAcceptance | null {
  const read = savedSchema.safeParse(saved)
  if (!read.success) return null
  return read.data.rule === 'published'
    ? { ...read.data, record: read.data.record === null ? null : Buffer.from(read.data.record) }
    : read.data
}
