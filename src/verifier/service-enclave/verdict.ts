import { hash } from 'node:crypto'
import { attestationCodes } from '../codes.ts'
import { msg } from '../message.ts'
import type { Verdict } from '../contract.ts'
import { Authenticated } from '../authenticated.ts'
import { notReached, runStage, type Checklist, type StageResult } from '../checklist.ts'
import { fingerprint, namedRegisters, nitroMeasurement, type Measurement } from '../measurement.ts'
import { authenticateNitroDocument, checkDebug, checkKeys, type NitroDocument } from '../nitro/index.ts'
import type { AttestedKeys } from '../report-data.ts'
import { isoTime, toHex } from '../text.ts'
import { readAnswer, type Answer } from './answer.ts'
import { checkAcceptance, checkRecord } from './image-checks.ts'
import { checkStatedKeys, noteConnection } from './key-checks.ts'
import { answerPlan, serviceEnclavePlan } from './plan.ts'
import type { ImageRecord, ServiceEnclaveAssessment, ServiceEnclaveInput } from './types.ts'

/** A verdict lasts this long at most. */
const MAX_VALIDITY_MS = 60 * 60_000
/** The enclave creates a document for each nonce, so a genuine one is seconds old. The rest is for clocks that differ. */
const MAX_AGE_MS = 5 * 60_000
const NONCE_BYTES = 32
const PCR_BYTES = 48

/** The results before the first failure. */
interface Findings {
  hardware?: Authenticated<{ readonly measurement: Measurement; /** Unix ms. */ readonly notAfter: number }>
  /** PCR0 in lowercase hex, after the enclave was found not to be in debug mode. */
  pcr0?: Authenticated<string>
  keys?: Authenticated<AttestedKeys>
  record?: ImageRecord
  image?: NonNullable<Verdict['image']>
  tlsKey?: Uint8Array
}

/**
 * Verifies the answer of the service's own enclave (AWS Nitro) to a nonce, in the order of `answerPlan` and `serviceEnclavePlan`. The first
 * failure ends it, and later steps are listed as not reached. Pure: the same input gives the same result. Never throws.
 *
 * A good verdict proves that a genuine Nitro enclave with an accepted image created the document for this nonce, and attested the key in
 * `hpkePublicKey`. It doesn't prove what the image does. By the rule `published`, anyone who controls the record decides which image counts.
 */
export function assessServiceEnclave(input: ServiceEnclaveInput): ServiceEnclaveAssessment {
  const { answer, trust, enclaveHost, images, now } = input
  const read = runStage(answerPlan, (checks) => readAnswer(checks, answer))
  const plan = serviceEnclavePlan(images.rule, read.good && read.value.tlsKey !== undefined)
  const findings: Findings = {}
  const judged: StageResult<void> = read.good
    ? runStage(plan, (checks) => takeSteps(checks, findings, read.value, input))
    : { good: false, steps: notReached(plan), failure: read.failure }
  const steps = [...read.steps, ...judged.steps]
  const good = judged.good && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const verdict: Verdict = {
    good,
    steps,
    ...(!judged.good && { failure: { ...judged.failure, says: attestationCodes[judged.failure.code] } }),
    trust: trust.name,
    enclaveHost,
    ...describe(findings),
    verifiedAt: now,
    validUntil: good ? Math.min(now + MAX_VALIDITY_MS, findings.hardware?.value.notAfter ?? now) : now,
    evidenceDigest: hash('sha256', answer, 'hex'),
  }
  const { tlsKey, record, pcr0 } = findings
  return { verdict, ...(tlsKey && { tlsKey }), ...(record && { record }), ...(pcr0 && { pcr0: pcr0.value }) }
}

function takeSteps(
  checks: Checklist<string>,
  findings: Findings,
  answer: Answer,
  { nonce, trust, images, now }: ServiceEnclaveInput,
): void {
  // A short nonce could be guessed, and an empty one equals that of a document for no request.
  if (nonce.length !== NONCE_BYTES) throw new Error('a nonce has 32 bytes')
  // Without a root, no document begins at it.
  const { document, notAfter } = authenticateNitroDocument(checks, {
    document: answer.document,
    root: trust.awsNitroRoot ?? new Uint8Array(),
    now,
    nonce,
  })
  findings.hardware = Authenticated.by(checks, 'nitro/signature', {
    measurement: nitroMeasurement(document.pcrs),
    notAfter,
  })
  checkAge(checks, document, now)
  checkDebug(checks, document)
  const pcr0 = imageOf(document)
  if (pcr0 !== undefined) findings.pcr0 = Authenticated.by(checks, 'nitro/debug', pcr0)

  if (images.rule === 'published') findings.record = checkRecord(checks, images, now)
  findings.image = checkAcceptance(checks, pcr0, images, findings.record)

  const keys = checkKeys(checks, document)
  findings.keys = Authenticated.by(checks, 'nitro/signature', keys)
  const tlsKey = checkStatedKeys(checks, answer, keys)
  if (tlsKey) findings.tlsKey = tlsKey
  noteConnection(checks, keys)
}

/** A document ahead of this clock is refused by `nitro/time`, with the same tolerance. */
function checkAge(checks: Checklist<string>, { timestamp }: NitroDocument, now: number): void {
  const old = now - timestamp > MAX_AGE_MS
  checks.record(
    'service-enclave/age',
    old ? 'service-enclave/document-old' : undefined,
    msg('created at {time} or later', { time: isoTime(now - MAX_AGE_MS) }),
    msg('created at {time}', { time: isoTime(timestamp) }),
  )
}

function imageOf({ pcrs }: NitroDocument): string | undefined {
  const pcr0 = pcrs.get(0)
  return pcr0?.length === PCR_BYTES ? toHex(pcr0) : undefined
}

/** The facts of a verdict, each signed by the hardware, and by which rule the image was accepted. A later failure doesn't remove them. */
function describe({ hardware, keys, image }: Findings): Partial<Verdict> {
  return {
    ...hardware?.map(({ measurement }) => ({
      platform: 'AWS Nitro',
      measurement: fingerprint(measurement),
      registers: namedRegisters(measurement),
      freshness: { kind: 'nonce-bound' } as const,
    })).value,
    ...keys?.map(({ hpkePublicKey, tlsKeyFingerprint }) => ({
      hpkePublicKey: toHex(hpkePublicKey),
      tlsKeyFingerprint: toHex(tlsKeyFingerprint),
    })).value,
    ...(image && { image }),
  }
}
