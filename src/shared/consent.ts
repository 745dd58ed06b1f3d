import { z } from 'zod'
import { messageSchema } from './conversation.ts'

/**
 * The purposes for which the user may allow once that content of a private conversation is readable by the
 * service.
 */
export const consentPurposes = [
  'continue',
  'compare',
  'web-search',
  'dictate',
  'read-aloud',
  'studio',
] as const
export const consentPurposeSchema = z.enum(consentPurposes)
export type ConsentPurpose = z.infer<typeof consentPurposeSchema>

/** How long a consent is valid, in ms. */
export const CONSENT_MS = 5 * 60_000

/** One message of what would be exposed: its first words, and how much it is. */
const exposedExcerptSchema = z.object({
  role: messageSchema.shape.role,
  text: z.string().max(200),
  characters: z.int().min(0),
  /** Names of what goes along with it. */
  attachments: z.array(z.string()),
})
export type ExposedExcerpt = z.infer<typeof exposedExcerptSchema>

const exposureSchema = z.object({
  /** The characters of the conversation's instructions, which are sent too; 0 if there are none. */
  instructions: z.int().min(0),
  messages: z.int().min(0),
  attachments: z.int().min(0),
  /** The characters of all messages. */
  characters: z.int().min(0),
  /** The last ones, the newest last. */
  excerpts: z.array(exposedExcerptSchema),
})
export type Exposure = z.infer<typeof exposureSchema>

export const consentPreviewSchema = z.object({
  consentId: z.string(),
  /** Unix ms. */
  expiresAt: z.number(),
  exposes: exposureSchema,
})
export type ConsentPreview = z.infer<typeof consentPreviewSchema>
