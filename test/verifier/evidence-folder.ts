import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { amdRootsFromPem, vendorRootFromPem } from '../../src/verifier/index.ts'
import type { SevPolicy } from '../../src/shared/policy/sev-snp.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import type { TrustSet } from '../../src/shared/trust.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '../shared/evidence')

/** Real evidence does not belong to this repository: tests that need it are skipped without it. */
export const evidenceIsThere = existsSync(folder)
if (!evidenceIsThere)
  console.log('Skipped: real attestation evidence is not beside this repository (../shared/evidence).')

export function realEvidence(path: string): Buffer {
  return readFileSync(join(folder, path))
}

export function resource(path: string): string {
  return readFileSync(join(root, 'resources', path), 'utf8')
}

export const amdRoots: TrustSet['amd'] = amdRootsFromPem({
  Genoa: resource('trust/ask_ark_genoa.pem'),
  Turin: resource('trust/ask_ark_turin.pem'),
  Milan: resource('trust/ask_ark_milan.pem'),
})

export const builtInTrust: TrustSet = {
  name: 'built-in',
  amd: amdRoots,
  sigstoreTrustedRoot: resource('trust/sigstore-trusted-root.json'),
  intelSgxRoot: vendorRootFromPem(resource('trust/intel-sgx-root-ca.pem')),
  awsNitroRoot: vendorRootFromPem(resource('trust/aws-nitro-root-g1.pem')),
}

/** Without the minimum log time, because the evidence is older than this version of Sotto. */
export function presetPolicy(): AttestationPolicy {
  const { minimumLogTime: _, ...policy } = wholePresetPolicy()
  return policy
}

export function wholePresetPolicy(): AttestationPolicy {
  const { policy } = profileSchema.parse(JSON.parse(resource('profiles/ppq.json')))
  if (!policy) throw new Error('the preset has no policy')
  return policy
}

export function presetSevPolicy(): SevPolicy {
  const { sevSnp } = presetPolicy()
  if (!sevSnp) throw new Error('the preset does not accept SEV-SNP')
  return sevSnp
}
