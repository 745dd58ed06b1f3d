import type { Failure } from '../shared/contract/sotto-contract.ts'

/**
 * The exit codes that every command shares. A command line that can't be used never ends like a refusal, so that
 * scripts can tell a typing error from an answer.
 */
export const exits = { done: 0, refused: 1, unusable: 2, interrupted: 130 } as const

/** Errors in arguments, options, settings and input files. Each of them occurs before anything is sent. */
const UNUSABLE = new Set<string>([
  'request/invalid',
  'verify/argument',
  'database/address',
  'wallet/connection-invalid',
  'topup/amount-out-of-range',
  'library/not-conversations',
  'document/kind',
  'document/too-large',
  'studio/file-empty',
  'studio/file-too-large',
  'studio/image-type',
  'studio/image-malformed',
  'studio/image-too-large',
  'studio/audio-type',
  'studio/audio-too-large',
  'studio/audio-malformed',
  'studio/parameter-clash',
  'studio/upload-incomplete',
  'studio/text-encoding',
  'studio/no-texts',
  'studio/too-many-texts',
  'studio/text-too-long',
  'studio/csv-malformed',
  'studio/csv-empty',
  'studio/csv-rows',
  'studio/csv-column',
])

/** Returns 2 for input that can't be used, otherwise 1. */
export function exitOfFailure({ code }: Pick<Failure, 'code'>): number {
  return UNUSABLE.has(code) ? exits.unusable : exits.refused
}
