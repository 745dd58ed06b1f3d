import { hash } from 'node:crypto'
import { attestationCodes } from '../codes.ts'
import type { Verdict } from '../contract.ts'
import { fingerprint, namedRegisters } from '../measurement.ts'
import type { VerificationResult } from '../verification-result.ts'
import { toHex } from '../text.ts'
import { answerSteps, serviceEnclaveSteps } from './steps.ts'
import type { ServiceEnclaveAssessment, ServiceEnclaveInput } from './types.ts'

/** A verdict lasts this long at most. */
const MAX_VALIDITY_MS = 60 * 60_000
/**
 * Verifies the answer of the service's own enclave (AWS Nitro) to a nonce, in the order of `answerSteps` and
 * `serviceEnclaveSteps`. The first failure ends it, and later steps are listed as not reached. Pure: the same input gives the same result. Never throws.
 *
 * A good verdict proves that a genuine Nitro enclave with an accepted image created the document for this nonce, and attested the key in
 * `hpkePublicKey`. It doesn't prove what the image does. By the rule `published`, anyone who controls the record decides which image counts.
 */
export function assessServiceEnclave(input: ServiceEnclaveInput): ServiceEnclaveAssessment {
  const { answer, trust, enclaveHost, images, now } = input
  const reading = answerSteps.verify(input)
  const list = serviceEnclaveSteps(images.rule, reading.good && reading.value.read.tlsKey !== undefined)
  const result = reading.good
    ? list.verify({ ...input, read: reading.value.read })
    : { ...reading, steps: list.notReached() }
  const steps = [...reading.steps, ...result.steps]
  const good = result.good && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const verdict: Verdict = {
    good,
    steps,
    ...(!result.good && { failure: { ...result.failure, says: attestationCodes[result.failure.code] } }),
    trust: trust.name,
    enclaveHost,
    ...describe(result.facts),
    verifiedAt: now,
    validUntil: good ? Math.min(now + MAX_VALIDITY_MS, result.facts.hardware?.value.notAfter ?? now) : now,
    evidenceDigest: hash('sha256', answer, 'hex'),
  }
  const { tlsKey, record, pcr0 } = result.facts
  return { verdict, ...(tlsKey && { tlsKey }), ...(record && { record }), ...(pcr0 && { pcr0: pcr0.value }) }
}

/** The facts of a verdict, each signed by the hardware, and by which rule the image was accepted. A later failure doesn't remove them. */
function describe({ hardware, keys, image }: VerificationResult): Partial<Verdict> {
  return {
    ...hardware?.map(({ platform, measurement }) => ({
      platform,
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
