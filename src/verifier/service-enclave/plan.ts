import type { ImageRule } from '../policy.ts'
import type { PlannedStep } from '../checklist.ts'
import { nitroKeyPlan, nitroPlan } from '../nitro/index.ts'

export const answerPlan = [
  { id: 'service-enclave/answer', title: 'Enclave’s answer has the expected format' },
] as const satisfies readonly PlannedStep[]
export type AnswerStep = (typeof answerPlan)[number]['id']

const agePlan = [
  { id: 'service-enclave/age', title: 'Document was created within the last five minutes' },
] as const satisfies readonly PlannedStep[]

const recordPlan = [
  {
    id: 'service-enclave/image-record',
    title: 'Service’s record of its images is readable and not outdated',
    claim: true,
  },
] as const satisfies readonly PlannedStep[]

const imagePlan = [
  { id: 'service-enclave/image', title: 'Enclave runs an accepted image' },
] as const satisfies readonly PlannedStep[]

const claimPlan = [
  { id: 'service-enclave/encryption-key', title: 'Answer states the attested encryption key', claim: true },
] as const satisfies readonly PlannedStep[]

const connectionPlan = [
  { id: 'service-enclave/connection', title: 'Connection uses the attested TLS key', required: false },
] as const satisfies readonly PlannedStep[]

const TLS_KEY = {
  id: 'service-enclave/tls-key',
  title: 'Answer contains the attested TLS key',
} as const satisfies PlannedStep

export type ServiceEnclaveStep =
  | (typeof agePlan)[number]['id']
  | (typeof recordPlan)[number]['id']
  | (typeof imagePlan)[number]['id']
  | (typeof claimPlan)[number]['id']
  | (typeof connectionPlan)[number]['id']
  | typeof TLS_KEY.id

/**
 * The steps after the answer was read, in order: the document and its time, the image, the keys.
 * @param rule only by `published` does the service's record count
 * @param tlsKeyIsThere older images don't send the TLS key
 */
export function serviceEnclavePlan(rule: ImageRule, tlsKeyIsThere: boolean): readonly PlannedStep[] {
  const nitro = nitroPlan(true)
  const debug = nitro.filter(({ id }) => id === 'nitro/debug')
  const document = nitro.filter(({ id }) => id !== 'nitro/debug' && id !== 'nitro/image')
  return [
    ...document,
    ...agePlan,
    ...debug,
    ...(rule === 'published' ? recordPlan : []),
    ...imagePlan,
    ...nitroKeyPlan,
    ...claimPlan,
    { ...TLS_KEY, required: tlsKeyIsThere },
    ...connectionPlan,
  ]
}
