import { beforeAll, expect, it } from 'vitest'
import { isBelowExpected, sevSteps } from '../../../src/verifier/sev-snp/index.ts'
import type { SevPolicy, SevProduct, Tcb } from '../../../src/shared/policy/sev-snp.ts'
import { integer } from '../../../src/sandbox/der/der.ts'
import { chipExtensions, mintAmd, NOW, policy, type MintedAmd, type Patches } from './minted-chip.ts'

let amd: MintedAmd
beforeAll(async () => {
  amd = await mintAmd()
})

/** The levels that the minted reports have. */
const levels: Record<'Genoa' | 'Turin', Tcb> = {
  Genoa: { bootloader: 10, tee: 0, snp: 23, microcode: 84 },
  Turin: { fmc: 1, bootloader: 2, tee: 1, snp: 5, microcode: 90 },
}

/** A low floor, so that older reports pass too. */
function under(product: 'Genoa' | 'Turin', expectedTcb?: Tcb): SevPolicy {
  const minimumTcb = { bootloader: 0, tee: 0, snp: 0, microcode: 0 }
  return {
    ...policy,
    products: {
      ...policy.products,
      [product]: { ...policy.products[product], minimumTcb, ...(expectedTcb && { expectedTcb }) },
    },
  }
}

function isBelow(
  product: SevProduct,
  rules: SevPolicy,
  patches: Patches = {},
  vcek = amd.soundChip(product),
): boolean {
  const result = sevSteps.verify({
    report: amd.report(product, patches),
    vcek,
    roots: amd.roots(product),
    policy: rules,
    now: NOW,
  })
  if (!result.good) throw new Error(result.failure.code)
  return isBelowExpected(result.value.evidence.report, result.value.evidence.product, rules)
}

it.each(['Genoa', 'Turin'] as const)('a %s with exactly the expected levels isn’t below them', (product) => {
  expect(isBelow(product, under(product, levels[product]))).toBe(false)
})

it.each(['Genoa', 'Turin'] as const)('a %s is below them if one level is', (product) => {
  const higher = Object.entries(levels[product]).map(([component, level = 0]): [string, number] => [
    component,
    level + 1,
  ])
  for (const [component, level] of higher) {
    expect([component, isBelow(product, under(product, { ...levels[product], [component]: level }))]).toEqual(
      [component, true],
    )
  }
})

it('any one of the four TCBs is enough', () => {
  const rules = under('Genoa', levels.Genoa)
  const older = Buffer.of(22)
  // Current and committed firmware must be the same to pass.
  expect(isBelow('Genoa', rules, { 0x3e: older, 0x1e6: older })).toBe(true)
  expect(isBelow('Genoa', rules, { 0x1f6: older })).toBe(true)
  const vcek = amd.chipCertificate('Genoa', { extensions: chipExtensions('Genoa', { '3.3': integer(22) }) })
  expect(isBelow('Genoa', rules, { 0x186: older }, vcek)).toBe(true)
})

it('newer firmware in every TCB isn’t below', () => {
  const newer = Buffer.of(24)
  expect(isBelow('Genoa', under('Genoa', levels.Genoa), { 0x3e: newer, 0x1e6: newer, 0x1f6: newer })).toBe(
    false,
  )
})

it('a product without data is never below', () => {
  const older = Buffer.of(1)
  expect(isBelow('Genoa', under('Genoa'), { 0x3e: older, 0x1e6: older, 0x1f6: older })).toBe(false)
  expect(isBelow('Turin', under('Genoa', levels.Genoa))).toBe(false)
})
