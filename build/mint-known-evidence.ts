import { createPublicKey } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxProfile } from '../src/sandbox/profile.ts'
import { bootEnclave } from '../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../src/sandbox/world/evidence.ts'
import { Rekor } from '../src/sandbox/world/rekor.ts'
import { loadRoots } from '../src/sandbox/world/roots.ts'
import type { AttestationPolicy, Platform } from '../src/shared/policy/attestation-policy.ts'
import type { SandboxPlatform } from '../src/shared/sandbox-faults.ts'

/** The time at which the evidence is created and always verified. */
const AT = Date.UTC(2026, 8, 1)
const NONCE = Buffer.alloc(32, 7)
const FOLDER = join(import.meta.dirname, '../src/verifier/known-answers')

const names = { sevSnp: 'sev-snp', tdx: 'tdx', nitro: 'nitro' } as const satisfies Record<
  Platform,
  SandboxPlatform
>

/**
 * Writes the evidence for the verifier's known answers, one file for each platform. All keys are created
 * for it and discarded: no one can sign anything else under these roots, and nothing else is verified by
 * them. Run it again only when the format of the sandbox's evidence changes.
 */
async function mintKnownEvidence(): Promise<void> {
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has no policy')
  const folder = await mkdtemp(join(tmpdir(), 'known-evidence-'))
  const roots = await loadRoots(folder, () => true)
  await rm(folder, { recursive: true })
  const rekor = new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey)
  const { trust } = roots
  for (const [platform, name] of Object.entries(names)) {
    const evidence = await mintEvidence({
      platform: name,
      roots,
      rekor,
      keys: bootEnclave(),
      faults: new Set(),
      nonce: NONCE,
      now: AT,
    })
    const known = {
      at: AT,
      ...(platform === 'nitro' && { nonce: NONCE.toString('base64') }),
      roots: {
        ...(platform === 'sevSnp' && {
          amd: Object.fromEntries(
            Object.entries(trust.amd).map(([product, { ark, ask }]) => [
              product,
              { ark: base64(ark), ask: base64(ask) },
            ]),
          ),
        }),
        ...(platform === 'tdx' && trust.intelSgxRoot && { intelSgx: base64(trust.intelSgxRoot) }),
        ...(platform === 'nitro' && trust.awsNitroRoot && { awsNitro: base64(trust.awsNitroRoot) }),
        sigstore: trust.sigstoreTrustedRoot,
      },
      policy: onlyOf(policy, platform),
      evidence,
    }
    await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(known, null, 1)}\n`)
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The policy without the other platforms. */
function onlyOf(policy: AttestationPolicy, platform: string): Partial<AttestationPolicy> {
  return Object.fromEntries(Object.entries(policy).filter(([part]) => part === platform || !(part in names)))
}

if (import.meta.main) await mintKnownEvidence()
