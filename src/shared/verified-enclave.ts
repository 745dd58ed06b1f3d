import { z } from 'zod'
import { verdictSchema } from './verdict.ts'

/**
 * The identity of an enclave when it was verified. Two verdicts with equal members are of the same enclave.
 */
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

/** One line of the change log of verified enclaves. Times in Unix ms. */
export const verifiedEnclaveSchema = enclaveIdentitySchema.extend({
  id: z.string(),
  /** Not part of the identity: each server has its own keys, and only fresh evidence names the server. The last one named. */
  machine: verdictSchema.shape.machine,
  firstSeenAt: z.number(),
  /** When it last took the place of another one. */
  sinceAt: z.number(),
  lastSeenAt: z.number(),
  /** SHA-256 of the evidence that is stored with it: that of its first verdict. */
  evidenceDigest: z.string(),
  /** False if the evidence was too large to store. */
  hasProof: z.boolean(),
})
export type VerifiedEnclave = z.infer<typeof verifiedEnclaveSchema>
