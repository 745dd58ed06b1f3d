/** What became of a request: only the attested enclave can read the body; the service can; or nothing left this machine. */
export const privacyWords = ['sealed', 'forwarded', 'refused'] as const
export type Privacy = (typeof privacyWords)[number]

/** Model ids with this prefix run in enclaves (specification, Chat). */
const PRIVATE_PREFIX = 'private/'

export function isPrivateModel(id: string): boolean {
  return id.startsWith(PRIVATE_PREFIX)
}
