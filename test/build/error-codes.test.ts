import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ERROR_CODES_PATH, renderErrorCodes } from '../../build/write-error-codes.ts'
import { currentErrorCode, errorCodeNames, isErrorCode } from '../../src/shared/error-codes.ts'
import { formerCodes } from '../../src/shared/error-codes/former-codes.ts'
import { storedErrorCodeSchema } from '../../src/shared/error-codes/stored-code.ts'

it('the document lists the codes as they are', () => {
  const document = readFileSync(resolve(import.meta.dirname, '../..', ERROR_CODES_PATH), 'utf8')
  expect(document, 'run npm run error-codes').toBe(renderErrorCodes())
})

it.each(Object.entries(formerCodes))('%s in stored data is read as %s', (former, code) => {
  expect(isErrorCode(former)).toBe(false)
  expect(currentErrorCode(former)).toBe(code)
  expect(storedErrorCodeSchema.parse(former)).toBe(code)
  expect(storedErrorCodeSchema.encode(code)).toBe(code)
})

it('a code replaces at most one earlier code', () => {
  expect(new Set(Object.values(formerCodes)).size).toBe(Object.keys(formerCodes).length)
})

it.each(errorCodeNames)('%s is read as itself', (code) => {
  expect(storedErrorCodeSchema.parse(code)).toBe(code)
})

it.each(['', 'proxy/none', '__proto__', 'constructor'])('%j is refused in stored data', (code) => {
  expect(storedErrorCodeSchema.safeParse(code).success).toBe(false)
})
