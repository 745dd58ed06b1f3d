import { expect, it } from 'vitest'
import { receiptDifference } from '../../src/shared/history.ts'

const receipt = (cost?: string) => ({
  id: 'r',
  privacy: 'sealed' as const,
  ...(cost !== undefined && { cost }),
})

it.each([
  ['5', receipt('3'), 2n],
  ['3', receipt('5'), -2n],
  ['300000000000000000000', receipt('1'), 299_999_999_999_999_999_999n],
  ['3', receipt('3'), undefined],
  ['3', receipt(), undefined],
  ['3', undefined, undefined],
  [undefined, receipt('3'), undefined],
])('%s, with the receipt %o, differs by %s', (cost, of, difference) => {
  expect(receiptDifference({ ...(cost !== undefined && { cost }), ...(of && { receipt: of }) })).toBe(
    difference,
  )
})
