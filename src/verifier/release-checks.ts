import type { AttestationPolicy, Platform } from './policy.ts'
import { msg } from './message.ts'
import { compareMeasurements, namedRegisters, type Measurement } from './measurement.ts'
import { MULTI_PLATFORM_PREDICATE, type CodeRegisters, type Provenance } from './sigstore/index.ts'
import { notChecked, passUnless, Steps, type Finding } from './steps.ts'
import { isoTime, listed, type Text } from './text.ts'

interface ReleaseInput {
  /** From authenticated evidence. */
  readonly measurement: Measurement
  readonly provenance: Provenance
  readonly policy: AttestationPolicy
}

/** Required if the policy has a minimum. */
export const ageSteps = ({ minimumLogTime }: AttestationPolicy) =>
  Steps.of<Pick<ReleaseInput, 'provenance'>>().add({
    id: 'release/minimum-log-time',
    title: 'Release is new enough for this version of Sotto',
    required: minimumLogTime !== undefined,
    run: ({ provenance: { logTime } }) =>
      minimumLogTime === undefined
        ? notChecked(msg('any release'), msg('the policy has no minimum'))
        : passUnless(
            logTime < Date.parse(minimumLogTime) ? 'release/too-old' : undefined,
            msg('logged at {time} or later', { time: minimumLogTime }),
            msg('logged at {time}', { time: isoTime(logTime) }),
          ),
  })

/** Compares the registers of the evidence with those that the authenticated release states. */
export const matchSteps = Steps.of<Omit<ReleaseInput, 'policy'>>().add({
  id: 'measurement/match',
  title: 'Enclave runs the code of the release',
  run({ measurement, provenance: { registers: released } }) {
    const { snp, rtmr1 = '', rtmr2 = '' } = released
    const registers = [snp, rtmr1, rtmr2]
    const fault = compareMeasurements({ type: MULTI_PLATFORM_PREDICATE, registers }, measurement)
    return passUnless(
      fault && 'measurement/mismatch',
      expectedOf(measurement, released),
      fault === 'rtmr3-set' ? msg('RTMR3 set') : observedOf(measurement),
    )
  },
})

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

interface PinInput {
  readonly platform: Platform
  readonly measurement: Measurement
  /** Undefined for evidence without a release, which can't meet pins of one. */
  readonly provenance: Provenance | undefined
}

/** Compares measurement and release with those that the user pinned. A step is required if there are pins for it. */
export const pinSteps = ({ pinnedMeasurements, pinnedRelease }: AttestationPolicy) =>
  Steps.of<PinInput>()
    .add({
      id: 'measurement/pinned',
      title: 'Code matches a measurement you pinned',
      required: pinnedMeasurements !== undefined,
      run: ({ platform, measurement }) => checkMeasurement(platform, measurement, pinnedMeasurements),
    })
    .add({
      id: 'release/pinned',
      title: 'Release is one you pinned',
      required: pinnedRelease !== undefined,
      run: ({ provenance }) => checkRelease(provenance, pinnedRelease),
    })

function checkMeasurement(
  platform: Platform,
  measurement: Measurement,
  pinned: AttestationPolicy['pinnedMeasurements'],
): Finding {
  if (!pinned) return notChecked(msg('any measurement'), msg('none is pinned'))
  const pins = pinsOf(pinned, platform)
  const registers = new Map(namedRegisters(measurement).map(({ name, hex }) => [name.toLowerCase(), hex]))
  const same = pins.some((pin) =>
    Object.entries(pin).every(([name, hex]) => hex === undefined || registers.get(name) === hex),
  )
  return passUnless(
    same ? undefined : 'measurement/not-pinned',
    describePins(pins),
    describe(Object.fromEntries(registers)),
  )
}

function checkRelease(release: Provenance | undefined, pinned: AttestationPolicy['pinnedRelease']): Finding {
  if (!pinned) return notChecked(msg('any release'), msg('none is pinned'))
  const { tags, digests } = pinned
  const same =
    release !== undefined &&
    (tags?.includes(release.tag) ?? true) &&
    (digests?.includes(release.digest) ?? true)
  const expected = listed([
    ...(tags ? [msg('tag {tags}', { tags: tags.join(', ') })] : []),
    ...(digests ? [msg('digest {digests}', { digests: digests.join(', ') })] : []),
  ])
  return passUnless(
    same ? undefined : 'release/not-pinned',
    expected,
    release
      ? msg('tag {tag}, digest {digest}', { tag: release.tag, digest: release.digest })
      : msg('evidence that names no release'),
  )
}

type Pin = Readonly<Record<string, string | undefined>>

/** Returns the pins as lowercase hex by register name. Returns none if only other platforms have pins. */
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
