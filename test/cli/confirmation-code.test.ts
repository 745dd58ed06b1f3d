import { expect, it } from 'vitest'
import { createConfirmationCode } from '../../src/cli/confirmation-code.ts'

const LOOK_ALIKES = /[0O1IL2Z5S8B6V]/

it('has eight characters, excludes look-alikes, and uses every other character in every position', () => {
  const codes = Array.from({ length: 2000 }, () => createConfirmationCode().shown)
  for (const code of codes) expect(code).toMatch(/^[A-Z\d]{4}-[A-Z\d]{4}$/)
  expect(codes.filter((code) => LOOK_ALIKES.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  const places = [0, 1, 2, 3, 5, 6, 7, 8].map((place) => new Set(codes.map((code) => code[place])).size)
  expect(places).toEqual(places.map(() => 23))
})

it('matches in any case, with spaces and hyphens anywhere', () => {
  const code = createConfirmationCode()
  const { shown } = code
  const plain = shown.replace('-', '')
  for (const typed of [
    shown,
    plain,
    shown.toLowerCase(),
    ` ${shown} `,
    plain.replaceAll(/./g, '$& '),
    shown.replace('-', '\u2013'),
  ])
    expect(code.matches(typed)).toBe(true)
})

it('matches only the complete code', () => {
  const code = createConfirmationCode()
  const { shown } = code
  for (const typed of ['', '-', shown.slice(0, 8), `${shown}A`, createConfirmationCode().shown])
    expect(code.matches(typed)).toBe(false)
})
