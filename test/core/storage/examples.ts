import { PROOF_FORMAT, type Proof } from '../../../src/shared/proof.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'

export const KEY = new Uint8Array(32).fill(7)
export const OTHER_KEY = new Uint8Array(32).fill(8)

/** A clock that goes one millisecond at each look. */
export function ticking(): () => number {
  let at = 1_800_000_000_000
  return () => at++
}

export function receipt(id: string, change: Partial<Receipt> = {}): Receipt {
  return {
    id,
    at: 1_800_000_000_000,
    caller: { kind: 'proxy', localKeyId: 'key-1' },
    service: 'service',
    model: 'private/canary-model',
    path: '/v1/chat/completions',
    privacy: 'sealed',
    outcome: 'complete',
    enclave: {
      host: 'canary-host.example',
      measurement: 'ab'.repeat(48),
      verifiedAt: 1,
      evidenceDigest: 'cd'.repeat(32),
      hpkePublicKey: 'ef'.repeat(32),
    },
    requestDigest: '01'.repeat(32),
    bytesSent: 100,
    bytesReceived: 200,
    usage: { prompt: 10, completion: 20 },
    estimate: { least: '1', most: '1000000000000000000000' },
    cost: '12345678901234567890',
    ...change,
  }
}

export function verdict(
  digest: string,
  loggedAt: number | undefined,
  change: Partial<Verdict> = {},
): Verdict {
  return {
    good: true,
    steps: [],
    trust: 'built-in',
    enclaveHost: 'enclave.example',
    release: {
      repository: 'owner/name',
      tag: `v-${digest}`,
      digest,
      ...(loggedAt !== undefined && { loggedAt }),
    },
    verifiedAt: 1,
    validUntil: 2,
    evidenceDigest: '00',
    ...change,
  }
}

/** As large as its evidence. */
export function proof(of: Verdict, evidenceBytes = 12): Proof {
  return {
    format: PROOF_FORMAT,
    savedAt: '2026-01-01T00:00:00.000Z',
    evidence: Buffer.alloc(evidenceBytes, 'canary evidence').toString('base64'),
    policy: { enclaveHost: of.enclaveHost },
    trust: { name: of.trust, roots: [{ name: 'A root', sha256: '12'.repeat(32) }] },
    verdict: { ...of, evidenceDigest: '34'.repeat(32) },
  }
}
