import fc from 'fast-check'
import { expect, it } from 'vitest'
import { measurementsOf, pinOf, pinsOf, samePin, type Pin } from '../../src/shared/pin.ts'
import { pinnedMeasurementsSchema } from '../../src/shared/policy/pins.ts'

const register = (name: string): fc.Arbitrary<Pin['registers'][number]> =>
  fc
    .uint8Array({ minLength: 48, maxLength: 48 })
    .map((bytes) => ({ name, hex: Buffer.from(bytes).toString('hex') }))
const measured = fc.oneof(
  fc.tuple(register('MEASUREMENT')),
  fc.tuple(
    register('MRTD'),
    register('RTMR0'),
    register('RTMR1'),
    register('RTMR2'),
    fc.constant({ name: 'RTMR3', hex: '00'.repeat(48) }),
  ),
  fc.tuple(register('PCR0'), register('PCR1'), register('PCR2')),
)

it('what is pinned comes back as it was measured, in a form that the policy accepts', () => {
  fc.assert(
    fc.property(fc.array(measured, { minLength: 1, maxLength: 5 }), (list) => {
      const pins = list.map((registers) => pinOf(registers)!)
      const measurements = measurementsOf(pins)
      expect(pinnedMeasurementsSchema.parse(measurements)).toEqual(measurements)
      expect(pinsOf(measurements!).toSorted(byText)).toEqual(pins.toSorted(byText))
    }),
  )
})
const byText = (a: Pin, b: Pin) => JSON.stringify(a).localeCompare(JSON.stringify(b))

it('a TD is pinned without the register that is zero wherever it is accepted', () => {
  const registers = ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2', 'RTMR3'].map((name) => ({
    name,
    hex: 'aa'.repeat(48),
  }))
  expect(pinOf(registers)?.registers.map(({ name }) => name)).toEqual(['MRTD', 'RTMR0', 'RTMR1', 'RTMR2'])
})

it('registers that are not all there are no pin, and no pins are none', () => {
  expect(pinOf([])).toBeUndefined()
  expect(pinOf([{ name: 'MRTD', hex: 'aa' }])).toBeUndefined()
  expect(measurementsOf([])).toBeUndefined()
  expect(pinsOf({})).toEqual([])
})

it('two pins are the same whatever the order of their registers', () => {
  const pin = (registers: Pin['registers']): Pin => ({ platform: 'nitro', registers })
  const [a, b, c] = [
    { name: 'PCR0', hex: 'aa' },
    { name: 'PCR1', hex: 'bb' },
    { name: 'PCR1', hex: 'cc' },
  ]
  expect(samePin(pin([a, b]), pin([b, a]))).toBe(true)
  expect(samePin(pin([a, b]), pin([a, c]))).toBe(false)
  expect(samePin(pin([a]), pin([a, b]))).toBe(false)
})
