import type { VerdictStep } from '../../../shared/verdict.ts'

/** In the order of the page. */
const stepGroups = ['document', 'chip', 'machine', 'keys', 'release', 'fresh'] as const
export type StepGroup = (typeof stepGroups)[number]

const ofStep: Readonly<Record<string, StepGroup>> = {
  'report/layout': 'document',
  'quote/layout': 'document',
  'nitro/message': 'document',
  'nitro/document': 'document',
  'report/signature': 'chip',
  'report/signer': 'chip',
  'nitro/image': 'release',
  'nitro/keys': 'keys',
  'nitro/debug': 'machine',
  'nitro/nonce': 'fresh',
  'nitro/time': 'fresh',
}

/** By the first part of a step's ID. */
const ofKind: Readonly<Record<string, StepGroup>> = {
  evidence: 'document',
  vcek: 'chip',
  pck: 'chip',
  amd: 'chip',
  intel: 'chip',
  quote: 'chip',
  nitro: 'chip',
  report: 'machine',
  td: 'machine',
  hardware: 'machine',
  certificate: 'keys',
  binding: 'keys',
  tls: 'keys',
  measurement: 'release',
  release: 'release',
  sigstore: 'release',
  v3: 'fresh',
}

/** Undefined for a step that this version of the page doesn't know. */
export function groupOf(stepId: string): StepGroup | undefined {
  return ofStep[stepId] ?? ofKind[stepId.split('/')[0] ?? '']
}

export interface NumberedStep {
  readonly step: VerdictStep
  /** In the order in which the steps ran, from 1. */
  readonly number: number
}

export function numberSteps(steps: readonly VerdictStep[]): readonly NumberedStep[] {
  return steps.map((step, index) => ({ step, number: index + 1 }))
}

/** The steps of each group that has any. A step of no known group is listed with the document's. */
export function groupSteps(steps: readonly VerdictStep[]): ReadonlyMap<StepGroup, readonly NumberedStep[]> {
  const byGroup = Map.groupBy(numberSteps(steps), ({ step }) => groupOf(step.id) ?? 'document')
  return new Map(
    stepGroups.flatMap((group) => {
      const members = byGroup.get(group)
      return members ? [[group, members] as const] : []
    }),
  )
}
