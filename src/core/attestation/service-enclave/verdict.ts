import { hash } from 'node:crypto'
import type { ServiceEnclaveAssessment, ServiceEnclaveInput } from './types.ts'

export function assessServiceEnclave({ answer, trust, enclaveHost, now }: ServiceEnclaveInput): ServiceEnclaveAssessment {
  return { verdict: { good: false, steps: [], trust: trust.name, enclaveHost, verifiedAt: now, validUntil: now, evidenceDigest: hash('sha256', answer, 'hex') } }
}
