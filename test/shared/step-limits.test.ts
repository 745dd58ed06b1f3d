import { expect, it } from 'vitest'
import { documentSteps } from '../../src/verifier/document.ts'
import { stepsOf } from '../../src/verifier/evidence-steps.ts'
import { answerSteps, serviceEnclaveSteps } from '../../src/verifier/service-enclave/steps.ts'
import { v3Steps } from '../../src/verifier/v3/index.ts'
import { limitOf } from '../../src/shared/step-limits.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import { platforms } from '../../src/shared/policy/attestation-policy.ts'

const policy: AttestationPolicy = {
  enclaveHost: 'e.example',
  certificateLabelSuffix: 'e.example',
  code: {
    repository: 'o/r',
    oidcIssuer: 'https://issuer.example',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['p'],
  },
}

it('every step of every platform describes its limits', () => {
  const plans = [
    documentSteps,
    ...platforms.map((platform) => stepsOf(platform, { policy })),
    v3Steps,
    answerSteps,
    serviceEnclaveSteps('published', true),
  ].flatMap(({ names }) => names)
  const ids = [...plans.map(({ id }) => id), 'release/not-older', 'release/trusted', 'tls/connection']
  expect(new Set(ids).size).toBeGreaterThan(60)
  expect(ids.filter((id) => limitOf(id) === undefined)).toEqual([])
})

it('an unknown step has no description of its limits', () => {
  expect(limitOf('another/step')).toBeUndefined()
})
