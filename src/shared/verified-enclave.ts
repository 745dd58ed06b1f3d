import { z } from 'zod'
import { verdictSchema } from './verdict.ts'

/** What an enclave was when it was verified. Two verdicts that agree in all of it are of the same enclave. */
export const enclaveIdentitySchema = verdictSchema.pick({
  trust: true,
  enclaveHost: true,
  platform: true,
  measurement: true,
  registers: true,
  release: true,
  hpkePublicKey: true,
  tlsKeyFingerprint: true,
})
export type EnclaveIdentity = z.infer<typeof enclaveIdentitySchema>

/** One line of the change log of what was verified. Times in Unix ms. */
export const verifiedEnclaveSchema = enclaveIdentitySchema.extend({
  id: z.string(),
  /** Not part of the identity: each server has its own keys, and only fresh evidence names the server. The last one named. */
  machine: verdictSchema.shape.machine,
  firstSeenAt: z.number(),
  /** When it last took the place of another one. */
  sinceAt: z.number(),
  lastSeenAt: z.number(),
  /** SHA-256 of the evidence that is kept with it: that of its first verdict. */
  evidenceDigest: z.string(),
  /** False where the evidence was too large to be kept. */
  hasProof: z.boolean(),
})
export type VerifiedEnclave = z.infer<typeof verifiedEnclaveSchema>
