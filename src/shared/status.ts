import { z } from 'zod'
import { lockReasonSchema } from './lock-schema.ts'
import { localizedTextSchema } from './localized-text-schema.ts'
import { accountNameSchema } from './service-account.ts'

export const vaultKinds = ['keychain', 'file', 'memory'] as const
export const vaultStates = ['open', 'locked', 'passphrase-needed', 'damaged'] as const

const noticeSchema = z.object({
  /** Stable; an acknowledged notice does not come back until its cause does. */
  id: z.string(),
  says: localizedTextSchema,
  /** A lasting notice cannot be dismissed. */
  lasting: z.boolean(),
})
export type Notice = z.infer<typeof noticeSchema>
/** The beginning of the ID of the notice that entries of the service's lists can't be read. */
export const ENTRIES_SKIPPED = 'entries-skipped'

export const statusSchema = z.object({
  version: z.string(),
  service: z.object({
    profileId: z.string(),
    name: z.string(),
    kind: z.enum(['sandbox', 'service']),
    baseUrl: z.string(),
    revision: z.enum(['A', 'B']),
    /** Whether a policy has requirements for its enclave. */
    hasPolicy: z.boolean(),
    /** The provider's enclaves are reached without a service (`isDirect`). */
    direct: z.literal(true).optional(),
    enclaveHost: z.string().optional(),
    /** The enclave's own server can give fresh evidence, and the person hasn't chosen yet whether to ask it. */
    asksFreshEvidence: z.literal(true).optional(),
    /** According to the trust set in use, and nothing else. */
    trust: z.enum(['built-in', 'sandbox']),
    /** Present if its enclave converts documents; the fee of each call in dollars, if the service publishes it. */
    documentConversion: z.object({ priceUsd: z.string().optional() }).optional(),
    /** How chat with a model that isn't private is sent now. */
    openChat: z.enum(['relayed', 'forwarded']),
  }),
  /** Until one of the ways to start was chosen in this data folder. */
  firstStart: z.boolean(),
  vault: z.object({
    /** `memory` also while the disk refuses the store: a lock or an end would delete that. */
    kind: z.enum(vaultKinds),
    state: z.enum(vaultStates),
    /** Why it is locked, if it was open before. */
    lockedBy: lockReasonSchema.optional(),
    /** While it is open: after how many minutes without use it locks. */
    lockAfterMinutes: z.int().optional(),
  }),
  account: z.object({
    connected: z.boolean(),
    creditIdMasked: z.string().optional(),
    /** The local name of the account that pays. */
    name: accountNameSchema.optional(),
  }),
  proxy: z.object({
    /** On loopback. */
    baseUrl: z.string(),
    /** Whether it answers; it can be stopped. */
    serving: z.boolean(),
    /**
     * The address beyond this computer, if open; the certificate's SHA-256 (hex, with or without colons),
     * null without TLS.
     */
    reach: z.object({ baseUrl: z.string(), fingerprint: z.string().nullable() }).optional(),
  }),
  notices: z.array(noticeSchema),
})
export type Status = z.infer<typeof statusSchema>
