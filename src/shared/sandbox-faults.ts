import { z } from 'zod'

/** What the sandbox's enclave can stand on. */
export const sandboxPlatforms = { 'sev-snp': 'AMD SEV-SNP', tdx: 'Intel TDX', nitro: 'AWS Nitro' } as const

export type SandboxPlatform = keyof typeof sandboxPlatforms

export const sandboxPlatformSchema = z.enum(['sev-snp', 'tdx', 'nitro'])

interface FaultDescription {
  /** What it would be in the world. */
  readonly says: string
  /** Where it has a meaning; on the others the switch does nothing. */
  readonly platforms: readonly SandboxPlatform[]
  /** `proof`: nothing may be sent. `answer`: the proof is sound, and what comes after the sealed request is not. */
  readonly spoils: 'proof' | 'answer'
}

const everywhere = ['sev-snp', 'tdx', 'nitro'] as const
const sevAndTdx = ['sev-snp', 'tdx'] as const

/** What the sandbox can be told to do wrong. */
export const sandboxFaults = {
  'other-measurement': { says: 'The enclave runs other code than the release that was logged.', platforms: everywhere, spoils: 'proof' },
  'swapped-key': { says: 'Somebody offers an encryption key of their own beside genuine evidence.', platforms: everywhere, spoils: 'proof' },
  'debug-guest': { says: 'The enclave was started in debug mode, so its host can read its memory.', platforms: everywhere, spoils: 'proof' },
  'old-tcb': { says: 'The machine’s firmware is below the policy’s floor.', platforms: sevAndTdx, spoils: 'proof' },
  'expired-certificate': { says: 'The certificate of the machine has expired.', platforms: everywhere, spoils: 'proof' },
  'revoked-certificate': { says: 'The maker of the processor has revoked the certificate that vouches for the machine.', platforms: sevAndTdx, spoils: 'proof' },
  'expired-collateral': { says: 'What the maker of the processor said of its machines is out of date: a newer word is withheld.', platforms: sevAndTdx, spoils: 'proof' },
  'missing-collateral': { says: 'What the maker of the processor says of its machines is left out.', platforms: ['tdx'], spoils: 'proof' },
  'tcb-out-of-date': { says: 'Intel lists the machine’s firmware as out of date.', platforms: ['tdx'], spoils: 'proof' },
  'rtmr3-not-zero': { says: 'Something was loaded into the enclave after it had started.', platforms: ['tdx'], spoils: 'proof' },
  'other-hardware': { says: 'The enclave was started on virtual hardware that nobody vouches for.', platforms: ['tdx'], spoils: 'proof' },
  'forged-hardware-list': { says: 'The list of virtual hardware was signed by somebody else.', platforms: ['tdx'], spoils: 'proof' },
  'wrong-nonce': { says: 'The evidence answers somebody else’s question: it is an old one, shown again.', platforms: ['nitro'], spoils: 'proof' },
  'wrong-repository': { says: 'The release was signed for another repository.', platforms: sevAndTdx, spoils: 'proof' },
  'other-host': { says: 'The evidence belongs to another enclave host.', platforms: everywhere, spoils: 'proof' },
  'older-release': { says: 'The enclave was rolled back to an older, genuine release.', platforms: sevAndTdx, spoils: 'proof' },
  'oversized-evidence': { says: 'The evidence is far larger than it may be.', platforms: everywhere, spoils: 'proof' },
  'gzip-bomb': { says: 'The evidence unpacks to a huge size.', platforms: everywhere, spoils: 'proof' },
  'key-rotation': { says: 'The enclave takes a new key between the proof and the request.', platforms: everywhere, spoils: 'answer' },
  'plaintext-200': { says: 'Something answers in the open in the enclave’s place.', platforms: everywhere, spoils: 'answer' },
  'cut-inside-frame': { says: 'The answer is cut inside an encrypted frame.', platforms: everywhere, spoils: 'answer' },
  'cut-on-frame-boundary': { says: 'The answer is cut between two encrypted frames.', platforms: everywhere, spoils: 'answer' },
  'stalled-stream': { says: 'The answer stops and the connection stays open.', platforms: everywhere, spoils: 'answer' },
  'status-401': { says: 'The service refuses the key.', platforms: everywhere, spoils: 'answer' },
  'status-402': { says: 'The balance is used up.', platforms: everywhere, spoils: 'answer' },
  'status-429': { says: 'The service asks to slow down.', platforms: everywhere, spoils: 'answer' },
  'status-500-html': { says: 'The service fails with a web page.', platforms: everywhere, spoils: 'answer' },
} as const satisfies Readonly<Record<string, FaultDescription>>

export type SandboxFault = keyof typeof sandboxFaults

export const sandboxFaultSchema = z.string().refine((name): name is SandboxFault => Object.hasOwn(sandboxFaults, name))

const faults: Readonly<Record<SandboxFault, FaultDescription>> = sandboxFaults

/** The faults that mean something on a platform, in order. */
export function faultsOn(platform: SandboxPlatform): SandboxFault[] {
  return sandboxFaultNames.filter((fault) => faults[fault].platforms.includes(platform))
}

export const sandboxFaultNames: readonly SandboxFault[] = Object.keys(sandboxFaults).filter((name): name is SandboxFault => Object.hasOwn(sandboxFaults, name))
