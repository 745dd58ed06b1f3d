import type { AttestationPolicy, Platform } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import { Authenticated } from '../authenticated.ts'
import { runStage, type Checklist, type StageResult } from '../checklist.ts'
import { compareMeasurements, type Measurement } from '../measurement.ts'
import type { AttestedKeys } from '../report-data.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { isBelowExpected } from '../sev-snp/index.ts'
import { MULTI_PLATFORM_PREDICATE, type Provenance } from '../sigstore/index.ts'
import { toHex, type Text } from '../text.ts'
import { hashSections, reportDataOf } from './binding.ts'
import { readV3Document, V3DocumentError, type CryptoItem, type V3Document } from './document.ts'
import { firstFault, type Finding } from './finding.ts'
import { checkHardware, type Hardware } from './hardware.ts'
import { directPlan, v3Plan, type V3Step } from './plan.ts'
import type { PlatformEndorsements } from './platform-endorsements.ts'
import * as sev from './sev-policy.ts'
import { checkStatements, type Statements } from './statements.ts'
import * as tdx from './tdx-policy.ts'

export { ATTESTATION_V3, MAX_V3_BYTES } from './document.ts'
export { v3Plan } from './plan.ts'

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
  /** What the service's own evidence proved. Absent without a service: the plan then has no step that compares with it. */
  readonly relayed?: {
    readonly keys: AttestedKeys
    readonly release: { readonly tag: string; readonly digest: string }
  }
}

/** What fresh evidence proves. */
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

const TLS_KEY = 'https://tinfoil.sh/key/spki-fp-sha256/v1'
const HPKE_KEY = 'https://tinfoil.sh/key/x25519-hpke/v1'
const KEY_HEX = 64

/**
 * Judges an attestation document v3: made for our nonce, by a machine that the publisher runs now, with a release that the publisher
 * confirmed within seven days, and with the keys that the service's evidence named, if there is a service. Pure; never throws.
 */
export function verifyV3(input: V3Input): StageResult<Authenticated<FreshEvidence>> {
  return runStage<V3Step, Authenticated<FreshEvidence>>(input.relayed ? v3Plan : directPlan, (checks) =>
    judge(checks, input),
  )
}

function judge(
  checks: Checklist<V3Step>,
  { document: bytes, nonce, trust, policy, seen, now, relayed }: V3Input,
): Authenticated<FreshEvidence> {
  const { nonceBound, code } = policy
  if (!nonceBound) throw new Error('fresh evidence is judged without its rules')
  const document = takeDocument(checks, bytes)
  const reportData = checkBinding(checks, document, nonce)
  const statements = checkStatements(checks, document.collateral, {
    ...nonceBound,
    code,
    trustedRoot: trust.sigstoreTrustedRoot,
    now,
  })
  const hardware = checkHardware(checks, document, { trust, policy, seen, now })
  checks.record(
    'v3/signed',
    hardware.reportData === reportData ? undefined : 'envelope/report-data-mismatch',
    reportData,
    hardware.reportData,
  )
  const machine = checkMachine(checks, hardware, statements.endorsements)
  checkRelease(checks, hardware, statements)
  checkPolicy(checks, hardware, machine, statements)
  const keys = takeKeys(checks, document)
  if (relayed) checkSameEnclave(checks, keys, statements, relayed)
  const devices = msg('{count, plural, one {# device} other {# devices}}', { count: document.devices.length })
  checks.notChecked(
    'v3/devices',
    msg('NVIDIA’s own verdict on each device'),
    document.devices.length === 0 ? msg('no devices') : devices,
  )
  return Authenticated.by(checks, 'v3/signed', {
    machine: { identity: hardware.identity, policy: machine },
    keys,
    release: provenanceOf(statements),
    platform: hardware.platform === 'tdx' ? 'tdx' : 'sevSnp',
    measurement: hardware.measurement,
    belowExpectedTcb:
      hardware.platform === 'sev-snp' &&
      policy.sevSnp !== undefined &&
      isBelowExpected(hardware.report, hardware.product, policy.sevSnp),
    notAfter: Math.min(hardware.notAfter, statements.expiresAt),
  })
}

function takeDocument(checks: Checklist<V3Step>, bytes: Uint8Array): V3Document {
  const expected = msg('a document with exactly the known members')
  try {
    const document = readV3Document(bytes)
    checks.pass('v3/document', expected, expected)
    return document
  } catch (error) {
    if (error instanceof V3DocumentError)
      return checks.fail('v3/document', error.code, expected, error.observed)
    throw error
  }
}

/** @returns what the hardware must have signed, in hex */
function checkBinding(checks: Checklist<V3Step>, document: V3Document, nonce: Uint8Array): string {
  const ours = toHex(nonce)
  checks.record(
    'v3/nonce',
    document.nonce === ours ? undefined : 'envelope/nonce-mismatch',
    ours,
    document.nonce,
  )
  const hashes = hashSections(document)
  const { cryptoMaterial, deviceEvidence } = document.endorsed
  const stated = hashes.cryptoMaterial === cryptoMaterial && hashes.deviceEvidence === deviceEvidence
  if (!stated)
    checks.fail(
      'v3/hashes',
      'envelope/section-hash-mismatch',
      `${hashes.cryptoMaterial}, ${hashes.deviceEvidence}`,
      `${cryptoMaterial}, ${deviceEvidence}`,
    )
  const reportData = reportDataOf(nonce, hashes)
  checks.record(
    'v3/hashes',
    document.reportData === reportData ? undefined : 'envelope/report-data-mismatch',
    reportData,
    document.reportData,
  )
  return reportData
}

/** @returns the name of the machine's policy */
function checkMachine(
  checks: Checklist<V3Step>,
  { identity, platform }: Hardware,
  { machines, policies }: PlatformEndorsements,
): string {
  const expected = msg('one of {count} servers', { count: Object.keys(machines).length })
  const name = Object.hasOwn(machines, identity) ? machines[identity] : undefined
  if (name === undefined) return checks.fail('v3/machine', 'policy/machine-not-endorsed', expected, identity)
  const fits = policies[name]?.platform === platform
  checks.record('v3/machine', fits ? undefined : 'policy/platform-mismatch', expected, `${identity}, ${name}`)
  return name
}

function checkRelease(
  checks: Checklist<V3Step>,
  { measurement }: Hardware,
  { registers: { snp, rtmr1 = '', rtmr2 = '' } }: Statements,
): void {
  const released = [snp, rtmr1, rtmr2]
  const fault = compareMeasurements({ type: MULTI_PLATFORM_PREDICATE, registers: released }, measurement)
  checks.record(
    'v3/measurement',
    fault && 'measurement/mismatch',
    released.join(', '),
    measurement.registers.join(', '),
  )
}

function checkPolicy(
  checks: Checklist<V3Step>,
  hardware: Hardware,
  name: string,
  { endorsements, shape }: Statements,
): void {
  const policy = endorsements.policies[name]
  if (hardware.platform === 'sev-snp' && policy?.platform === 'sev-snp') {
    const { report, product } = hardware
    record(checks, 'v3/settings', name, sev.settingsOf(report, product, policy.sev_snp))
    record(checks, 'v3/firmware', name, sev.firmwareOf(report, product, policy.sev_snp))
  } else if (hardware.platform === 'tdx' && policy?.platform === 'tdx') {
    const { evidence } = hardware
    record(checks, 'v3/settings', name, [
      ...tdx.settingsOf(evidence, policy.tdx),
      tdx.hardwareOf(evidence, policy.tdx, endorsements, shape),
    ])
    record(checks, 'v3/firmware', name, tdx.firmwareOf(evidence, policy.tdx))
  }
}

function record(checks: Checklist<V3Step>, step: V3Step, policy: string, findings: Iterable<Finding>): void {
  const fault = firstFault(findings)
  const expected: Text = fault?.expected ?? msg('every value as in {policy}', { policy })
  checks.record(step, fault?.code, expected, fault?.observed ?? expected)
}

function takeKeys(checks: Checklist<V3Step>, { keys }: V3Document): AttestedKeys {
  const tls = takeKey(checks, keys, 'tls', TLS_KEY)
  const hpke = takeKey(checks, keys, 'hpke', HPKE_KEY)
  checks.pass('v3/keys', 'tls, hpke', `${tls}, ${hpke}`)
  return { tlsKeyFingerprint: Buffer.from(tls, 'hex'), hpkePublicKey: Buffer.from(hpke, 'hex') }
}

/** The keys must be those that the service's evidence named: otherwise it speaks of another enclave, or the keys are being changed. */
function checkSameEnclave(
  checks: Checklist<V3Step>,
  keys: AttestedKeys,
  { release }: Statements,
  relayed: NonNullable<V3Input['relayed']>,
): void {
  const [expected, observed] = [textOf(relayed.keys), textOf(keys)]
  if (observed !== expected) checks.fail('v3/same-enclave', 'keys/differ-from-service', expected, observed)
  const sameRelease = release.tag === relayed.release.tag && release.digest === relayed.release.digest
  checks.record(
    'v3/same-enclave',
    sameRelease ? undefined : 'release/differs-from-service',
    `${relayed.release.tag}, ${relayed.release.digest}`,
    `${release.tag}, ${release.digest}`,
  )
}

function textOf({ tlsKeyFingerprint, hpkePublicKey }: AttestedKeys): string {
  return `${toHex(tlsKeyFingerprint)}, ${toHex(hpkePublicKey)}`
}

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

function takeKey(checks: Checklist<V3Step>, keys: readonly CryptoItem[], id: string, format: string): string {
  const item = keys.find((key) => key.id === id)
  if (!item) return checks.fail('v3/keys', 'keys/missing', id, msg('none'))
  if (item.format !== format || item.data.length !== KEY_HEX)
    return checks.fail('v3/keys', 'keys/format', format, item.format)
  return item.data
}
