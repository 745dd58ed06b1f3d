import type { AttestationPolicy, Platform } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import type { Measurement } from '../measurement.ts'
import type { AttestedKeys } from '../report-data.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { isBelowExpected } from '../sev-snp/index.ts'
import type { Provenance } from '../sigstore/index.ts'
import { Authenticated, fail, notChecked, passUnless, Steps, type StepName } from '../steps.ts'
import { toHex } from '../text.ts'
import * as check from './checks.ts'
import type { V3Document } from './document.ts'
import { hardwareStep, type Hardware } from './hardware.ts'
import { statementSteps, type Statements } from './statements.ts'

export interface V3Input {
  /** The document as received: hostile. */
  readonly document: Uint8Array
  /** Our own copy of the nonce, 32 bytes. */
  readonly nonce: Uint8Array
  readonly trust: TrustSet
  readonly policy: AttestationPolicy
  /** The vendors' statements known before, and those seen now. */
  readonly seen?: SeenCollateral | undefined
  /** Unix ms. */
  readonly now: number
}

/** The keys and the release in the service's own evidence, which passed. */
export interface RelayedInput extends V3Input {
  readonly relayed: {
    readonly keys: AttestedKeys
    readonly release: { readonly tag: string; readonly digest: string }
  }
}

/** The facts that fresh evidence proves. */
export interface FreshEvidence {
  /** The machine as the publisher's list names it, and the policy that it must meet. */
  readonly machine: { readonly identity: string; readonly policy: string }
  readonly keys: AttestedKeys
  readonly release: Provenance
  readonly platform: Platform
  readonly measurement: Measurement
  /** The firmware passed, and is older than genuine machines report. */
  readonly belowExpectedTcb: boolean
  /** Unix ms: the earliest end of certificates, lists and witnesses. */
  readonly notAfter: number
}

/** If there is no document, a verdict lists only this step. */
export const documentName = {
  id: 'v3/document',
  title: 'Fresh evidence has the format of attestation document v3',
} as const satisfies StepName

/** Form, our nonce, signed statements, hardware, and then the content that the hardware signed. */
const beforeKeys = Steps.of<V3Input>()
  .add({
    ...documentName,
    run({ document, policy: { nonceBound } }) {
      if (!nonceBound) throw new Error('the policy has no rules for fresh evidence')
      const { added, ...finding } = check.readDocument(document)
      return { ...finding, added: { ...added, nonceBound } }
    },
  })
  .add({
    id: 'v3/nonce',
    title: 'Fresh evidence answers the random number that Sotto just sent',
    run({ parsed, nonce }) {
      const ours = toHex(nonce)
      return passUnless(parsed.nonce === ours ? undefined : 'envelope/nonce-mismatch', ours, parsed.nonce)
    },
  })
  .add({
    id: 'v3/hashes',
    title: 'Keys and devices in the fresh evidence match their hashes',
    run: ({ parsed, nonce }) => check.checkHashes(parsed, nonce),
  })
  .include(
    statementSteps,
    ({ parsed: { collateral }, nonceBound, policy: { code }, trust, now }) => ({
      collateral,
      signers: { ...nonceBound, code, trustedRoot: trust.sigstoreTrustedRoot, now },
    }),
    ({ statements }) => ({ statements }),
  )
  .add(hardwareStep)
  .add({
    id: 'v3/signed',
    title: 'Hardware signed the random number and the keys',
    run({ hardware, reportData }) {
      if (hardware.reportData !== reportData)
        return fail('envelope/report-data-mismatch', reportData, hardware.reportData)
      return Authenticated.signed(reportData, hardware.reportData, hardware, (signedHardware) => ({
        signedHardware,
      }))
    },
  })
  .add({
    id: 'v3/machine',
    title: 'Server is on the publisher’s list',
    run: ({ hardware, statements }) => check.checkMachine(hardware, statements.endorsements),
  })
  .add({
    id: 'v3/measurement',
    title: 'Server runs the code of the confirmed release',
    run: ({ hardware, statements }) => check.checkRelease(hardware, statements),
  })
  .add({
    id: 'v3/settings',
    title: 'Server is set up exactly as its publisher signed',
    run: ({ hardware, machinePolicy, statements }) =>
      check.checkSettings(hardware, machinePolicy, statements),
  })
  .add({
    id: 'v3/firmware',
    title: 'Server’s firmware meets its publisher’s minimum',
    run: ({ hardware, machinePolicy, statements }) =>
      check.checkFirmware(hardware, machinePolicy, statements),
  })
  .add({
    id: 'v3/keys',
    title: 'Fresh evidence contains both keys of the enclave',
    run: ({ parsed }) => check.readKeys(parsed),
  })

interface CheckedDocument {
  readonly parsed: V3Document
  readonly policy: AttestationPolicy
  readonly signedHardware: Authenticated<Hardware>
  readonly machinePolicy: string
  readonly keys: AttestedKeys
  readonly statements: Statements
}

/** The last step. After it, all of the document counts. */
const deviceSteps = Steps.of<CheckedDocument>().add({
  id: 'v3/devices',
  title: 'GPUs and switches are genuine',
  required: false,
  run({ parsed: { devices }, policy, signedHardware, machinePolicy, keys, statements }) {
    const count = devices.length
    const fresh = signedHardware.map((hardware): FreshEvidence => ({
      machine: { identity: hardware.identity, policy: machinePolicy },
      keys,
      release: provenanceOf(statements),
      platform: hardware.platform === 'tdx' ? 'tdx' : 'sevSnp',
      measurement: hardware.measurement,
      belowExpectedTcb:
        hardware.platform === 'sev-snp' &&
        policy.sevSnp !== undefined &&
        isBelowExpected(hardware.report, hardware.product, policy.sevSnp),
      notAfter: Math.min(hardware.notAfter, statements.expiresAt),
    }))
    return notChecked(
      msg('NVIDIA’s own verdict on each device'),
      count === 0 ? msg('no devices') : msg('{count, plural, one {# device} other {# devices}}', { count }),
      { fresh },
    )
  },
})

/**
 * Verifies an attestation document v3 in addition to the service's evidence: created for our nonce, by a
 * server that the publisher runs now, with a release that the publisher confirmed within seven days, and with
 * the keys in the service's evidence.
 */
export const v3Steps = Steps.of<RelayedInput>()
  .append(beforeKeys)
  .add({
    id: 'v3/same-enclave',
    title: 'Keys and release are those in the service’s evidence',
    run: ({ keys, statements, relayed }) => check.checkSameEnclave(keys, statements, relayed),
  })
  .append(deviceSteps)

/** The same without a service: there is no other evidence to compare keys and release with. */
export const directV3Steps = Steps.of<V3Input>().append(beforeKeys).append(deviceSteps)

function provenanceOf({
  release: { repository, tag, commit, digest, signed },
  registers,
}: Statements): Provenance {
  const {
    statement: { predicateType },
    logTime,
    certificate,
  } = signed
  return {
    repository,
    tag,
    commit,
    digest,
    predicateType,
    registers,
    logTime,
    certificateNotBefore: certificate.notBefore,
    certificateNotAfter: certificate.notAfter,
  }
}
