import type { AttestationPolicy, Platform } from './policy.ts'
import type { TrustSet } from './contract.ts'
import type { EvidenceDocument } from './document.ts'
import { documentNameSteps, keyBindingSteps, nameSteps } from './enclave-certificate.ts'
import { nitroKeySteps, nitroSteps } from './nitro/index.ts'
import { ageSteps, matchSteps, pinSteps } from './release-checks.ts'
import type { SeenCollateral } from './seen-collateral.ts'
import { sevSteps } from './sev-snp/index.ts'
import { sigstoreSteps, type Provenance } from './sigstore/index.ts'
import { Steps, type Authenticated, type StepsResult } from './steps.ts'
import { tdxSteps } from './tdx/index.ts'
import type { Hardware } from './verification-result.ts'
import { virtualHardwareSteps } from './virtual-hardware.ts'

/** Everything else that a verdict on evidence depends on. */
export interface VerificationInput {
  readonly trust: TrustSet
  readonly policy: AttestationPolicy
  /** Unix ms. */
  readonly now: number
  readonly nonce?: Uint8Array
  /** The vendors' statements known before, and those of this verification. */
  readonly seen?: SeenCollateral
}

/** Whether the trust set has a root for the platform. */
export function hasRoot({ amd, intelSgxRoot, awsNitroRoot }: TrustSet, platform: Platform): boolean {
  switch (platform) {
    case 'sevSnp':
      return Object.keys(amd).length > 0
    case 'tdx':
      return intelSgxRoot !== undefined
    case 'nitro':
      return awsNitroRoot !== undefined
  }
}

type Document<P extends Platform> = Extract<EvidenceDocument, { readonly platform: P }>

interface Context<P extends Platform> extends VerificationInput {
  readonly document: Document<P>
}

type WithRelease = Context<'sevSnp'> | Context<'tdx'>

/** Who built the release, and how old it is. */
const releaseSteps = (policy: AttestationPolicy) =>
  Steps.of<WithRelease>()
    .include(
      sigstoreSteps,
      ({ document: { release }, trust, policy: { code }, now }) => ({
        bundle: release.sigstoreBundle,
        digest: release.digest,
        trustedRoot: trust.sigstoreTrustedRoot,
        policy: code,
        now,
      }),
      ({ release }) => ({ release }),
    )
    .include(ageSteps(policy), ({ release }) => ({ provenance: release.value }), nothing)

interface Measured {
  readonly document: EvidenceDocument
  readonly hardware: Authenticated<Hardware>
  readonly release?: Authenticated<Provenance>
}

const codeSteps = Steps.of<Required<Measured>>().include(
  matchSteps,
  ({ hardware, release }) => ({
    measurement: hardware.value.measurement,
    provenance: release.value,
  }),
  nothing,
)

const userPinSteps = (policy: AttestationPolicy) =>
  Steps.of<Measured>().include(
    pinSteps(policy),
    ({ document: { platform }, hardware, release }) => ({
      platform,
      measurement: hardware.value.measurement,
      provenance: release?.value,
    }),
    nothing,
  )

const sevSnpSteps = (policy: AttestationPolicy) =>
  Steps.of<Context<'sevSnp'>>()
    .include(
      sevSteps,
      ({ document, trust, policy: { sevSnp }, seen, now }) => ({
        report: document.report,
        vcek: document.vcek,
        crl: document.collateral.amdCrl,
        seen,
        roots: trust.amd,
        policy: required(sevSnp),
        now,
      }),
      ({ hardware, keys }) => ({ hardware, keys }),
    )
    .append(keyBindingSteps)
    .append(releaseSteps(policy))
    .append(codeSteps)
    .append(userPinSteps(policy))
    .append(nameSteps)
    .append(documentNameSteps)

const intelSteps = (policy: AttestationPolicy) =>
  Steps.of<Context<'tdx'>>()
    .include(
      tdxSteps,
      ({ document, trust, policy: { tdx }, seen, now }) => ({
        quote: document.report,
        collateral: document.collateral.intelPcs,
        seen,
        root: required(trust.intelSgxRoot),
        policy: required(tdx),
        now,
      }),
      ({ hardware, keys }) => ({ hardware, keys }),
    )
    .append(keyBindingSteps)
    .append(releaseSteps(policy))
    .include(
      virtualHardwareSteps,
      ({ hardware, document, trust, policy: { tdx }, now }) => ({
        measurement: hardware.value.measurement,
        statement: document.collateral.hardwareStatement,
        signer: { trustedRoot: trust.sigstoreTrustedRoot, policy: required(tdx).hardware, now },
      }),
      nothing,
    )
    .append(codeSteps)
    .append(userPinSteps(policy))
    .append(nameSteps)
    .append(documentNameSteps)

/** The policy lists the accepted images, so no release has a part in it. */
const awsSteps = (policy: AttestationPolicy, nonceIsGiven: boolean) =>
  Steps.of<Context<'nitro'>>()
    .include(
      nitroSteps(nonceIsGiven).append(nitroKeySteps),
      ({ document, trust, policy: { nitro }, nonce, now }) => ({
        document: document.report,
        root: required(trust.awsNitroRoot),
        policy: required(nitro),
        nonce,
        now,
      }),
      ({ hardware, keys }) => ({ hardware, keys }),
    )
    .append(keyBindingSteps)
    .append(userPinSteps(policy))
    .append(nameSteps)

/** Verifies evidence after its document was read: hardware, keys, release, code and names. */
export function verifyDocument(document: EvidenceDocument, input: VerificationInput): StepsResult<object> {
  const { policy, nonce } = input
  switch (document.platform) {
    case 'sevSnp':
      return sevSnpSteps(policy).verify({ ...input, document })
    case 'tdx':
      return intelSteps(policy).verify({ ...input, document })
    case 'nitro':
      return awsSteps(policy, nonce !== undefined).verify({ ...input, document })
  }
}

/** The list that `verifyDocument` runs for the platform. */
export function stepsOf(
  platform: Platform,
  { policy, nonce }: Pick<VerificationInput, 'policy' | 'nonce'>,
): Pick<Steps<never, object>, 'names' | 'notReached'> {
  switch (platform) {
    case 'sevSnp':
      return sevSnpSteps(policy)
    case 'tdx':
      return intelSteps(policy)
    case 'nitro':
      return awsSteps(policy, nonce !== undefined)
  }
}

/** The result of a list whose steps add nothing for later ones. */
function nothing(): object {
  return {}
}

/** The format step accepts only a platform with rules and a root. */
function required<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('evidence is verified without rules or a root of its platform')
  return part
}
