import { z } from 'zod'

/** The platforms of the sandbox's enclave. */
export const sandboxPlatforms = { 'sev-snp': 'AMD SEV-SNP', tdx: 'Intel TDX', nitro: 'AWS Nitro' } as const

export type SandboxPlatform = keyof typeof sandboxPlatforms

export const sandboxPlatformSchema = z.enum(['sev-snp', 'tdx', 'nitro'])

interface FaultDescription {
  /** The real event that the fault simulates. */
  readonly description: string
  /** The platforms on which the fault has an effect. */
  readonly platforms: readonly SandboxPlatform[]
  /** `proof`: nothing may be sent. `answer`: the proof is sound, and what comes after the sealed request is not. */
  readonly spoils: 'proof' | 'answer'
  /** Whose fault it is; missing: of the enclave that runs private models. The self-test plays only those. */
  readonly scope?: 'service-enclave'
}

const everywhere = ['sev-snp', 'tdx', 'nitro'] as const
const sevAndTdx = ['sev-snp', 'tdx'] as const
/** Not part of any platform's self-test: it refuses no private request, unless the policy requires document v3. */
const nowhere = [] as const

/** The faults that the sandbox can simulate. */
export const sandboxFaults = {
  'other-measurement': {
    description: 'The enclave runs different code from the logged release.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'swapped-key': {
    description: 'An attacker substitutes their own encryption key next to genuine evidence.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'debug-guest': {
    description: 'The enclave was started in debug mode, so its host can read its memory.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'old-tcb': {
    description: 'The server’s firmware is below the policy’s minimum.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'expired-certificate': {
    description: 'The server’s certificate has expired.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'revoked-certificate': {
    description: 'The processor maker has revoked the server’s certificate.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'expired-collateral': {
    description: 'The processor maker’s data is out of date, and newer data is withheld.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'missing-collateral': {
    description: 'The processor maker’s data about the server is missing.',
    platforms: ['tdx'],
    spoils: 'proof',
  },
  'tcb-out-of-date': {
    description: 'Intel lists the server’s firmware as out of date.',
    platforms: ['tdx'],
    spoils: 'proof',
  },
  'rtmr3-not-zero': {
    description: 'Something was loaded into the enclave after it started.',
    platforms: ['tdx'],
    spoils: 'proof',
  },
  'other-hardware': {
    description: 'The enclave was started on virtual hardware that isn’t in the signed list.',
    platforms: ['tdx'],
    spoils: 'proof',
  },
  'forged-hardware-list': {
    description: 'The list of virtual hardware was signed by someone else.',
    platforms: ['tdx'],
    spoils: 'proof',
  },
  'wrong-nonce': {
    description: 'The evidence was created for another request and replayed.',
    platforms: ['nitro'],
    spoils: 'proof',
  },
  'wrong-repository': {
    description: 'The release was signed for a different repository.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'other-host': {
    description: 'The evidence belongs to another enclave host.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'older-release': {
    description: 'The enclave was rolled back to an older, genuine release.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'oversized-evidence': {
    description: 'The evidence is far larger than allowed.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'gzip-bomb': {
    description: 'The evidence decompresses to a huge size.',
    platforms: everywhere,
    spoils: 'proof',
  },
  'key-rotation': {
    description: 'The enclave changes its key between verification and the request.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'plaintext-200': {
    description: 'Something replies unencrypted in place of the enclave.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'cut-inside-frame': {
    description: 'The reply is cut off inside an encrypted frame.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'cut-on-frame-boundary': {
    description: 'The reply is cut off between two encrypted frames.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'stalled-stream': {
    description: 'The reply stops, but the connection stays open.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'status-401': { description: 'The service rejects the API key.', platforms: everywhere, spoils: 'answer' },
  'status-402': { description: 'The balance is used up.', platforms: everywhere, spoils: 'answer' },
  'status-429': { description: 'The service is limiting requests.', platforms: everywhere, spoils: 'answer' },
  'status-500-html': {
    description: 'The service fails with a web page.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'error-inside-answer': {
    description: 'The service breaks off a reply with an error message, under status 200.',
    platforms: everywhere,
    spoils: 'answer',
  },
  'v3-other-nonce': {
    description: 'The enclave’s own document was created for another request and replayed.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'v3-other-key': {
    description: 'The enclave’s own document names another encryption key than the service’s evidence.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'v3-stale-witness': {
    description: 'No one has confirmed for eight days that the release is in use.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'v3-machine-unknown': {
    description: 'The server isn’t one of the publisher’s machines.',
    platforms: sevAndTdx,
    spoils: 'proof',
  },
  'v3-unavailable': {
    description: 'The enclave can’t provide its own document.',
    platforms: nowhere,
    spoils: 'proof',
  },
  'relay-other-image': {
    description: 'The service’s enclave runs an image that its record doesn’t name.',
    platforms: nowhere,
    spoils: 'proof',
    scope: 'service-enclave',
  },
  'relay-older-record': {
    description: 'The record of the service enclave’s images is a month old.',
    platforms: nowhere,
    spoils: 'proof',
    scope: 'service-enclave',
  },
  'relay-key-rotation': {
    description: 'The service’s enclave changes its key once, before the next request.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
  'relay-swapped-model': {
    description:
      'The service’s enclave asks the provider for another model, and its receipt names that model.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
  'relay-foreign-upstream': {
    description: 'The service’s enclave sends the request to a host that belongs to no known provider.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
  'relay-missing-receipt': {
    description: 'The reply has no routing receipt.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
  'relay-forged-receipt': {
    description: 'The routing receipt is signed with another key.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
  'relay-other-request': {
    description: 'The routing receipt belongs to another request.',
    platforms: nowhere,
    spoils: 'answer',
    scope: 'service-enclave',
  },
} as const satisfies Readonly<Record<string, FaultDescription>>

export type SandboxFault = keyof typeof sandboxFaults

/** The faults of the service's own enclave. */
export type ServiceEnclaveFault = {
  [Fault in SandboxFault]: (typeof sandboxFaults)[Fault] extends { readonly scope: 'service-enclave' }
    ? Fault
    : never
}[SandboxFault]

export const sandboxFaultSchema = z.string().refine(isSandboxFault)

export function isSandboxFault(name: string): name is SandboxFault {
  return Object.hasOwn(sandboxFaults, name)
}

const faults: Readonly<Record<SandboxFault, FaultDescription>> = sandboxFaults

/** The faults that mean something on a platform, in order. */
export function faultsOn(platform: SandboxPlatform): SandboxFault[] {
  return sandboxFaultNames.filter((fault) => faults[fault].platforms.includes(platform))
}

export const sandboxFaultNames: readonly SandboxFault[] = Object.keys(sandboxFaults).filter(isSandboxFault)

/** The faults of the service's own enclave, in order. */
export const serviceEnclaveFaultNames: readonly ServiceEnclaveFault[] = sandboxFaultNames.filter(
  (fault): fault is ServiceEnclaveFault => faults[fault].scope === 'service-enclave',
)
