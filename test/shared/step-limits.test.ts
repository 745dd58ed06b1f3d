import { expect, it } from 'vitest'
import { documentPlan } from '../../src/verifier/document.ts'
import { planOf } from '../../src/verifier/verification.ts'
import { answerPlan, serviceEnclavePlan } from '../../src/verifier/service-enclave/plan.ts'
import { v3Plan } from '../../src/verifier/v3/index.ts'
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
const circumstances = {
  trust: { name: 'sandbox', amd: {}, sigstoreTrustedRoot: '' },
  policy,
  now: 0,
} as const

it('every step of every platform says what it leaves open', () => {
  const plans = [
    documentPlan,
    ...platforms.map((platform) => planOf(platform, circumstances)),
    v3Plan,
    answerPlan,
    serviceEnclavePlan('published', true),
  ].flat()
  const ids = [...plans.map(({ id }) => id), 'release/not-older', 'release/trusted', 'tls/connection']
  expect(new Set(ids).size).toBeGreaterThan(60)
  expect(ids.filter((id) => limitOf(id) === undefined)).toEqual([])
})

it('and a step that is not known here says nothing', () => {
  expect(limitOf('another/step')).toBeUndefined()
})
