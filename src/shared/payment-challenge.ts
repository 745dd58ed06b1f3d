import { z } from 'zod'

/**
 * BOLT 11 text in lower case. The decoder checks its checksum, amount and network; this schema only
 * restricts its characters.
 */
export const bolt11Schema = z
  .string()
  .max(4096)
  .regex(/^ln[a-z]{1,10}[0-9]*[munp]?1[02-9ac-hj-np-z]{20,}$/)

/** The parameters of a complete challenge of the HTTP "Payment" scheme, as they came: a credential echoes them unchanged. */
export const challengeEchoSchema = z.object({
  id: z.string(),
  realm: z.string(),
  method: z.string(),
  intent: z.string(),
  request: z.string(),
  expires: z.string().optional(),
  digest: z.string().optional(),
  opaque: z.string().optional(),
  description: z.string().optional(),
})

/**
 * A parsed 402 challenge that isn't verified yet. The amount, network, expiry and payment hash of the
 * decoded invoice count, and the other members must agree with them.
 */
export const paymentChallengeSchema = z.object({
  scheme: z.enum(['payment', 'l402']),
  invoice: bolt11Schema,
  /** For `Authorization: L402 <token>:<preimage>`; safe in a header. */
  token: z.string().regex(/^[\w+/=.~:-]{1,4096}$/),
  /** Present if the challenge also allows the credential `Authorization: Payment <base64url JSON>`. */
  echo: challengeEchoSchema.optional(),
  stated: z.object({
    amountSat: z
      .string()
      .regex(/^\d{1,16}$/)
      .optional(),
    network: z.string().max(20).optional(),
    /** 64 lower-case hex digits. */
    paymentHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
  /** Unix ms, by the header; the invoice has an end of its own. */
  expiresAt: z.number().optional(),
  /** RFC 9530: the body that is sent again must have it. */
  digest: z.string().optional(),
  /** The service's text, only for display. */
  description: z.string().optional(),
})
export type PaymentChallenge = z.infer<typeof paymentChallengeSchema>
