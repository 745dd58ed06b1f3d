import { msg } from '../message.ts'
import { compareMeasurements } from '../measurement.ts'
import type { AttestedKeys } from '../report-data.ts'
import { MULTI_PLATFORM_PREDICATE } from '../sigstore/index.ts'
import { fail, passed, passUnless, type Finding } from '../steps.ts'
import { toHex, type Text } from '../text.ts'
import { hashSections, reportDataOf } from './binding.ts'
import { readV3Document, V3DocumentError, type CryptoItem, type V3Document } from './document.ts'
import { firstFault, type RuleOutcome } from './finding.ts'
import type { Hardware } from './hardware.ts'
import type { PlatformEndorsements } from './platform-endorsements.ts'
import * as sev from './sev-policy.ts'
import type { Statements } from './statements.ts'
import * as tdx from './tdx-policy.ts'

const TLS_KEY = 'https://tinfoil.sh/key/spki-fp-sha256/v1'
const HPKE_KEY = 'https://tinfoil.sh/key/x25519-hpke/v1'
const KEY_HEX = 64

/** Parses the document, whose bytes are hostile. Fails with the code of the fault. */
export function readDocument(bytes: Uint8Array): Finding<{ readonly parsed: V3Document }> {
  const expected = msg('a document with exactly the known members')
  try {
    return passed(expected, expected, { parsed: readV3Document(bytes) })
  } catch (error) {
    if (error instanceof V3DocumentError) return fail(error.code, expected, error.observed)
    throw error
  }
}

/** Adds the value that the hardware must have signed, in hex. */
export function checkHashes(
  document: V3Document,
  nonce: Uint8Array,
): Finding<{ readonly reportData: string }> {
  const hashes = hashSections(document)
  const { cryptoMaterial, deviceEvidence } = document.endorsed
  const stated = hashes.cryptoMaterial === cryptoMaterial && hashes.deviceEvidence === deviceEvidence
  if (!stated)
    return fail(
      'envelope/section-hash-mismatch',
      `${hashes.cryptoMaterial}, ${hashes.deviceEvidence}`,
      `${cryptoMaterial}, ${deviceEvidence}`,
    )
  const reportData = reportDataOf(nonce, hashes)
  return passUnless(
    document.reportData === reportData ? undefined : 'envelope/report-data-mismatch',
    reportData,
    document.reportData,
    { reportData },
  )
}

/** Adds the name of the machine's policy. */
export function checkMachine(
  { identity, platform }: Hardware,
  { machines, policies }: PlatformEndorsements,
): Finding<{ readonly machinePolicy: string }> {
  const expected = msg('one of {count} servers', { count: Object.keys(machines).length })
  const name = Object.hasOwn(machines, identity) ? machines[identity] : undefined
  if (name === undefined) return fail('policy/machine-not-endorsed', expected, identity)
  const fits = policies[name]?.platform === platform
  return passUnless(fits ? undefined : 'policy/platform-mismatch', expected, `${identity}, ${name}`, {
    machinePolicy: name,
  })
}

/** Compares the measured code with the release. Fails with `measurement/mismatch`. */
export function checkRelease(
  { measurement }: Hardware,
  { registers: { snp, rtmr1 = '', rtmr2 = '' } }: Statements,
): Finding {
  const released = [snp, rtmr1, rtmr2]
  const fault = compareMeasurements({ type: MULTI_PLATFORM_PREDICATE, registers: released }, measurement)
  return passUnless(fault && 'measurement/mismatch', released.join(', '), measurement.registers.join(', '))
}

/** @param name of the machine's policy */
export function checkSettings(
  hardware: Hardware,
  name: string,
  { endorsements, shape }: Statements,
): Finding {
  const policy = endorsements.policies[name]
  if (hardware.platform === 'sev-snp' && policy?.platform === 'sev-snp')
    return checkRules(name, sev.settingsOf(hardware.report, hardware.product, policy.sev_snp))
  if (hardware.platform === 'tdx' && policy?.platform === 'tdx')
    return checkRules(name, [
      ...tdx.settingsOf(hardware.evidence, policy.tdx),
      tdx.hardwareOf(hardware.evidence, policy.tdx, endorsements, shape),
    ])
  throw new Error('the policy is for another platform')
}

/** @param name of the machine's policy */
export function checkFirmware(hardware: Hardware, name: string, { endorsements }: Statements): Finding {
  const policy = endorsements.policies[name]
  if (hardware.platform === 'sev-snp' && policy?.platform === 'sev-snp')
    return checkRules(name, sev.firmwareOf(hardware.report, hardware.product, policy.sev_snp))
  if (hardware.platform === 'tdx' && policy?.platform === 'tdx')
    return checkRules(name, tdx.firmwareOf(hardware.evidence, policy.tdx))
  throw new Error('the policy is for another platform')
}

function checkRules(policy: string, rules: Iterable<RuleOutcome>): Finding {
  const fault = firstFault(rules)
  const expected: Text = fault?.expected ?? msg('every value as in {policy}', { policy })
  return passUnless(fault?.code, expected, fault?.observed ?? expected)
}

/** Reads both keys. The hardware signed their hash. Fails with `keys/missing` or `keys/format`. */
export function readKeys({ keys }: V3Document): Finding<{ readonly keys: AttestedKeys }> {
  const tls = readKey(keys, 'tls', TLS_KEY)
  const hpke = readKey(keys, 'hpke', HPKE_KEY)
  return passed('tls, hpke', `${tls}, ${hpke}`, {
    keys: { tlsKeyFingerprint: Buffer.from(tls, 'hex'), hpkePublicKey: Buffer.from(hpke, 'hex') },
  })
}

function readKey(keys: readonly CryptoItem[], id: string, format: string): string {
  const item = keys.find((key) => key.id === id)
  if (!item) return fail('keys/missing', id, msg('none'))
  if (item.format !== format || item.data.length !== KEY_HEX) return fail('keys/format', format, item.format)
  return item.data
}

/** If the keys differ from those of the service's evidence, it describes another enclave, or the keys are being changed. */
export function checkSameEnclave(
  keys: AttestedKeys,
  { release }: Statements,
  relayed: {
    readonly keys: AttestedKeys
    readonly release: { readonly tag: string; readonly digest: string }
  },
): Finding {
  const [expected, observed] = [textOf(relayed.keys), textOf(keys)]
  if (observed !== expected) return fail('keys/differ-from-service', expected, observed)
  const sameRelease = release.tag === relayed.release.tag && release.digest === relayed.release.digest
  return passUnless(
    sameRelease ? undefined : 'release/differs-from-service',
    `${relayed.release.tag}, ${relayed.release.digest}`,
    `${release.tag}, ${release.digest}`,
  )
}

function textOf({ tlsKeyFingerprint, hpkePublicKey }: AttestedKeys): string {
  return `${toHex(tlsKeyFingerprint)}, ${toHex(hpkePublicKey)}`
}
