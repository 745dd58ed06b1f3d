export type { TrustSet } from '../verifier/types.ts'
