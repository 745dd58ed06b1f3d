import { z } from 'zod'
import { platforms, type Platform } from './policy/attestation-policy.ts'
import type { PinnedMeasurements } from './policy/pins.ts'

/** One pinned measurement, register by register, as it is shown. */
export const pinSchema = z.strictObject({
  platform: z.enum(platforms),
  registers: z
    .array(z.strictObject({ name: z.string().max(40), hex: z.string().max(200) }))
    .min(1)
    .max(8),
})
export type Pin = z.infer<typeof pinSchema>

/** The registers by which each platform tells which code runs. A TD's RTMR3 is zero wherever it is accepted. */
const pinnable: Readonly<Record<Platform, readonly string[]>> = {
  sevSnp: ['MEASUREMENT'],
  tdx: ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2'],
  nitro: ['PCR0', 'PCR1', 'PCR2'],
}

/** The pin for measured registers; undefined if one is missing. */
export function pinOf(measured: Pin['registers']): Pin | undefined {
  const platform = platforms.find((candidate) =>
    pinnable[candidate].every((name) => measured.some((register) => register.name === name)),
  )
  return platform && { platform, registers: measured.filter(({ name }) => pinnable[platform].includes(name)) }
}

export function pinsOf({ sevSnp = [], tdx = [], nitro = [] }: PinnedMeasurements): Pin[] {
  const named = (pin: Readonly<Record<string, string | undefined>>): Pin['registers'] =>
    Object.entries(pin).flatMap(([name, hex]) =>
      hex === undefined ? [] : [{ name: name.toUpperCase(), hex }],
    )
  return [
    ...sevSnp.map((hex): Pin => ({ platform: 'sevSnp', registers: [{ name: 'MEASUREMENT', hex }] })),
    ...tdx.map((pin): Pin => ({ platform: 'tdx', registers: named(pin) })),
    ...nitro.map((pin): Pin => ({ platform: 'nitro', registers: named(pin) })),
  ]
}

/**
 * The pins in the form of a policy; undefined if there are none. Then nothing is pinned, which differs from
 * an empty list that accepts nothing.
 */
export function measurementsOf(pins: readonly Pin[]): PinnedMeasurements | undefined {
  if (pins.length === 0) return undefined
  const of = (platform: Platform) => pins.filter((pin) => pin.platform === platform)
  const registers = (pin: Pin) =>
    Object.fromEntries(pin.registers.map(({ name, hex }) => [name.toLowerCase(), hex]))
  return {
    sevSnp: of('sevSnp').flatMap(({ registers }) => registers.map(({ hex }) => hex)),
    tdx: of('tdx').map(registers),
    nitro: of('nitro').map(registers),
  }
}

export function samePin(a: Pin, b: Pin): boolean {
  return (
    a.platform === b.platform &&
    a.registers.length === b.registers.length &&
    a.registers.every(({ name, hex }) =>
      b.registers.some((register) => register.name === name && register.hex === hex),
    )
  )
}
