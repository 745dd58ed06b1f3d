import { z } from 'zod'
import type { AttestationPolicy } from './attestation-policy.ts'
import { sevProductSchema, tcbSchema, type SevProduct, type Tcb } from './sev-snp.ts'

/** Floors of the provider that a person accepted, by product. */
export const acceptedFloorsSchema = z.partialRecord(sevProductSchema, tcbSchema)
export type AcceptedFloors = z.infer<typeof acceptedFloorsSchema>

/** A product whose provider accepts older firmware than the policy does. */
export const providerFloorSchema = z.object({
  product: sevProductSchema,
  minimum: tcbSchema,
  provider: tcbSchema,
})
export type ProviderFloor = z.infer<typeof providerFloorSchema>

const COMPONENTS = ['fmc', 'bootloader', 'tee', 'snp', 'microcode'] as const

/** The products of a profile's policy for which a lower floor can be accepted. */
export function providerFloors({ sevSnp }: AttestationPolicy): ProviderFloor[] {
  return sevProductSchema.options.flatMap((product) => {
    const rule = sevSnp?.products[product]
    return rule?.providerMinimumTcb
      ? [{ product, minimum: rule.minimumTcb, provider: rule.providerMinimumTcb }]
      : []
  })
}

/** Whether a person accepted exactly this floor. A profile with another one needs a new answer. */
export function isAccepted({ product, provider }: ProviderFloor, accepted: AcceptedFloors): boolean {
  const floor = accepted[product]
  return floor !== undefined && COMPONENTS.every((component) => floor[component] === provider[component])
}

/** The policy with the provider's floors in place of its own, each marked as accepted. Every other rule stays. */
export function withProviderFloors(policy: AttestationPolicy): AttestationPolicy {
  const { sevSnp } = policy
  if (!sevSnp) return policy
  const products = { ...sevSnp.products }
  for (const { product, provider } of providerFloors(policy)) {
    const rule = products[product]
    if (rule) products[product] = { ...rule, minimumTcb: provider, providerFloorAccepted: true }
  }
  return { ...policy, sevSnp: { ...sevSnp, products } }
}

/** The levels that a lower floor changes, the same in every language: `Genoa: snp 23 → 14`. */
export function describeFloorChange({
  product,
  minimum,
  provider,
}: {
  readonly product: SevProduct
  readonly minimum: Tcb
  readonly provider: Tcb
}): string {
  const changed = COMPONENTS.filter((component) => minimum[component] !== provider[component])
  return `${product}: ${changed.map((component) => `${component} ${String(minimum[component] ?? 0)} → ${String(provider[component] ?? 0)}`).join(', ')}`
}
