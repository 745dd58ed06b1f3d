import type { EnclaveIdentity, VerifiedEnclave } from './verified-enclave.ts'

/** The parts of an enclave that are compared. */
export type ComparedEnclave = EnclaveIdentity & Partial<Pick<VerifiedEnclave, 'machine'>>

/** One difference between two enclaves. A side is absent if that enclave doesn't have the property. */
export interface EnclaveChange {
  readonly kind: 'platform' | 'code' | 'release' | 'server' | 'key'
  readonly name: string
  readonly before?: string
  readonly after?: string
}

/** The differences between two verified enclaves, the most important first. */
export function changesBetween(before: ComparedEnclave, after: ComparedEnclave): EnclaveChange[] {
  const registers = [...new Set([...namesOf(before), ...namesOf(after)])]
  return [
    change('platform', 'Platform', before.platform, after.platform),
    change('release', 'Repository', before.release?.repository, after.release?.repository),
    change('release', 'Release', before.release?.tag, after.release?.tag),
    change('release', 'Release file (SHA-256)', before.release?.digest, after.release?.digest),
    ...registers.map((name) => change('code', name, valueOf(before, name), valueOf(after, name))),
    // A server that one of them doesn't name can be the same.
    ...(before.machine && after.machine
      ? [change('server', 'Server', before.machine.identity, after.machine.identity)]
      : []),
    change('key', 'Encryption key', before.hpkePublicKey, after.hpkePublicKey),
    change('key', 'TLS key (SHA-256)', before.tlsKeyFingerprint, after.tlsKeyFingerprint),
  ].flatMap((found) => found ?? [])
}

/** Summarizes the changes in one sentence. */
export function meaningOf(changes: readonly EnclaveChange[]): string {
  const changed = (kind: EnclaveChange['kind']) => changes.some((change) => change.kind === kind)
  if (changed('platform')) return 'The type of server has changed since last time.'
  if (changed('code') && changed('release')) return 'The enclave runs a different release than last time.'
  // Nitro’s documents name no release.
  if (changes.some(({ name }) => name === IMAGE)) return 'The enclave runs a different image than last time.'
  if (changed('code')) return 'The enclave’s measurement has changed since last time, but its release hasn’t.'
  if (changed('release')) return 'The release has changed since last time, but the measured code hasn’t.'
  if (changed('key'))
    return 'The code is the same, but the keys have changed. Enclaves create new keys at each start, and each server has its own.'
  return 'Nothing changed.'
}

const MEASUREMENT = 'Measurement'
/** The register of AWS Nitro that measures the whole image. */
const IMAGE = 'PCR0'

function namesOf({ registers, measurement }: EnclaveIdentity): string[] {
  return registers?.map(({ name }) => name) ?? (measurement === undefined ? [] : [MEASUREMENT])
}

function valueOf({ registers, measurement }: EnclaveIdentity, name: string): string | undefined {
  return registers
    ? registers.find((register) => register.name === name)?.hex
    : name === MEASUREMENT
      ? measurement
      : undefined
}

function change(
  kind: EnclaveChange['kind'],
  name: string,
  before: string | undefined,
  after: string | undefined,
): EnclaveChange | undefined {
  if (before === after) return undefined
  return { kind, name, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}
