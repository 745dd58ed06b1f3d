import type { AttestationPolicy, Platform } from './policy.ts'
import { msg } from './message.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import { compareMeasurements, namedRegisters, type Measurement } from './measurement.ts'
import { MULTI_PLATFORM_PREDICATE, type CodeRegisters, type Provenance } from './sigstore/index.ts'
import { listed, type Text } from './text.ts'

const matchStep = {
  id: 'measurement/match',
  title: 'Enclave runs the code of the release',
} as const satisfies PlannedStep

type MatchStep = typeof matchStep.id
type PinStep = 'measurement/pinned' | 'release/pinned'

/** That of a Nitro image is the policy's own allow-list, a step of that platform. */
export const matchPlan: readonly PlannedStep<MatchStep>[] = [matchStep]

/** @returns the steps, of which the pins are required where the user pinned some */
export function pinPlan({
  pinnedMeasurements,
  pinnedRelease,
}: AttestationPolicy): readonly PlannedStep<PinStep>[] {
  return [
    {
      id: 'measurement/pinned',
      title: 'Code matches a measurement you pinned',
      required: pinnedMeasurements !== undefined,
    },
    { id: 'release/pinned', title: 'Release is one you pinned', required: pinnedRelease !== undefined },
  ]
}

/** Holds the registers of authenticated evidence to what the authenticated release says they will be. */
export function checkMatch(
  checks: Checklist<MatchStep>,
  attested: Measurement,
  released: CodeRegisters,
): void {
  const { snp, rtmr1 = '', rtmr2 = '' } = released
  const fault = compareMeasurements(
    { type: MULTI_PLATFORM_PREDICATE, registers: [snp, rtmr1, rtmr2] },
    attested,
  )
  checks.record(
    'measurement/match',
    fault && 'measurement/mismatch',
    expectedOf(attested, released),
    fault === 'rtmr3-set' ? msg('RTMR3 set') : observedOf(attested),
  )
}

function expectedOf({ registers }: Measurement, { snp, rtmr1, rtmr2 }: CodeRegisters): Text {
  if (registers.length === 1) return snp
  return rtmr1 !== undefined && rtmr2 !== undefined
    ? `RTMR1 ${rtmr1}, RTMR2 ${rtmr2}`
    : msg('a release that was measured for this platform')
}

function observedOf(attested: Measurement): string {
  const [only, ...more] = namedRegisters(attested)
  if (more.length === 0) return only?.hex ?? ''
  return more
    .filter(({ name }) => name === 'RTMR1' || name === 'RTMR2')
    .map(({ name, hex }) => `${name} ${hex}`)
    .join(', ')
}

/** Holds measurement and release to what the user pinned. Evidence without a release cannot meet pins of one. */
export function checkPins(
  checks: Checklist<PinStep>,
  platform: Platform,
  attested: Measurement,
  release: Provenance | undefined,
  { pinnedMeasurements, pinnedRelease }: AttestationPolicy,
): void {
  if (!pinnedMeasurements)
    checks.notChecked('measurement/pinned', msg('any measurement'), msg('none is pinned'))
  else {
    const pins = pinsOf(pinnedMeasurements, platform)
    const registers = new Map(namedRegisters(attested).map(({ name, hex }) => [name.toLowerCase(), hex]))
    const pinned = pins.some((pin) =>
      Object.entries(pin).every(([name, hex]) => hex === undefined || registers.get(name) === hex),
    )
    checks.record(
      'measurement/pinned',
      pinned ? undefined : 'measurement/not-pinned',
      describePins(pins),
      describe(Object.fromEntries(registers)),
    )
  }
  if (!pinnedRelease) return checks.notChecked('release/pinned', msg('any release'), msg('none is pinned'))
  const { tags, digests } = pinnedRelease
  const pinned =
    release !== undefined &&
    (tags?.includes(release.tag) ?? true) &&
    (digests?.includes(release.digest) ?? true)
  const expected = listed([
    ...(tags ? [msg('tag {tags}', { tags: tags.join(', ') })] : []),
    ...(digests ? [msg('digest {digests}', { digests: digests.join(', ') })] : []),
  ])
  checks.record(
    'release/pinned',
    pinned ? undefined : 'release/not-pinned',
    expected,
    release
      ? msg('tag {tag}, digest {digest}', { tag: release.tag, digest: release.digest })
      : msg('evidence that names no release'),
  )
}

type Pin = Readonly<Record<string, string | undefined>>

/** As records of registers by lowercase name. None where this platform has no pins and another has. */
function pinsOf(
  pins: NonNullable<AttestationPolicy['pinnedMeasurements']>,
  platform: Platform,
): readonly Pin[] {
  if (platform === 'sevSnp') return (pins.sevSnp ?? []).map((measurement) => ({ measurement }))
  return pins[platform] ?? []
}

function describePins(pins: readonly Pin[]): Text {
  return pins.length === 0 ? msg('none') : listed(pins.map(describe))
}

function describe(registers: Pin): string {
  const known = Object.entries(registers).filter(([, hex]) => hex !== undefined)
  return known.length === 1
    ? (known[0]?.[1] ?? '')
    : known.map(([name, hex]) => `${name.toUpperCase()} ${hex ?? ''}`).join(', ')
}
