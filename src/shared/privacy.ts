/**
 * Who could read a request. `sealed`: only the verified enclave that serves the model. `relayed`: the service's verified enclave and the
 * model's provider, and not the service. `forwarded`: the service too. `refused`: nothing left this computer.
 */
export const privacyWords = ['sealed', 'relayed', 'forwarded', 'refused'] as const
export type Privacy = (typeof privacyWords)[number]

/** Model ids with this prefix run in enclaves (specification, Chat). */
const PRIVATE_PREFIX = 'private/'

export function isPrivateModel(id: string): boolean {
  return id.startsWith(PRIVATE_PREFIX)
}
