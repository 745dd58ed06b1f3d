import { ContractProcedure, getEventIteratorSchemaDetails, type AnySchema } from '@orpc/contract'
import { expect, it } from 'vitest'
import { contract } from '../../src/shared/contract/sotto-contract.ts'
import { streamProcedures } from '../../src/shared/stream-procedures.ts'

/** The paths of the procedures below a part of the contract, and whether each answers with a stream. */
function procedures(part: object, path: readonly string[] = []): { path: string; streams: boolean }[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const below = [...path, name]
    if (value instanceof ContractProcedure) {
      const output: unknown = value['~orpc'].outputSchema
      return [
        {
          path: below.join('/'),
          streams: isSchema(output) && getEventIteratorSchemaDetails(output) !== undefined,
        },
      ]
    }
    return typeof value === 'object' && value !== null ? procedures(value, below) : []
  })
}

function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && '~standard' in value
}

it('names exactly the procedures of the contract that answer with a stream', () => {
  const all = procedures(contract)
  expect(all.length).toBeGreaterThan(100)
  expect([...streamProcedures].sort()).toEqual(
    all
      .filter(({ streams }) => streams)
      .map(({ path }) => path)
      .sort(),
  )
})
